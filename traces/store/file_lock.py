"""Advisory file locks (flock), released when the process ends, however it ends. Without effect on Windows, which has no flock."""

from __future__ import annotations

import sys
from pathlib import Path

if sys.platform != "win32":
    import fcntl


def lock_exclusively(file: int) -> bool:
    """Lock an open file, given by its descriptor, until it is closed; False if another process has locked it."""
    return _lock(file, alone=True)


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
