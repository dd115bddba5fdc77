"""One question of a batch as a task, and what it came to."""

from __future__ import annotations

from typing import Literal

import msgspec

from traces.events import Event
from walker.assembly import WalkResources
from walker.batch.places import ENDS_A_BATCH, Walk
from walker.batch.predictions import Prediction, prediction_of
from walker.batch.questions import Assignment
from walker.errors import WalkerError


class Answered(msgspec.Struct, frozen=True, kw_only=True):
    """What one question of a batch came to."""

    prediction: Prediction
    state: Literal["answered", "unanswered", "failed"]


class Silence:
    """A sink for walks that report by their last line only."""

    def emit(self, event: Event) -> None:
        """Say nothing."""


class AskTask(msgspec.Struct, frozen=True):
    """Walk for one question."""

    assignment: Assignment

    async def told(self, resources: WalkResources, walk: Walk) -> Answered:
        """The answer, or why there is none. Raises `ENDS_A_BATCH`."""
        try:
            outcome = await walk(resources, self.assignment, Silence())
        except ENDS_A_BATCH:
            raise
        except WalkerError as error:
            return self.lost(str(error))
        state: Literal["answered", "unanswered"] = "answered" if outcome.answered else "unanswered"
        return Answered(prediction=prediction_of(self.assignment.id, outcome), state=state)

    def lost(self, why: str) -> Answered:
        """A failed line."""
        asked = self.assignment
        told = Prediction(id=asked.id, question=asked.question, error=why, stop_reason="failed")
        return Answered(prediction=told, state="failed")
