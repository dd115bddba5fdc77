from __future__ import annotations

import os
from pathlib import Path

import pytest

from walker.errors import TraceUnwritable, UsageError
from walker.files.locked_jsonl import LockedJsonl


def test_lines_are_added_and_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "new" / "lines"
    lines = LockedJsonl(path)
    lines.add(b"one")
    lines.add(b"two")
    lines.cut(4)
    lines.add(b"three")
    lines.close()
    assert path.read_bytes() == b"one\nthree\n"


def test_one_process_writes_at_a_time(tmp_path: Path) -> None:
    first = LockedJsonl(tmp_path / "lines")
    with pytest.raises(UsageError, match="another process writes to it"):
        LockedJsonl(tmp_path / "lines")
    first.close()
    LockedJsonl(tmp_path / "lines").close()


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match=r"file/lines: it cannot be written \(.*\)"):
        LockedJsonl(tmp_path / "file" / "lines")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this machine has no disk that is always full")
def test_a_full_disk_is_told_with_what_to_do(tmp_path: Path) -> None:
    lines = LockedJsonl(tmp_path / "lines")
    full = os.open("/dev/full", os.O_WRONLY)
    os.dup2(full, lines._file)
    os.close(full)
    with pytest.raises(TraceUnwritable, match=r"lines: it cannot be written \(No space left.*Free some space"):
        lines.add(b"one")
    lines.close()
