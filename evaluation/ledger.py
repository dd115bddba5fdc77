"""A file that only grows: one JSON line for each thing that is done, safe when it is written, so that work which was cut off
goes on where it was. One process holds it at a time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from walker.errors import UsageError
from walker.files.locked_jsonl import LockedJsonl

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
    """The file, open and locked until `close`."""

    def __init__(self, path: Path, kind: type[T], why_wrong: Callable[[T], str] | None = None) -> None:
        """Raises `UsageError` where it cannot be written, is another's, or holds something else."""
        self.path = path
        self._lines = LockedJsonl(path)
        try:
            self.entries: list[T] = list(read_lines(path, kind, why_wrong))
            self._lines.cut(path.read_bytes().rfind(b"\n") + 1)
        except UsageError:
            self.close()
            raise

    def close(self) -> None:
        """Let another process write to it."""
        self._lines.close()

    def add(self, entry: T) -> None:
        """Write an entry; it is on disk when this returns. Raises `TraceUnwritable`."""
        self._lines.add(msgspec.json.encode(entry))
        self.entries.append(entry)
