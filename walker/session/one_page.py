"""The extraction workflow over one page that is there already."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from perception.observation import Observation
from perception.snapshot import Snapshot
from traces.events import Event, FieldsExtracted, FindingsAdded, Judged
from walker.errors import PageNotOpened
from walker.extraction.page_merging import merged_fields, new_records
from walker.extraction.schemas.json_schema import wanted_of
from walker.extraction.schemas.typed_answers import TypedOutcome
from walker.extraction.schemas.wanted import Wanted, WantedObject, leaves_of, records_of
from walker.flows.shown_page import ShownPage
from walker.seams.outcome import StopReason
from walker.seams.protocols import Browser, TraceSink
from walker.seams.task import Task
from walker.session.edges import SessionEdges
from walker.settings import ExtractionSettings, Settings
from walker.strategies.builtin.builtin_critic import BuiltinCritic
from walker.strategies.model.model_talk import ModelTalk
from walker.strategies.passages.builtin_passage_critic import BuiltinPassageCritic
from walker.workflows.extract.extracted_page import PageExtractor, Visited
from walker.workflows.extract.extracting import Extracted, is_done
from walker.workflows.extract.typed_outcome import end_extraction
from walker.workflows.workflow_edges import WorkflowEdges
from walker.workflows.workflow_run import WorkflowRun

REPAIRS = 1
_TOLD = (FieldsExtracted, FindingsAdded, Judged)
"""Events of an extraction that a session tells: it opens no page, and does not end with it."""


class _PresentPage:
    """A browser and a reader that have one page, which is open."""

    def __init__(self, page: ShownPage, browser: Browser) -> None:
        self._page, self._browser = page, browser

    async def open(self, _url: str) -> Snapshot:
        """The page."""
        return self._page.snapshot

    async def read(self, _snapshot: Snapshot) -> Observation:
        """What was read of it."""
        return self._page.observation

    async def see(self, **given: Any) -> Any:
        """A picture of it."""
        return await self._browser.see(**given)


class _Told:
    def __init__(self, sink: TraceSink) -> None:
        self._sink = sink

    def emit(self, event: Event) -> None:
        """Hand on what a session tells."""
        if isinstance(event, _TOLD):
            self._sink.emit(event)


class PageExtraction(msgspec.Struct, frozen=True, kw_only=True):
    """What is extracted from which page, and who is told."""

    task: Task
    page: ShownPage
    schema: Mapping[str, Any]
    step: int
    sink: TraceSink


async def extract_from_page(asked: PageExtraction, edges: SessionEdges, settings: Settings) -> TypedOutcome[Any]:
    """What a page gives for a JSON Schema. Raises `UsageError` for one that cannot be filled in, and what the model raises."""
    page = asked.page
    wanted = wanted_of(asked.schema)
    present: Any = _PresentPage(page, edges.browser)
    settings = msgspec.structs.replace(settings, extraction=ExtractionSettings(schema="", boxes=True))
    ranker = edges.ranker()
    workflow = WorkflowEdges(
        ranker=ranker,
        critic=BuiltinCritic(ranker),
        passage_critic=BuiltinPassageCritic(),
        chat=edges.chat,
        browser=present,
        reader=present,
        spent=edges.spent,
    )
    run = WorkflowRun(asked.task, workflow, settings, _Told(asked.sink))
    run.step = asked.step - 1
    talk = None
    if settings.model is not None and edges.chat is not None:
        talk = ModelTalk(edges.chat, settings.model, settings.seed, repairs=REPAIRS)
    extractor = PageExtractor(run, wanted, talk)
    is_one = records_of(wanted) is None
    missing = tuple(path for path, _ in leaves_of(wanted)) if is_one else ()
    visited = await extractor.visit(page.url, "it is open", missing=missing)
    if visited is None:
        raise PageNotOpened(extractor.failures[-1], where=page.url, advice="Open another page")
    return end_extraction(run, _extracted(visited, wanted, extractor.refused))


def _extracted(visited: Visited, wanted: Wanted, refused: tuple[str, ...]) -> Extracted:
    page, listed = visited.page, records_of(wanted)
    if listed is not None:
        records = new_records([], page)[: listed.most]
        stop = StopReason.ANSWERED if records else StopReason.EXHAUSTED
        urls = (page.url,) * len(records)
        return Extracted(wanted=wanted, filled=records, pages=urls, stop=stop, reason=page.reason, refused=refused)
    assert isinstance(wanted, WantedObject), "a schema is an object or a list of objects"
    filled = merged_fields([page], wanted)
    stop = StopReason.ANSWERED if is_done(filled, wanted) else StopReason.EXHAUSTED
    return Extracted(wanted=wanted, filled=filled, stop=stop, refused=refused)
