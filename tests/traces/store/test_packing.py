from __future__ import annotations

import contextlib
import stat
import zipfile
from pathlib import Path

import pytest

from tests.recordings.make import FOLDER
from traces.errors import TraceReadError, TraceWriteError
from traces.reading.reader import read_run
from traces.store.packing import pack_run, unpack_run

MODEL = FOLDER / "model"


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_packed_run_reads_as_it_is_and_unpacks_to_the_same_files(tmp_path: Path) -> None:
    size = pack_run(MODEL, tmp_path / "run.zip")
    assert size == (tmp_path / "run.zip").stat().st_size
    whole, packed = read_run(MODEL), read_run(tmp_path / "run.zip")
    assert (packed.events, packed.manifest, packed.problems) == (whole.events, whole.manifest, ())
    assert unpack_run(tmp_path / "run.zip", tmp_path / "out" / "run") == len(contents(MODEL))
    assert contents(tmp_path / "out" / "run") == contents(MODEL)
    assert (tmp_path / "out" / "run").stat().st_mode & 0o077 == 0


def test_members_are_stored_and_two_packings_are_equal(tmp_path: Path) -> None:
    for name in ("one.zip", "two.zip"):
        pack_run(MODEL, tmp_path / name)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "one.zip") as archive:
        assert {member.compress_type for member in archive.infolist()} == {zipfile.ZIP_STORED}
        assert archive.namelist()[:2] == ["run.json", "events.jsonl"]
        place = archive.getinfo("events.jsonl").header_offset + 30 + len("events.jsonl")
    log = (MODEL / "events.jsonl").read_bytes()
    assert (tmp_path / "one.zip").read_bytes()[place : place + len(log)] == log, "a range of the file is the log"


def test_a_zip_with_a_folder_around_the_run_is_read(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "run.zip", "w") as archive:
        for name, data in contents(MODEL).items():
            archive.writestr(f"model/{name}", data)
    assert read_run(tmp_path / "run.zip").events == read_run(MODEL).events
    unpack_run(tmp_path / "run.zip", tmp_path / "out")
    assert contents(tmp_path / "out") == contents(MODEL)


def test_a_flipped_byte_in_a_zip_is_told(tmp_path: Path) -> None:
    pack_run(MODEL, tmp_path / "run.zip")
    data = bytearray((tmp_path / "run.zip").read_bytes())
    place = data.index(b"\x28\xb5\x2f\xfd") + 9  # within the first compressed blob
    data[place] ^= 0xFF
    (tmp_path / "run.zip").write_bytes(bytes(data))
    with pytest.raises(TraceReadError, match="cannot be read"):
        unpack_run(tmp_path / "run.zip", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def hostile(file: Path, name: str, data: bytes = b"x", kind: int = stat.S_IFREG, how: int = zipfile.ZIP_STORED) -> None:
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("run.json", (MODEL / "run.json").read_bytes())
        member = zipfile.ZipInfo(name)
        member.external_attr = (kind | 0o777) << 16
        member.compress_type = how
        archive.writestr(member, data)


@pytest.mark.parametrize(
    "name",
    [
        "../evil",
        "/etc/evil",
        "blobs/../../evil",
        "blobs/ab/not-a-digest",
        "a/b/run.json",
        "blobs\\ab\\c",
        "C:/run.json",
        "evil.py",
        "run.json",
        "other/run.json",
    ],
)
def test_names_that_are_no_part_of_a_run_are_refused(tmp_path: Path, name: str) -> None:
    twice = pytest.warns(UserWarning, match="Duplicate") if name == "run.json" else contextlib.nullcontext()
    with twice:
        hostile(tmp_path / "bad.zip", name)
    with pytest.raises(TraceReadError, match="nothing was unpacked"):
        unpack_run(tmp_path / "bad.zip", tmp_path / "in" / "out")
    assert not (tmp_path / "in").exists()


def test_links_and_bombs_are_refused(tmp_path: Path) -> None:
    hostile(tmp_path / "link.zip", "events.jsonl", b"/etc/passwd", stat.S_IFLNK)
    hostile(tmp_path / "bomb.zip", "events.jsonl", b"0" * 10_000_000, how=zipfile.ZIP_DEFLATED)
    for name in ("link", "bomb"):
        with pytest.raises(TraceReadError, match="nothing was unpacked"):
            unpack_run(tmp_path / f"{name}.zip", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_what_is_there_is_not_written_over(tmp_path: Path) -> None:
    pack_run(MODEL, tmp_path / "run.zip")
    with pytest.raises(TraceWriteError, match="there is a file already"):
        pack_run(MODEL, tmp_path / "run.zip")
    (tmp_path / "out").mkdir()
    with pytest.raises(TraceWriteError, match="exists already"):
        unpack_run(tmp_path / "run.zip", tmp_path / "out")


@pytest.mark.parametrize("data", [b"", b"no zip at all", b"PK\x03\x04torn"])
def test_what_is_no_zip_is_one_line(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "bad.zip").write_bytes(data)
    with pytest.raises(TraceReadError, match="the zip cannot be read"):
        unpack_run(tmp_path / "bad.zip", tmp_path / "out")
    with pytest.raises(TraceReadError, match="the zip cannot be read"):
        read_run(tmp_path / "bad.zip")
