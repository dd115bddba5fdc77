"""One workflow under way: its task, its edges, the step it is at, and the events that it tells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from memory.findings import PageSummary
from memory.url_key import key_or
from traces.events import ActionProposed, ActionRefused, Event, MoveTaken, PageOpened, PassagesFound
from walker.seams.passage_critic import OfferedPassage
from walker.seams.protocols import TraceSink
from walker.seams.searches import is_own_page, roots_of
from walker.seams.task import Task
from walker.settings import Settings
from walker.walk.walk_events import page_summarised
from walker.workflows.workflow_edges import WorkflowEdges


def roots_given(task: Task) -> tuple[str, ...]:
    """The sites that a task names, () for none."""
    return roots_of(task.root_url) if is_own_page(task.root_url) else (task.root_url,)


class WeighedPassage(msgspec.Struct, frozen=True, kw_only=True):
    """A passage, and the chance that it bears on the question; None where nobody weighed it."""

    passage: OfferedPassage
    chance: float | None = None
    is_kept: bool = True


def as_kept(passage: OfferedPassage) -> WeighedPassage:
    """A passage that is kept without being weighed."""
    return WeighedPassage(passage=passage)


class WorkflowRun:
    """Used by one workflow for one task."""

    def __init__(self, task: Task, edges: WorkflowEdges, settings: Settings, sink: TraceSink) -> None:
        self.task, self.edges, self.settings, self.sink = task, edges, settings, sink
        self.limits = settings.workflow
        self.step = 1
        """Of the trace: 1 is the question, and each page or search after it one more."""
        self.turns = 0
        """Decisions that a person would call steps."""
        self.seen: dict[str, None] = {}
        """Addresses of the pages whose text was seen."""

    def emit(self, event: Event) -> None:
        """Tell an event."""
        self.sink.emit(event)

    def propose(self, action: str, detail: Mapping[str, Any]) -> None:
        """Tell what the model wants to do."""
        self.emit(ActionProposed(step=self.step, action=action, detail=dict(detail)))

    def refuse(self, action: str, reason: str) -> None:
        """Tell why that is not done."""
        self.emit(ActionRefused(step=self.step, action=action, reason=reason))

    def go_to(self, url: str, reason: str) -> None:
        """Tell that a page is opened next, and go on to its step."""
        self.emit(MoveTaken(step=self.step, move="Open", url=url, reason=reason))
        self.step += 1

    def opened(self, url: str, title: str) -> None:
        """Tell that a page is here that no browser opened."""
        self.emit(PageOpened(step=self.step, url=url, final_url=url, key=key_or(url, url), status=200, title=title))

    def found(self, queries: Sequence[str], weighed: Sequence[WeighedPassage], note: str = "") -> None:
        """Tell what a search found, and what of it is kept."""
        plain = tuple(_plain(one) for one in weighed)
        self.emit(PassagesFound(step=self.step, queries=tuple(queries), passages=plain, note=note))

    def summarised(self, urls: Sequence[str], summary: PageSummary) -> None:
        """Tell how pages were summarised."""
        self.emit(page_summarised(self.step, urls, summary))


def _plain(one: WeighedPassage) -> dict[str, Any]:
    passage = one.passage
    chance = {} if one.chance is None else {"chance": round(one.chance, 4)}
    return {
        "url": passage.url,
        "title": passage.title,
        "heading": " > ".join(passage.headings),
        "text": passage.text,
        "kept": one.is_kept,
        **chance,
    }
