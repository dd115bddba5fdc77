"""A walk of a batch that another worker may have begun: it is resumed from its record, so that it counts once."""

from __future__ import annotations

import asyncio
import hashlib
import time
from pathlib import Path

import msgspec

from traces.events import Event
from traces.store.atomic_file import write_atomically
from walker.assembly import WalkResources
from walker.batch.places import ENDS_A_BATCH, Answered, answer_of, ask_one
from walker.batch.questions import Assignment
from walker.errors import UsageError, WalkerError
from walker.run_setup import RunListener, StopKeeper, recorded_settings
from walker.runs.recorded_run import open_run
from walker.runs.replay import resume_run
from walker.seams.outcome import Outcome
from walker.settings import Settings

NOTES = ".begun"
"""Folder in the folder of runs: one file for each walk under way, with the name of its run."""
HELD_SECONDS = 20.0
"""How long a run may be held by a worker that is thought dead, before the walk begins again in a run of its own."""


class BegunWalk(RunListener):
    """Notes the run of a walk as it begins; the note is removed when the walk has ended."""

    def __init__(self, assignment: Assignment, settings: Settings) -> None:
        self._runs, self._settings, self._assignment = settings.runs_folder, settings, assignment
        self.note = self._runs / NOTES / _digest(assignment, settings)

    def emit(self, event: Event) -> None:
        """Events are in the record."""

    def began(self, run: Path) -> None:
        """Write the note; it is there before the first page is opened."""
        self.note.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(self.note, run.name.encode())

    async def answer(self, resources: WalkResources) -> Answered:
        """Resume the walk if it has begun, else walk. Raises `ENDS_A_BATCH`."""
        resumed = await self._resumed() if self._settings.record else None
        if resumed is not None:
            answered = answer_of(self._assignment, resumed)
        else:
            answered = await ask_one(resources, self._assignment, StopKeeper(self))
        self.note.unlink(missing_ok=True)
        return answered

    async def _resumed(self) -> Outcome | None:
        """The outcome of the walk that had begun; None where none has, or its record is not to be had here."""
        try:
            run = self._runs / self.note.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return None
        until = time.monotonic() + HELD_SECONDS
        while run.parent == self._runs and _is_readable(run):
            try:
                return await resume_run(run, settings=self._settings)
            except ENDS_A_BATCH:
                raise
            except UsageError:  # held by another
                if time.monotonic() > until:
                    return None
                await asyncio.sleep(1)
            except WalkerError:  # the site is another than it was, or the record is damaged: the walk begins again
                return None
        return None


def _is_readable(run: Path) -> bool:
    try:
        open_run(run)
    except WalkerError:
        return False
    return True


def _digest(assignment: Assignment, settings: Settings) -> str:
    """Of the question and of the settings that it is asked with; the same in every process."""
    asked = recorded_settings(msgspec.structs.replace(settings, seed="", pinned_at=0.0))
    picture = None if assignment.picture is None else str(assignment.picture)
    told = (assignment.id, assignment.question, assignment.roots, assignment.language, picture, assignment.box, asked)
    return hashlib.sha256(msgspec.json.encode(told, order="sorted")).hexdigest()[:24]
