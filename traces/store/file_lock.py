"""Who writes to a file: a lock that ends with its process, however that ends. Windows has none of the kind: nobody is kept out."""

from __future__ import annotations

import sys
from pathlib import Path

if sys.platform != "win32":
    import fcntl


def hold(file: int) -> bool:
    """Take the lock of an open file (its descriptor), which goes when the file is closed; False where another process has it."""
    return _lock(file, alone=True)


def is_held(path: Path) -> bool:
    """Whether a process holds the lock of a file; False for a file that cannot be read."""
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
