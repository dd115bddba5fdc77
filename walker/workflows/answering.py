"""Answers a task by one of the workflows: recorded, told as events, and ended with an outcome as a walk is."""

from __future__ import annotations

from typing import Any, assert_never

import msgspec

from walker.errors import BudgetSpent, Divergence, TraceUnwritable, UsageError
from walker.seams.outcome import Outcome, StopReason
from walker.seams.protocols import TraceSink
from walker.seams.task import Task
from walker.settings import Settings
from walker.strategies.model.model_talk import ModelTalk, NoUsableReply
from walker.walk.walk_events import picture_asked, walk_failed, walk_started
from walker.workflows.agentic import answer_in_turns
from walker.workflows.concluding import NOTHING, Ended, end_run, stopped_run
from walker.workflows.direct import answer_directly
from walker.workflows.extract.extracting import Extracted, extract_fields
from walker.workflows.extract.typed_outcome import end_extraction, stopped_extraction
from walker.workflows.retrieval import answer_from_search
from walker.workflows.shown_pictures import PicturedChat
from walker.workflows.workflow_edges import WorkflowEdges
from walker.workflows.workflow_run import WorkflowRun, roots_given

REPAIRS = 1
"""How often an unusable reply is sent back with the reason."""


async def answer_by_workflow(task: Task, edges: WorkflowEdges, settings: Settings, sink: TraceSink) -> Outcome:
    """The outcome of the workflow that the settings name; the edges are closed in any case. A model whose replies cannot be used ends
    it as failed, a spent budget as what it is. Raises `EndpointUnusable`, `BrowserUnavailable`, `RootUnreachable`."""
    run = WorkflowRun(task, edges, settings, sink)
    so_far: list[Extracted] = []
    try:
        run.emit(walk_started(task, _told_settings(settings)))
        if task.picture is not None:
            run.emit(picture_asked(task.picture))
        if settings.workflow.name == "extract":
            return end_extraction(run, await _extracted(run, so_far))
        return end_run(run, await _ended(run))
    except BaseException as error:
        if not isinstance(error, TraceUnwritable | Divergence):
            if so_far:
                run.emit(stopped_extraction(run, so_far[-1]))
            elif run.seen:
                run.emit(stopped_run(run))
            run.emit(walk_failed(run.step, error))
        raise
    finally:
        await edges.close()


def check_workflow(task: Task, settings: Settings) -> None:
    """Raises `UsageError` for a workflow without what it needs, before anything is started."""
    name = settings.workflow.name
    if name == "extract" and (settings.extraction is None or not roots_given(task)):
        raise UsageError("there is nothing to fill in", where="schema", advice="Give an address and a schema")
    if settings.model is None and name in ("direct", "agentic"):
        raise UsageError(f"the workflow {name} needs a model", where="--workflow", advice="Add --model NAME")
    if settings.code and name in ("direct", "retrieval"):
        raise UsageError(
            f"the workflow {name} takes one turn and runs no code",
            where="--code",
            advice="Take --workflow agentic, or walk",
        )
    if settings.model is None and settings.workflow.weigh_by == "model" and name == "retrieval":
        raise UsageError(
            "passages are weighed by a model, and there is none", where="--weigh-by", advice="Add --model NAME"
        )
    if name not in ("retrieval", "agentic") or settings.library is not None:
        return
    if settings.beyond.search is None and not (roots_given(task) and settings.scouts):
        raise UsageError(
            f"the workflow {name} has nothing to search",
            where="--workflow",
            advice="Give --library FILE, --search URL, or a ROOT without --no-scout",
        )


def _told_settings(settings: Settings) -> dict[str, Any]:
    told = {"workflow": msgspec.to_builtins(settings.workflow)}
    return told if settings.extraction is None else {**told, "extraction": msgspec.to_builtins(settings.extraction)}


async def _extracted(run: WorkflowRun, so_far: list[Extracted]) -> Extracted:
    model, chat = run.settings.model, run.edges.chat
    talk = None
    if model is not None and chat is not None:
        talk = ModelTalk(chat, model, run.settings.seed, repairs=REPAIRS)
    return await extract_fields(run, talk, so_far.append)


async def _ended(run: WorkflowRun) -> Ended:
    model, chat = run.settings.model, run.edges.chat
    try:
        if model is None or chat is None:
            return await answer_from_search(run, None)
        shown = PicturedChat(chat, run.edges.pictures)
        return await _answered(run, ModelTalk(shown, model, run.settings.seed, repairs=REPAIRS), shown)
    except BudgetSpent as error:
        return Ended(conclusion=NOTHING, stop=StopReason.BUDGET, reason=str(error))
    except NoUsableReply as error:
        return Ended(
            conclusion=NOTHING,
            stop=StopReason.FAILED,
            reason="the model gave no usable reply",
            error=f"the model gave no usable reply: {error}",
        )


async def _answered(run: WorkflowRun, talk: ModelTalk, shown: PicturedChat) -> Ended:
    name = run.settings.workflow.name
    match name:
        case "direct":
            return await answer_directly(run, talk)
        case "retrieval":
            return await answer_from_search(run, talk)
        case "agentic":
            return await answer_in_turns(run, talk, shown)
        case "walk" | "extract":
            raise AssertionError("neither is answered here")
        case _:
            assert_never(name)
