"""Pictures that a set names by address are fetched once, and read beside it from then on."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from evaluation.building.picture_set.named_pictures import fetch_named_pictures
from evaluation.dataset.files import load
from tests.sites.museum import pictures
from tests.sites.pages_on_loopback import serve
from walker.errors import UsageError

MILL = pictures()["/mill.png"]


def a_set(folder: Path, *addresses: str) -> Path:
    lines = ({"prompt": f"What is {address}?", "file_path": address, "answers": ["A mill"]} for address in addresses)
    file = folder / "set.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return file


async def test_what_is_fetched_is_read_and_not_fetched_again(tmp_path: Path) -> None:
    with serve({"/mill.png": MILL, "/a%2Fmill.jpeg": MILL}) as base:
        file = a_set(tmp_path, f"{base}/mill.png", f"{base}/a%2Fmill.jpeg")
        with pytest.raises(UsageError, match="was not fetched yet"):
            load(file)
        first = await fetch_named_pictures(file, (f"{base}/",))
        again = await fetch_named_pictures(file, (f"{base}/",))
    assert (first.fetched, first.known, first.failed) == (2, 0, ())
    assert (again.fetched, again.known, again.failed) == (0, 2, ())
    assert {one.picture_digest for one in load(file).questions} == {hashlib.sha256(MILL).hexdigest()}


async def test_what_gives_no_picture_is_told_and_the_others_stay(tmp_path: Path) -> None:
    with serve({"/mill.png": MILL, "/page.png": "<p>Not here"}) as base:
        file = a_set(tmp_path, f"{base}/mill.png", f"{base}/gone.png", f"{base}/page.png", "http:///mill.png")
        done = await fetch_named_pictures(file, (f"{base}/",))
    assert done.fetched == 1
    gone, page, nowhere = done.failed
    assert gone == f"{base}/gone.png: HTTP 404"
    assert page.startswith(f"{base}/page.png: ")
    assert nowhere == "http:///mill.png: no host in 'http:///mill.png'"


async def test_a_set_reaches_no_private_address_that_nobody_named(tmp_path: Path) -> None:
    with serve({"/mill.png": MILL}) as base:
        done = await fetch_named_pictures(a_set(tmp_path, f"{base}/mill.png"))
    assert done.fetched == 0
    assert len(done.failed) == 1
    assert not (tmp_path / "images").exists()
