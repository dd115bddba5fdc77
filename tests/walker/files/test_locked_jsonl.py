from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from traces.store.file_lock import is_locked
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


KILLED_WHILE_IT_STARTS_A_PROGRAM = """
import os, signal, subprocess, sys, time
from pathlib import Path
from walker.files.locked_jsonl import LockedJsonl

def before_it_is_the_program():
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(0.3)

lines = LockedJsonl(Path(sys.argv[1]))
lines.add(b"one")
subprocess.Popen([sys.executable, "-S", "-c", ""], preexec_fn=before_it_is_the_program)
"""


def test_what_a_killed_process_was_about_to_start_holds_the_file_a_moment_only(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    killed = subprocess.run([sys.executable, "-c", KILLED_WHILE_IT_STARTS_A_PROGRAM, str(path)], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert is_locked(path)
    lines = LockedJsonl(path)
    lines.add(b"two")
    lines.close()
    assert path.read_bytes() == b"one\ntwo\n"


def test_whoever_looks_whether_a_file_is_locked_is_no_writer(tmp_path: Path) -> None:
    path, ended = tmp_path / "lines", threading.Event()
    path.touch()

    def look() -> None:
        while not ended.is_set():
            is_locked(path)

    looking = [threading.Thread(target=look) for _ in range(3)]
    for one in looking:
        one.start()
    try:
        until = time.monotonic() + 0.5
        while time.monotonic() < until:
            LockedJsonl(path).close()
    finally:
        ended.set()
        for one in looking:
            one.join()


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
