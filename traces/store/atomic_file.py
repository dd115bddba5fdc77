"""Files that are whole or not there, also after a crash or a power failure: written beside their place, then renamed."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)


def write_whole(path: Path, data: bytes, *, mode: int = 0o666, durable: bool = True) -> None:
    """Write a file, or put it in the place of the one that is there; a link at `path` is replaced, never followed.

    `mode` is what the umask is taken from. Without `durable` a power failure may leave it empty. Raises `OSError`.
    """
    with beside(path) as part:
        with os.fdopen(os.open(part, _NEW, mode), "wb") as file:
            file.write(data)
        put_in_place(part, path, durable=durable)


@contextmanager
def beside(path: Path, purpose: str = "part") -> Iterator[Path]:
    """A path in the same folder that no other process or thread uses, and of which nothing is left in the end."""
    part = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident():x}.{purpose}")
    part.unlink(missing_ok=True)
    try:
        yield part
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def put_in_place(part: Path, path: Path, *, durable: bool = True) -> None:
    """Make a file that is written to its end the one at `path`. Raises `OSError`."""
    if durable:
        with part.open("rb") as file:
            os.fsync(file.fileno())
    part.replace(path)
