"""An extraction over pages of paper and a scripted model, without browser and network."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from perception.document.reading import observe
from perception.observation import Observation
from perception.snapshot import Snapshot
from tests.fixtures.paper import ranker
from traces.events import Event
from walker.assembly import read_task
from walker.extraction.schemas.typed_answers import TypedOutcome
from walker.seams.chat import ChatRequest
from walker.settings import ExtractionSettings, Limits, ModelSettings, Settings, WorkflowSettings
from walker.strategies.builtin.builtin_critic import BuiltinCritic
from walker.strategies.passages.builtin_passage_critic import BuiltinPassageCritic
from walker.testing.fakes import EventList, Paper, PaperSite, ScriptedChat
from walker.workflows.answering import answer_by_workflow
from walker.workflows.workflow_edges import WorkflowEdges

ROOT = "https://shop.example/"


class _Reader:
    async def read(self, snapshot: Snapshot) -> Observation:
        return observe(snapshot)


async def extracted(
    pages: Mapping[str, str | Paper],
    schema: Mapping[str, Any],
    script: Callable[[ChatRequest], str] | None = None,
    *,
    most_pages: int = 1,
    question: str = "Extract it",
    root: str = ROOT,
) -> tuple[TypedOutcome[Any], tuple[Event, ...]]:
    """The outcome and the events of an extraction from the root on."""
    settings = Settings(
        limits=Limits(pages=most_pages),
        model=None if script is None else ModelSettings(name="test-model"),
        workflow=WorkflowSettings(name="extract"),
        extraction=ExtractionSettings(schema=json.dumps(schema)),
        scout_pages=0,
        seed="0",
    )
    edges = WorkflowEdges(
        ranker=ranker(),
        critic=BuiltinCritic(ranker()),
        passage_critic=BuiltinPassageCritic(),
        chat=None if script is None else ScriptedChat(script),
        browser=PaperSite(pages),
        reader=_Reader(),
    )
    sink = EventList()
    outcome = await answer_by_workflow(read_task(root, question), edges, settings, sink)
    assert isinstance(outcome, TypedOutcome)
    return outcome, tuple(sink.events)


def one(title: str = "Product", required: tuple[str, ...] = (), /, **fields: Any) -> dict[str, Any]:
    """The schema of one thing."""
    return {"type": "object", "title": title, "properties": dict(fields), "required": list(required)}


def many(title: str = "Product", required: tuple[str, ...] = (), /, **fields: Any) -> dict[str, Any]:
    """The schema of a list of records."""
    return {"type": "array", "items": one(title, required, **fields)}


TEXT: dict[str, Any] = {"type": "string"}
NUMBER: dict[str, Any] = {"type": "number"}
URL: dict[str, Any] = {"type": "string", "format": "uri"}
DATE: dict[str, Any] = {"type": "string", "format": "date"}
