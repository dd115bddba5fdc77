"""Samples of the workflows that do not walk: which one, over which search, and with which limits. What they do is the product's.

Their costs are measured as for walks: pages are those read for the answer, tokens those of all calls. Crawling the site for the
search index happens once for all questions and is not counted.
"""

from __future__ import annotations

import time
from pathlib import Path

import msgspec

from evaluation.dataset.pictures import picture_asked
from evaluation.dataset.question import Question
from evaluation.experiment.tool_calls import ToolCalls
from evaluation.sample import Sample
from walker.asking import answer_task, start_of
from walker.assembly import WalkResources, read_task
from walker.models.meter import money_of
from walker.seams.chat import Spent
from walker.seams.outcome import Outcome, StopReason
from walker.settings import Settings, WorkflowName, WorkflowSettings

PASSAGES = 8
"""Passages per search: 1,200 tokens."""
TURNS = 8
"""Turns of the agentic workflow, including the answer."""


async def answer_without_walk(
    resources: WalkResources, question: Question, root: str, workflow: WorkflowName, empty: Sample, library: str
) -> Sample:  # fmt: skip
    """The sample of one of these workflows; `library` is the path of the site's pages, "" for a workflow that searches none. Raises
    `EndpointUnusable`, and `LibraryFailed`."""
    settings = msgspec.structs.replace(
        resources.settings,
        workflow=WorkflowSettings(name=workflow, turns=TURNS, hits=PASSAGES, passages=PASSAGES, keep_from=0.0),
        summaries=resources.settings.summaries or False,
        library=Path(library) if library else None,
        record=False,
        sure=0.0,
    )
    began = time.monotonic()
    # Prompts are in English for all questions, so that figures of one set can be compared.
    picture = picture_asked(question)
    start = root or start_of(root, question.question, settings)
    task = read_task(start, question.question, "en", picture=None if picture is None else picture.about)
    calls, asked = ToolCalls(), resources.with_settings(settings)
    with asked.pictures.holding(picture):
        outcome = await answer_task(asked, task, calls)
    counted = msgspec.structs.replace(empty, tools=calls.by_tool)
    return _sample_of(counted, outcome, settings, time.monotonic() - began)


def _sample_of(empty: Sample, outcome: Outcome, settings: Settings, seconds: float) -> Sample:
    usage = msgspec.structs.replace(outcome.usage, seconds=round(seconds, 3))
    spent = Spent(prompt_tokens=usage.prompt_tokens, completion_tokens=usage.completion_tokens)
    assert settings.model is not None, "checked before the run"
    cost = msgspec.structs.replace(empty, usage=usage, money=money_of(spent, settings.model))
    if outcome.error:
        return msgspec.structs.replace(cost, error=outcome.error, stop_reason=StopReason.FAILED.value)
    if outcome.stop_reason is StopReason.BUDGET:
        return msgspec.structs.replace(cost, stop_reason=StopReason.BUDGET.value)
    return msgspec.structs.replace(
        cost,
        answer=outcome.answer or outcome.nearest,
        items=outcome.items,
        confidence=outcome.confidence,
        citations=outcome.citations,
        stop_reason=outcome.stop_reason.value,
        pages=outcome.pages,
        steps=outcome.steps,
    )
