"""Where walks run: the seam, and the place within this process."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Protocol, TypeVar

from walker.asked_picture.picture_file import read_picture
from walker.asking import ask_in
from walker.assembly import WalkResources
from walker.batch.questions import Assignment
from walker.errors import BrowserUnavailable, EndpointUnusable, TraceUnwritable
from walker.run_setup import StopKeeper
from walker.seams.outcome import Outcome
from walker.seams.protocols import TraceSink
from walker.settings import Settings

ENDS_A_BATCH = (BrowserUnavailable, EndpointUnusable, TraceUnwritable)
"""What no further walk would fare better with."""
STOPPED = "stopped before it was over; the next run asks again"
Walk = Callable[[WalkResources, Assignment, TraceSink], Awaitable[Outcome]]
"""How a place walks: for an assignment, in these resources, with a sink that receives every event."""
Told = TypeVar("Told")
Told_co = TypeVar("Told_co", covariant=True)


class WalkTask(Protocol[Told_co]):
    """A piece of work with a walk in it, as a value that may travel to the process which does it; so does what it comes to."""

    async def told(self, resources: WalkResources, walk: Walk) -> Told_co:
        """Do it, in the settings of `resources` or others made of them. A walk that fails is told too; raises `ENDS_A_BATCH` only."""

    def lost(self, why: str) -> Told_co:
        """What is told where it could not be done: the workers that were given it died. `why` is one line."""


class WalkPlace(Protocol):
    """Where walks run. Entered once, given as many tasks at a time as there are jobs, and left at the end; what is under way then is
    given up."""

    @property
    def jobs(self) -> int:
        """How many walks run at a time, from 1."""

    async def __aenter__(self) -> WalkPlace:
        """Make ready. Raises a `WalkerError` where the place cannot be reached."""

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End all that was started."""

    async def do(self, task: WalkTask[Told]) -> Told:
        """Do a task. Raises only `ENDS_A_BATCH`, and a `WalkerError` where the place itself is lost."""

    def so_far(self, walk: str) -> Outcome | None:
        """What a walk that was given up had found, by the id of its assignment; None where it had found nothing, or that is known
        elsewhere only."""


class LocalPlace:
    """Walks within this process, in one browser."""

    def __init__(self, settings: Settings, *, jobs: int) -> None:
        self.jobs = jobs
        self._resources = WalkResources(settings)
        self._under_way: dict[str, StopKeeper] = {}

    async def __aenter__(self) -> LocalPlace:
        await self._resources.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._resources.__aexit__(kind, error, trace)

    async def do(self, task: WalkTask[Told]) -> Told:
        """Do it in this process."""
        return await task.told(self._resources, self._walk)

    async def _walk(self, resources: WalkResources, assignment: Assignment, progress: TraceSink) -> Outcome:
        kept = self._under_way[assignment.id] = StopKeeper(progress)
        outcome = await walk_anew(resources, assignment, kept)
        del self._under_way[assignment.id]
        return outcome

    def so_far(self, walk: str) -> Outcome | None:
        """What the walk of this id had found when it was stopped."""
        kept = self._under_way.get(walk)
        outcome = kept and kept.so_far(self._resources.settings.sure, error=STOPPED)
        return outcome if outcome and (outcome.answer or outcome.nearest) else None


async def walk_anew(resources: WalkResources, assignment: Assignment, progress: TraceSink) -> Outcome:
    """Walk from the root on. Raises a `WalkerError`."""
    picture = None if assignment.picture is None else read_picture(assignment.picture, assignment.box)
    return await ask_in(
        resources,
        assignment.roots,
        assignment.question,
        language=assignment.language,
        progress=progress,
        picture=picture,
    )
