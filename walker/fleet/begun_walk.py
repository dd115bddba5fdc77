"""A walk of a batch that another worker may have begun: it is resumed from its record, so that it counts once."""

from __future__ import annotations

import asyncio
import hashlib
import time
from pathlib import Path

import msgspec

from traces.events import Event
from walker.assembly import WalkResources
from walker.batch.places import ENDS_A_BATCH, walk_anew
from walker.batch.questions import Assignment
from walker.errors import UsageError, WalkerError
from walker.fleet.walk_notes import note_of
from walker.run_setup import RunListener, recorded_settings
from walker.runs.recorded_run import open_run
from walker.runs.replay import resume_run
from walker.seams.outcome import Outcome
from walker.seams.protocols import TraceSink
from walker.settings import Settings

HELD_SECONDS = 20.0
"""How long a run may be held by a worker that is thought dead, before the walk begins again in a run of its own."""


async def walk_on(resources: WalkResources, assignment: Assignment, progress: TraceSink) -> Outcome:
    """Resume the walk if it has begun, else walk. Raises a `WalkerError`."""
    return await BegunWalk(resources, assignment, progress).outcome()


class BegunWalk(RunListener):
    """Notes the run of a walk as it begins; the note is removed when the walk has ended."""

    def __init__(self, resources: WalkResources, assignment: Assignment, progress: TraceSink) -> None:
        self._resources, self._assignment, self._progress = resources, assignment, progress
        self._runs = resources.settings.runs_folder
        self.name = digest_of(assignment, resources.settings)
        self._note = note_of(self._runs, self.name)

    def emit(self, event: Event) -> None:
        """Hand it on."""
        self._progress.emit(event)

    def began(self, run: Path) -> None:
        """Write the note; it is there before the first page is opened."""
        self._note.write(run.name)

    async def outcome(self) -> Outcome:
        """That of the walk. An error ends it too; what stays noted is a walk that was not ended."""
        try:
            resumed = await self._resumed() if self._resources.settings.record else None
            outcome = await walk_anew(self._resources, self._assignment, self) if resumed is None else resumed
        except ENDS_A_BATCH:
            raise
        except WalkerError:
            await asyncio.to_thread(self._note.remove)
            raise
        await asyncio.to_thread(self._note.remove)
        return outcome

    async def _resumed(self) -> Outcome | None:
        """The outcome of the walk that had begun; None where none has, or its record is not to be had here."""
        noted = await asyncio.to_thread(self._note.read)
        if not noted:
            return None
        run = self._runs / noted
        until = time.monotonic() + HELD_SECONDS
        while run.parent == self._runs and _is_readable(run):
            try:
                return await resume_run(
                    run, settings=self._resources.settings, progress=self._progress, shared=self._resources
                )
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


def digest_of(assignment: Assignment, settings: Settings) -> str:
    """Of the question and of the settings that it is asked with; the same in every process."""
    asked = recorded_settings(msgspec.structs.replace(settings, seed="", pinned_at=0.0))
    picture = None if assignment.picture is None else str(assignment.picture)
    told = (assignment.id, assignment.question, assignment.roots, assignment.language, picture, assignment.box, asked)
    return hashlib.sha256(msgspec.json.encode(told, order="sorted")).hexdigest()[:24]
