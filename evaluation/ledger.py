"""A file that only grows: one JSON line for each thing that is done, safe when it is written, so that work which was cut off
goes on where it was. One process holds it at a time."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from traces.file_lock import hold
from walker.errors import TraceUnwritable, UsageError

T = TypeVar("T", bound=msgspec.Struct)


def read_lines(path: Path, kind: type[T], why_wrong: Callable[[T], str] | None = None) -> tuple[T, ...]:
    """What a file holds, whoever writes to it; a last line that was cut off is left out. () where there is no file. `why_wrong`
    says of a record what is wrong with it, "" where nothing is.

    Raises `UsageError` with the line that is no such record, or a wrong one.
    """
    try:
        data = path.read_bytes() if path.exists() else b""
    except OSError as error:
        raise UsageError(f"it cannot be read ({error.strerror})", where=str(path), advice="Check the path") from None
    decoder = msgspec.json.Decoder(kind)
    found = []
    for number, line in enumerate(data[: data.rfind(b"\n") + 1].splitlines(), start=1):
        try:
            record = decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            what = f"not a {kind.__name__.lower()} ({error})"
        else:
            what = why_wrong(record) if why_wrong is not None else ""
            found.append(record)
        if what:
            advice = "Take the file from a backup, or begin a new experiment"
            raise UsageError(what, where=f"{path}:{number}", advice=advice)
    return tuple(found)


class Ledger(Generic[T]):
    """The file, open and locked until `close`; the lock ends with the process, however that ends."""

    def __init__(self, path: Path, kind: type[T], why_wrong: Callable[[T], str] | None = None) -> None:
        self.path = path
        self._held = _hold(path)
        try:
            self.entries: list[T] = list(read_lines(path, kind, why_wrong))
            os.ftruncate(self._held, path.read_bytes().rfind(b"\n") + 1)
        except UsageError:
            self.close()
            raise

    def close(self) -> None:
        """Let another process write to it."""
        os.close(self._held)

    def add(self, entry: T) -> None:
        """Write an entry; it is on disk when this returns."""
        try:
            os.write(self._held, msgspec.json.encode(entry) + b"\n")
            os.fsync(self._held)
        except OSError as error:
            raise TraceUnwritable(
                f"it cannot be written ({error.strerror})",
                where=str(self.path),
                advice="Free some space, then run the same command again",
            ) from None
        self.entries.append(entry)


def _hold(path: Path) -> int:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
    except OSError as error:
        raise UsageError(
            f"it cannot be written ({error.strerror})", where=str(path), advice="Choose another folder"
        ) from None
    if not hold(file):
        os.close(file)
        raise UsageError("another process writes to it", where=str(path), advice="Wait for it to end, or end it")
    return file
