"""The edge that summarises pages for a goal, in two stages: each page, then all pages of a search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from memory.findings import PageSummary
from walker.seams.passage_source import WholePage
from walker.seams.task import Task


class Summariser(Protocol):
    """Summarises what was read. Implementations pass tests/contracts/test_summariser.py. Both methods raise `EndpointUnusable` or
    `BudgetSpent` if they use a model."""

    async def summarise(self, task: Task, goal: str, page: WholePage, step: int) -> PageSummary:
        """The page for this goal: every quote of the evidence stands on it, and the summary has at most `SENTENCES` sentences. `step`
        is that of the walk."""
        ...

    async def join(self, task: Task, goal: str, summaries: Sequence[PageSummary], step: int) -> PageSummary:
        """The summaries of several pages as one for this goal; its evidence is theirs. An empty one for none."""
        ...
