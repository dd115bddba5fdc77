"""An append-only JSON Lines file of finished work, durable once written, so that interrupted work can be resumed. Locked by one
process at a time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from walker.errors import UsageError
from walker.files.locked_jsonl import LockedJsonl

T = TypeVar("T", bound=msgspec.Struct)


def read_lines(path: Path, kind: type[T], why_wrong: Callable[[T], str] | None = None) -> tuple[T, ...]:
    """The records of a file, even while it is being written; a truncated last line is ignored. () for a missing file. `why_wrong`
    validates a record: it gives the reason why it is invalid, "" for a valid one.

    Raises `UsageError` with the line of an invalid record.
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
            advice = "Restore the file from a backup, or start a new experiment"
            raise UsageError(what, where=f"{path}:{number}", advice=advice)
    return tuple(found)


class Ledger(Generic[T]):
    """The file, open and locked until `close`."""

    def __init__(self, path: Path, kind: type[T], why_wrong: Callable[[T], str] | None = None) -> None:
        """Raises `UsageError` if it cannot be written, is locked by another process, or has invalid records."""
        self.path = path
        self._lines = LockedJsonl(path)
        try:
            self.entries: list[T] = list(read_lines(path, kind, why_wrong))
            self._lines.cut(path.read_bytes().rfind(b"\n") + 1)
        except UsageError:
            self.close()
            raise

    def close(self) -> None:
        """Release the lock."""
        self._lines.close()

    def add(self, entry: T) -> None:
        """Append an entry, which is on disk when this returns. Raises `TraceUnwritable`."""
        self._lines.add(msgspec.json.encode(entry))
        self.entries.append(entry)
