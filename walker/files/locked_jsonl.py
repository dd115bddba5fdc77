"""An append-only JSON Lines file, locked by one process at a time."""

from __future__ import annotations

import os
from pathlib import Path

from traces.store.file_lock import lock_exclusively
from walker.errors import TraceUnwritable, UsageError


class LockedJsonl:
    """The file, open and locked until `close`; the lock ends with the process, however that ends."""

    def __init__(self, path: Path) -> None:
        """Makes it, and the folders above it. Raises `UsageError` where it cannot be written, or another process writes to it."""
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        except OSError as error:
            raise UsageError(
                f"it cannot be written ({error.strerror})",
                where=str(path),
                advice="Name another with --out, in a folder that can be written",
            ) from None
        if not lock_exclusively(self._file):
            self.close()
            raise UsageError("another process writes to it", where=str(path), advice="Wait for it to end, or end it")

    def close(self) -> None:
        """Let another process write to it."""
        os.close(self._file)

    def add(self, line: bytes) -> None:
        """Write a line; it is on disk when this returns. Raises `TraceUnwritable`."""
        try:
            left = line + b"\n"
            while left:
                left = left[os.write(self._file, left) :]
            os.fsync(self._file)
        except OSError as error:
            raise TraceUnwritable(
                f"it cannot be written ({error.strerror})",
                where=str(self.path),
                advice="Free some space, then run the same command again",
            ) from None

    def cut(self, size: int) -> None:
        """Leave the first `size` bytes."""
        os.ftruncate(self._file, size)
