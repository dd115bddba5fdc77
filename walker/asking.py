"""Asking a question of a site: the public way in, for programs and for the command line."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar, Unpack, cast, overload

import msgspec

from traces.events import ReplayWarning
from traces.replay_warnings import summarize_warnings
from traces.store.recorder import Recorder
from walker.asked_picture.picture_file import AskedPicture, read_picture
from walker.asked_picture.question_pictures import with_picture_search
from walker.assembly import WalkResources, make_rules, read_task
from walker.errors import UsageError
from walker.extraction.schemas.program_schema import typed_schema
from walker.extraction.schemas.schema_settings import as_typed, with_schema
from walker.extraction.schemas.typed_answers import TypedOutcome
from walker.handover.advice import advice_for
from walker.handover.their_session import with_their_session
from walker.handover.whom_to_ask import asks_in
from walker.library.opening import opened_library
from walker.programs.named_settings import SettingNames, settings_by_name
from walker.recording.fault import TRACEBACK_NAME, one_line_for_a_fault
from walker.recording.recording import Recording
from walker.recording.recording_proxies import RecordingSink
from walker.run_setup import (
    RunListener,
    Tee,
    make_redactor,
    new_recorder,
    trace_errors,
    walk_and_close,
    without_secrets,
)
from walker.seams.chat import Spent
from walker.seams.outcome import Outcome
from walker.seams.protocols import TraceSink
from walker.seams.searches import is_search, search_address, start_address
from walker.seams.task import Task
from walker.settings import Settings
from walker.workflows.answering import answer_by_workflow, check_workflow
from walker.workflows.workflow_assembly import workflow_edges

T = TypeVar("T")
Roots = str | Sequence[str]
"""The address of a site, or several."""
GivenPicture = Path | str | bytes
"""The path of a picture's file, or the bytes of one."""


class AskOptions(SettingNames, total=False):
    """Settings by name, and who is told what happens."""

    progress: TraceSink | None
    """Receives every event as it happens."""


class SyncOptions(AskOptions, total=False):
    """The same, with the picture of a question."""

    picture: GivenPicture | None
    box: Sequence[float] | None


@overload
async def ask(
    root: Roots,
    question: str,
    *,
    schema: None = None,
    picture: GivenPicture | None = None,
    box: Sequence[float] | None = None,
    settings: Settings | None = None,
    **named: Unpack[AskOptions],
) -> Outcome: ...


@overload
async def ask(
    root: Roots,
    question: str,
    *,
    schema: type[T],
    picture: GivenPicture | None = None,
    box: Sequence[float] | None = None,
    settings: Settings | None = None,
    **named: Unpack[AskOptions],
) -> TypedOutcome[T]: ...


@overload
async def ask(
    root: Roots,
    question: str,
    *,
    schema: Mapping[str, Any],
    picture: GivenPicture | None = None,
    box: Sequence[float] | None = None,
    settings: Settings | None = None,
    **named: Unpack[AskOptions],
) -> TypedOutcome[Any]: ...


async def ask(
    root: Roots,
    question: str,
    *,
    schema: Any = None,
    picture: GivenPicture | None = None,
    box: Sequence[float] | None = None,
    settings: Settings | None = None,
    **named: Unpack[AskOptions],
) -> Outcome:
    """Answer a question by walking the site under `root`, or the sites of several; with "" as the root from what a library holds, or
    a search finds.

    `picture` is what the question is about ("Who built this?"): a PNG, JPEG, WebP or GIF file, or its bytes; `box` is the part of it
    that is meant, left, top, right and lower edge in shares 0..1.

    With a `schema` (a pydantic model, a TypedDict, a dataclass or a JSON Schema) the answer is a `TypedOutcome`: `data` in that form,
    `fields` with the quote and the page of each value, and what is `missing`. Nothing is guessed, with a model neither.

    `named` are settings by the names of the flags of `walker ask` (`max_pages=10, model="qwen3:8b"`), and `progress`, which receives
    every event as it happens. Raises a `WalkerError` whose text is one line for a person: no address, no page at the root, no picture,
    no browser, no room for the trace.
    """
    progress = named.pop("progress", None)
    used = settings_by_name(settings or Settings(), cast("SettingNames", named))
    typed = None if schema is None else typed_schema(schema)
    used = used if typed is None else with_schema(used, typed)
    asked = None if picture is None else read_picture(picture, box)
    root = start_of(root, question, used)
    read_task(root, question, used.language)  # invalid questions are refused before a browser starts
    async with WalkResources(used) as resources:
        outcome = await ask_in(resources, root, question, language=used.language, progress=progress, picture=asked)
    return outcome if typed is None else as_typed(outcome, typed)


@overload
def ask_sync(
    root: Roots, question: str, *, schema: None = None, settings: Settings | None = None, **given: Unpack[SyncOptions]
) -> Outcome: ...


@overload
def ask_sync(
    root: Roots, question: str, *, schema: type[T], settings: Settings | None = None, **given: Unpack[SyncOptions]
) -> TypedOutcome[T]: ...


@overload
def ask_sync(
    root: Roots,
    question: str,
    *,
    schema: Mapping[str, Any],
    settings: Settings | None = None,
    **given: Unpack[SyncOptions],
) -> TypedOutcome[Any]: ...


def ask_sync(
    root: Roots, question: str, *, schema: Any = None, settings: Settings | None = None, **given: Unpack[SyncOptions]
) -> Outcome:
    """`ask` for programs without `await`. Where an event loop is running (a notebook, a web server) it walks in a thread of its own,
    and the loop waits."""
    outcome: Outcome = run_to_end(lambda: ask(root, question, schema=schema, settings=settings, **given))
    return outcome


def run_to_end(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a coroutine to its end, whether or not this thread has an event loop."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work())
    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(lambda: asyncio.run(work())).result()


async def ask_in(
    resources: WalkResources,
    root: Roots,
    question: str,
    *,
    language: str = "",
    progress: TraceSink | None = None,
    picture: AskedPicture | None = None,
) -> Outcome:
    """One of many questions that share a browser. An unexpected error ends this question only, as `WalkCrashed`."""
    started = time.monotonic()
    if picture is not None and (settings := with_picture_search(resources.settings)) is not resources.settings:
        resources = resources.with_settings(settings)
    if resources.browsers.running is not None:
        asked = [url for url in _several(root) if url.startswith("http")]
        resources = resources.with_settings(await with_their_session(resources.settings, resources.browsers, asked))
    if picture is not None:
        await resources.pictures.check()
    task = read_task(
        start_of(root, question, resources.settings),
        question,
        language or resources.settings.language,
        counter=resources.settings.components.counter,
        picture=None if picture is None else picture.about,
    )
    with resources.pictures.holding(picture):
        outcome = await _asked(resources, task, picture, progress)
    usage = msgspec.structs.replace(outcome.usage, seconds=round(time.monotonic() - started, 3))
    return msgspec.structs.replace(outcome, usage=usage, advice=advice_for(outcome, task.root_url, resources.settings))


async def _asked(
    resources: WalkResources,
    task: Task,
    picture: AskedPicture | None,
    progress: TraceSink | None,
) -> Outcome:
    settings = resources.settings
    check_workflow(task, settings)
    if not settings.record:
        with one_line_for_a_fault(None):
            return await answer_task(resources, task, Tee(progress))
    with trace_errors():
        task = without_secrets(task, make_redactor(settings, settings.runs_folder))
        recorder = new_recorder(task, settings)
        with contextlib.closing(recorder), one_line_for_a_fault(recorder.folder / TRACEBACK_NAME, recorder.redactor):
            asks_in(recorder.folder)
            if isinstance(progress, RunListener):
                progress.began(recorder.folder)
            if picture is not None:
                recorder.put(picture.data, picture.about.media_type)
            return await _recorded(resources, task, recorder, progress)


def start_of(root: Roots, question: str, settings: Settings) -> Roots:
    """The roots, or the search for the question where there are none. Raises `LibraryFailed` for a library that cannot be used, and
    `UsageError` for a search that leads nowhere."""
    is_searched = all(not one.strip() or is_search(one) for one in _several(root))
    beyond, library = settings.beyond, settings.library
    if beyond.open and beyond.search is None and library is None:
        raise UsageError("--open opens what a search finds", advice="Name one too: --search URL, or --library FILE")
    if library is None and (not is_searched or beyond.search is None):
        return start_address(()) if is_searched and settings.workflow.name != "walk" else root
    if is_searched and library is None and not beyond.open and not beyond.also:
        raise UsageError(
            "what the search finds may not be opened",
            advice="Allow it with --open, name hosts with --also HOST, or give a ROOT",
        )
    if library is not None:
        with opened_library(library, writable=not is_searched and settings.workflow.name == "walk"):
            pass
    return search_address(question) if is_searched else root


def _several(root: Roots) -> Sequence[str]:
    return (root,) if isinstance(root, str) else root


async def _recorded(resources: WalkResources, task: Task, recorder: Recorder, progress: TraceSink | None) -> Outcome:
    recording = Recording(recorder=recorder)
    sink = Tee(RecordingSink(recorder, recording), progress)
    outcome = await answer_task(resources, task, sink, recording)
    sealed = seal_outcome(recorder, outcome, recording.warnings)
    await _add_pictures(resources.settings, task, recorder.folder)
    return sealed


async def _add_pictures(settings: Settings, task: Task, run: Path) -> None:
    """Add to the library that a walk filled the pictures that its pages loaded, which are there where its network was recorded. Raises
    `LibraryFailed`."""
    if settings.library is None or not settings.network or settings.workflow.name != "walk" or is_search(task.root_url):
        return
    # WARC files, PDF and local features: most walks need none.
    sources = importlib.import_module("walker.library.sources")
    with opened_library(settings.library, writable=True) as library:
        await sources.add_source(library, run)


async def answer_task(
    resources: WalkResources,
    task: Task,
    sink: TraceSink,
    recording: Recording | None = None,
    spent: Spent | None = None,
) -> Outcome:
    """The outcome of a walk, or of the workflow that the settings name, with a recording if one is given. `spent` is what it has cost
    already. Raises a `WalkerError`."""
    settings = resources.settings
    if settings.workflow.name != "walk":
        edges = workflow_edges(resources, task, recording, spent)
        return await answer_by_workflow(task, edges, settings, sink)
    walked = resources.edges(task) if recording is None else resources.recorded_edges(task, recording, spent)
    return await walk_and_close(task, walked, make_rules(task, settings, resources), sink)


def seal_outcome(recorder: Recorder, outcome: Outcome, warnings: Sequence[ReplayWarning]) -> Outcome:
    """Mark the run as ended; the outcome then names its folder and its replay warnings."""
    recorder.seal(outcome.stop_reason.value, {"pages": outcome.pages, "steps": outcome.steps})
    return msgspec.structs.replace(outcome, trace=recorder.place, doubts=summarize_warnings(warnings))
