from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from traces.store.atomic_file import temporary_path, write_atomically


def test_a_file_takes_the_place_of_the_one_that_is_there(tmp_path: Path) -> None:
    place = tmp_path / "a.json"
    write_atomically(place, b"one", mode=0o600)
    write_atomically(place, b"two", mode=0o600, durable=False)
    assert place.read_bytes() == b"two"
    assert place.stat().st_mode & 0o777 == 0o600
    assert [one.name for one in tmp_path.iterdir()] == ["a.json"]


def test_a_link_is_replaced_and_never_followed(tmp_path: Path) -> None:
    outside, place = tmp_path / "outside", tmp_path / "a.json"
    outside.write_bytes(b"mine")
    place.symlink_to(outside)
    (tmp_path / f".a.json.{os.getpid()}-{threading.get_ident():x}.part").symlink_to(outside)
    write_atomically(place, b"new")
    assert outside.read_bytes() == b"mine"
    assert (place.is_symlink(), place.read_bytes()) == (False, b"new")
    assert len(list(tmp_path.iterdir())) == 2


def test_nothing_is_left_of_what_could_not_be_finished(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(IsADirectoryError):
        write_atomically(tmp_path / "folder", b"x")
    with temporary_path(tmp_path / "b") as part:
        part.write_bytes(b"half of it")
    assert [one.name for one in tmp_path.iterdir()] == ["folder"]
