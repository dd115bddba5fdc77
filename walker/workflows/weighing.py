"""Which passages of a search bear on the question."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from walker.seams.passage_critic import OfferedPassage, Weight, kept_places
from walker.strategies.pictured.pictured_question import asked_words
from walker.workflows.workflow_run import WeighedPassage, WorkflowRun


class Weighed(msgspec.Struct, frozen=True, kw_only=True):
    """Passages in the order in which they were found, and how they were weighed; "" where they were not."""

    passages: tuple[WeighedPassage, ...]
    weights: tuple[Weight, ...]
    least: float
    """Chance from which a passage is kept."""
    note: str = ""

    @property
    def kept(self) -> tuple[OfferedPassage, ...]:
        """Those that are kept."""
        return tuple(one.passage for one in self.passages if one.is_kept)


async def weighed_passages(run: WorkflowRun, found: Sequence[OfferedPassage]) -> Weighed:
    """All passages, each with its chance, kept from the chance that the settings say; from 0 all are kept, and nobody weighs them.
    Raises as the critic does."""
    least = run.limits.keep_from
    if not least or not found:
        sure = tuple(Weight(chance=1.0) for _ in found)
        return Weighed(passages=tuple(WeighedPassage(passage=one) for one in found), weights=sure, least=least)
    task = run.task
    weights = await run.edges.passage_critic.weigh(asked_words(task), found, task.language)
    kept = frozenset(kept_places(weights, least))
    notes = dict.fromkeys(f"by {one.by}" for one in weights) | dict.fromkeys(one.note for one in weights if one.note)
    return Weighed(
        passages=tuple(
            WeighedPassage(passage=passage, chance=weight.chance, is_kept=place in kept)
            for place, (passage, weight) in enumerate(zip(found, weights, strict=True))
        ),
        weights=weights,
        least=least,
        note="; ".join(notes),
    )
