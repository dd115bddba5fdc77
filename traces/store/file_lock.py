"""Advisory file locks (flock), released when the process ends, however it ends. Without effect on Windows, which has no flock."""

from __future__ import annotations

import sys
import time
from pathlib import Path

if sys.platform != "win32":
    import fcntl


PATIENCE = 1.0
"""Seconds for which a lock is asked for. A process that was killed while it started a program leaves its lock to that one until it has
become the program, for milliseconds on an idle machine, and `is_locked` of another process takes each lock for a moment."""
PAUSE = 0.01


def lock_exclusively(file: int) -> bool:
    """Lock an open file, given by its descriptor, until it is closed; False if another process has locked it and keeps it."""
    until = time.monotonic() + PATIENCE
    while not (is_ours := _lock(file, alone=True)) and time.monotonic() < until:
        time.sleep(PAUSE)
    return is_ours


def is_locked(path: Path) -> bool:
    """Whether a process has locked a file; False for a file that cannot be read."""
    try:
        with path.open("rb") as file:
            return not _lock(file.fileno(), alone=False)
    except OSError:
        return False


def _lock(file: int, *, alone: bool) -> bool:
    if sys.platform == "win32":
        return True
    try:
        fcntl.flock(file, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
