"""What happens in a piece of work, as lines of a file: the number of a line is the event's id, before and after any restart."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

OWN = "job."
"""How the events of the work itself begin; all others are those of its walk or crawl."""
RESTARTED = "job.restarted"
NOT_REPEATED = ("run.stopped", "error")
"""Events at the end of a walk that was cut off; once it goes on they do not come again."""
MOST_BYTES = 64 << 10
"""Of one event; of a larger one only its kind is told, and the whole of it is in the run."""


class KeptEvent(msgspec.Struct, frozen=True, kw_only=True):
    """One line."""

    event: str
    at: float = 0.0
    """Seconds since the epoch, UTC."""
    data: Any = None


class EventLog:
    """The events of one piece of work, to be added to. An event is in the file, or in none, however this process ends."""

    def __init__(self, path: Path) -> None:
        """Raises `OSError`."""
        path.touch(mode=0o600)
        self._file = path.open("r+b", buffering=0)
        self.told = 0
        """Events of the walk since it began, or began again, that come again once it goes on."""
        whole = 0
        for line in self._file:
            if not line.endswith(b"\n"):
                break  # a kill cut it off: nobody was told of it
            whole += len(line)
            self._count(msgspec.json.decode(line, type=KeptEvent).event)
        self._file.truncate(whole)
        self._file.seek(whole)

    def add(self, event: str, data: Any, at: float) -> None:
        """Write one event. Raises `OSError`."""
        line = msgspec.json.encode(KeptEvent(event=event, at=at, data=data))
        if len(line) > MOST_BYTES:
            line = msgspec.json.encode(KeptEvent(event=event, at=at, data={"omitted": len(line)}))
        self._file.write(line + b"\n")
        self._count(event)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _count(self, event: str) -> None:
        if event == RESTARTED:
            self.told = 0
        elif not event.startswith(OWN) and event not in NOT_REPEATED:
            self.told += 1


class EventReader:
    """Reads a file of events from the one behind an id, on and on."""

    def __init__(self, path: Path, after: int) -> None:
        self._path, self._after = path, after
        self._number = self._place = 0
        self.last = ""
        """Kind of the last event that was read, skipped ones included."""

    def more(self) -> Iterator[tuple[int, KeptEvent]]:
        """The whole lines that were not read yet, with their ids."""
        try:
            file = self._path.open("rb")
        except OSError:
            return
        with file:
            file.seek(self._place)
            for line in file:
                if not line.endswith(b"\n"):
                    return
                self._place += len(line)
                self._number += 1
                event = msgspec.json.decode(line, type=KeptEvent)
                self.last = event.event
                if self._number > self._after:
                    yield self._number, event


msgspec.json.Decoder(KeptEvent)  # described at import: docs/design/msgspec.md
