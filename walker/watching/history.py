"""The history of a watch: JSON Lines that survive kill -9, each check in them once."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from pathlib import Path

import msgspec

from walker.errors import UsageError
from walker.files.locked_jsonl import LockedJsonl
from walker.watching.watched import Check, Entry, Told, Watched

FILE_NAME = "history.jsonl"


class History:
    """The file of one watch, open and locked until `close`. A line is on disk when its method returns."""

    def __init__(self, folder: Path, what: Mapping[str, str]) -> None:
        """Begins it, or goes on with it; half a line, which a kill left, is cut off. Raises `UsageError`: another process has it, it
        is damaged, or it is that of another watch."""
        path = folder / FILE_NAME
        self._file = LockedJsonl(path)
        try:
            entries, size = _read(path)
            self._file.cut(size)
            if not entries:
                entries = (Watched(id=secrets.token_hex(6), what=dict(what)),)
                self._file.add(msgspec.json.encode(entries[0]))
            head = entries[0]
            if not isinstance(head, Watched) or head.what != dict(what):
                raise UsageError(
                    "something else is watched in this folder", where=str(folder), advice="Name another with --name"
                )
        except BaseException:
            self._file.close()
            raise
        self.id = head.id
        self._entries: list[Entry] = list(entries)

    def close(self) -> None:
        """Let another process write to it."""
        self._file.close()

    def add(self, entry: Check | Told) -> None:
        """Write a line. Raises `TraceUnwritable`."""
        self._file.add(msgspec.json.encode(entry))
        self._entries.append(entry)

    @property
    def checks(self) -> tuple[Check, ...]:
        """All checks so far."""
        return tuple(entry for entry in self._entries if isinstance(entry, Check))

    @property
    def last_found(self) -> Check | None:
        """The last check that did not fail."""
        return next((one for one in reversed(self.checks) if one.found is not None), None)

    @property
    def untold(self) -> tuple[tuple[Check, str], ...]:
        """Changes with whom nobody has told of them yet, the oldest first."""
        told = {(entry.number, entry.by) for entry in self._entries if isinstance(entry, Told)}
        return tuple((one, by) for one in self.checks for by in one.tells if (one.number, by) not in told)


def read_history(folder: Path) -> tuple[Entry, ...]:
    """The entries of a history, also while another process writes to it. Raises `UsageError` where there is none."""
    path = folder / FILE_NAME
    if not path.is_file():
        raise UsageError(
            "nothing was watched there yet", where=str(folder), advice="Check once: walker watch ... --once"
        )
    return _read(path)[0]


def _read(path: Path) -> tuple[tuple[Entry, ...], int]:
    """The whole lines, and their size in bytes."""
    raw = path.read_bytes()
    whole = raw[: raw.rfind(b"\n") + 1]
    entries = []
    for number, line in enumerate(whole.splitlines(), start=1):
        try:
            entries.append(msgspec.json.decode(line, type=Entry))
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            advice = "Restore the file from a backup, or name another folder with --name"
            raise UsageError(f"damaged ({error})", where=f"{path}, line {number}", advice=advice) from None
    return tuple(entries), len(whole)
