from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from walker.errors import OutputUnwritable
from walker.files.atomic_output import write_output


def test_a_file_is_written_with_the_folders_above_it(tmp_path: Path) -> None:
    write_output(tmp_path / "new" / "deep" / "a.txt", b"words")
    assert (tmp_path / "new" / "deep" / "a.txt").read_bytes() == b"words"


def test_what_cannot_be_written_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(OutputUnwritable, match=r"file/a.txt: it cannot be written \(.*\)\. Free some space, or name"):
        write_output(tmp_path / "file" / "a.txt", b"words")
    with pytest.raises(OutputUnwritable, match="Is a directory"):
        write_output(tmp_path, b"words")


def test_a_pipe_stays_a_pipe(tmp_path: Path) -> None:
    pipe, read = tmp_path / "pipe", list[bytes]()
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_output(pipe, b"words")
    reader.join()
    assert read == [b"words"]
    assert pipe.is_fifo()
