"""Where the walks of a batch run: the seam, and the place within this process."""

from __future__ import annotations

from types import TracebackType
from typing import Literal, Protocol

import msgspec

from walker.asked_picture.picture_file import read_picture
from walker.asking import ask_in
from walker.assembly import WalkResources
from walker.batch.predictions import Prediction, prediction_of
from walker.batch.questions import Assignment
from walker.errors import BrowserUnavailable, EndpointUnusable, TraceUnwritable, WalkerError
from walker.run_setup import StopKeeper
from walker.seams.outcome import Outcome
from walker.settings import Settings

ENDS_A_BATCH = (BrowserUnavailable, EndpointUnusable, TraceUnwritable)
"""What no further walk would fare better with."""


STOPPED = "stopped before it was over; the next run asks again"


class Answered(msgspec.Struct, frozen=True, kw_only=True):
    """What one question of a batch came to."""

    prediction: Prediction
    state: Literal["answered", "unanswered", "failed"]


class WalkPlace(Protocol):
    """Where walks run. Entered once, asked by as many at a time as the batch has jobs, and left when the batch ends; what is under
    way then is given up."""

    @property
    def jobs(self) -> int:
        """How many walks run at a time, from 1."""

    async def __aenter__(self) -> WalkPlace:
        """Make ready. Raises a `WalkerError` where the place cannot be reached."""

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End all that was started."""

    async def ask(self, assignment: Assignment) -> Answered:
        """Walk for one question. A walk that fails is an answer too; raises only `ENDS_A_BATCH`, and a `WalkerError` where the place
        itself is lost."""

    def so_far(self, assignment: Assignment) -> Answered | None:
        """What a walk that was given up had found; None where it had found nothing, or that is known elsewhere only."""


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

    async def ask(self, assignment: Assignment) -> Answered:
        """Walk in this process."""
        kept = self._under_way[assignment.id] = StopKeeper()
        answered = await ask_one(self._resources, assignment, kept)
        del self._under_way[assignment.id]
        return answered

    def so_far(self, assignment: Assignment) -> Answered | None:
        """What the walk for this question had found when it was stopped."""
        kept = self._under_way.get(assignment.id)
        outcome = kept and kept.so_far(self._resources.settings.sure, error=STOPPED)
        return answer_of(assignment, outcome) if outcome and (outcome.answer or outcome.nearest) else None


async def ask_one(resources: WalkResources, assignment: Assignment, progress: StopKeeper) -> Answered:
    """One question in these resources. Raises `ENDS_A_BATCH`; any other `WalkerError` is in the answer."""
    try:
        picture = None if assignment.picture is None else read_picture(assignment.picture, assignment.box)
        outcome = await ask_in(
            resources,
            assignment.roots,
            assignment.question,
            language=assignment.language,
            progress=progress,
            picture=picture,
        )
    except ENDS_A_BATCH:
        raise
    except WalkerError as error:
        return failed(assignment, str(error), progress.so_far(resources.settings.sure))
    return answer_of(assignment, outcome)


def answer_of(assignment: Assignment, outcome: Outcome) -> Answered:
    """The answer that a walk came to."""
    state: Literal["answered", "unanswered"] = "answered" if outcome.answered else "unanswered"
    return Answered(prediction=prediction_of(assignment.id, outcome), state=state)


def failed(assignment: Assignment, error: str, so_far: Outcome | None = None) -> Answered:
    """A walk that ended with an error, in one line; with what it had found by then."""
    if so_far is not None:
        told = msgspec.structs.replace(prediction_of(assignment.id, so_far), stop_reason="failed", error=error)
    else:
        told = Prediction(
            id=assignment.id, question=assignment.question, answered=False, error=error, stop_reason="failed"
        )
    return Answered(prediction=told, state="failed")
