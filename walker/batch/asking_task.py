"""One question of a batch as a task, and what it came to."""

from __future__ import annotations

from typing import Literal

import msgspec

from walker.assembly import WalkResources
from walker.batch.places import ENDS_A_BATCH, Walk
from walker.batch.predictions import Prediction, prediction_of
from walker.batch.questions import Assignment
from walker.errors import WalkerError
from walker.run_setup import StopKeeper
from walker.seams.outcome import Outcome


class Answered(msgspec.Struct, frozen=True, kw_only=True):
    """What one question of a batch came to."""

    prediction: Prediction
    state: Literal["answered", "unanswered", "failed"]


class AskTask(msgspec.Struct, frozen=True):
    """Walk for one question."""

    assignment: Assignment

    async def told(self, resources: WalkResources, walk: Walk) -> Answered:
        """The answer, or why there is none, with what was found by then. Raises `ENDS_A_BATCH`."""
        kept = StopKeeper()
        try:
            outcome = await walk(resources, self.assignment, kept)
        except ENDS_A_BATCH:
            raise
        except WalkerError as error:
            return self._failed(str(error), kept.so_far(resources.settings.sure))
        state: Literal["answered", "unanswered"] = "answered" if outcome.answered else "unanswered"
        return Answered(prediction=prediction_of(self.assignment.id, outcome), state=state)

    def lost(self, why: str) -> Answered:
        """A failed line."""
        return self._failed(why, None)

    def _failed(self, why: str, so_far: Outcome | None) -> Answered:
        asked = self.assignment
        if so_far is not None:
            told = msgspec.structs.replace(prediction_of(asked.id, so_far), stop_reason="failed", error=why)
        else:
            told = Prediction(id=asked.id, question=asked.question, answered=False, error=why, stop_reason="failed")
        return Answered(prediction=told, state="failed")
