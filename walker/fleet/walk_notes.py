"""Where a worker notes which run a walk has begun, so that the next one finds it: beside the runs, in a folder or in a store."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Protocol

from traces.errors import StoreError, TraceError
from traces.store.atomic_file import write_atomically
from traces.store.mirror import Mirror, mirror_of
from walker.run_setup import trace_errors

NOTES = ".begun"
"""Folder in the folder of runs: one file for each walk under way, with the name of its run."""


class WalkNote(Protocol):
    """Of one walk."""

    def write(self, run: str) -> None:
        """Note the run. Raises `TraceUnwritable`."""

    def read(self) -> str:
        """The run that was noted, which is here then as far as it is to be had; "" for none."""

    def remove(self) -> None:
        """The walk has ended."""


class NoteFile:
    """In a folder that all machines share."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def write(self, run: str) -> None:
        """See `WalkNote`."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(self._path, run.encode())

    def read(self) -> str:
        """See `WalkNote`."""
        try:
            return self._path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return ""

    def remove(self) -> None:
        """See `WalkNote`."""
        self._path.unlink(missing_ok=True)


class NoteObject:
    """In the store that the folder of runs mirrors; each machine has a mirror of its own."""

    def __init__(self, mirror: Mirror, name: str) -> None:
        self._mirror, self._name = mirror, f"{NOTES}/{name}"

    def write(self, run: str) -> None:
        """See `WalkNote`."""
        with trace_errors():
            self._mirror.place.put(self._name, run.encode())

    def read(self) -> str:
        """See `WalkNote`."""
        try:
            run = (self._mirror.place.get(self._name) or b"").decode()
            return run if self._mirror.bring(run) else ""
        except (TraceError, UnicodeDecodeError):  # not to be had: the walk begins again
            return ""

    def remove(self) -> None:
        """See `WalkNote`. One that stays names a run that has ended, which whoever is asked the same again finds whole."""
        with suppress(StoreError):
            self._mirror.place.remove(self._name)


def note_of(runs: Path, name: str) -> WalkNote:
    """The note of this name beside the runs. Raises `TraceUnwritable` where their store cannot be used."""
    with trace_errors():
        mirror = mirror_of(runs / name)
    return NoteFile(runs / NOTES / name) if mirror is None else NoteObject(mirror, name)
