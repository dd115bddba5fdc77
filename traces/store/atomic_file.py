"""Atomic file writes: a file is complete or absent, even after a crash or power failure. Written to a temporary file, then renamed."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)


def write_atomically(path: Path, data: bytes, *, mode: int = 0o666, durable: bool = True) -> None:
    """Create or replace a file; a symbolic link at `path` is replaced, never followed.

    The umask applies to `mode`. Without `durable` a power failure may leave the file empty. Raises `OSError`.
    """
    with temporary_path(path) as part:
        with os.fdopen(os.open(part, _NEW, mode), "wb") as file:
            file.write(data)
        replace_file(part, path, durable=durable)


@contextmanager
def temporary_path(path: Path, purpose: str = "part") -> Iterator[Path]:
    """A unique temporary path in the same folder, removed at the end of the block."""
    part = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident():x}.{purpose}")
    part.unlink(missing_ok=True)
    try:
        yield part
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def replace_file(part: Path, path: Path, *, durable: bool = True) -> None:
    """Rename a completely written file to `path`. Raises `OSError`."""
    if durable:
        with part.open("rb") as file:
            os.fsync(file.fileno())
    part.replace(path)
