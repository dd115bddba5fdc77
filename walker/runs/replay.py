"""Replay and resume of recorded walks."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path
from typing import Any

import msgspec

from memory.counting.requirement import Requirement
from perception.page_pictures import Shares
from traces.compare.matching import Certificate, Mismatch, Rung
from traces.errors import TraceReadError
from traces.events import EdgeCall, PageOpened, PictureAsked, ReplayWarning, WalkEnded, WalkStarted
from traces.reading.reader import Run, read_run
from traces.recorded_calls import RecordedCalls
from traces.replay_warnings import replay_warnings_of, summarize_warnings
from traces.store.blobs import BlobRef
from traces.store.mirror import address_of
from traces.store.recorder import Recorder
from walker.asked_picture.picture_file import AskedPicture
from walker.asking import answer_task, seal_outcome
from walker.assembly import WalkResources, make_rules
from walker.browser.page.live_reader import LiveReader
from walker.errors import Divergence, UsageError, WalkerError
from walker.handover.whom_to_ask import asks_in
from walker.recording.fault import TRACEBACK_NAME, one_line_for_a_fault
from walker.recording.recording import Recording, RecordingEnded
from walker.recording.recording_proxies import ComparingSink, RecordedChat, ResumingSink, spent_on, with_recording
from walker.run_setup import RunListener, Tee, make_redactor, restored_settings, trace_errors, walk_and_close
from walker.runs.recorded_run import open_run
from walker.seams.chat import Spent
from walker.seams.outcome import Outcome
from walker.seams.protocols import Edges, TraceSink
from walker.seams.search_protocols import QuestionPicture
from walker.seams.task import Task
from walker.search.walk_scope import may_search
from walker.session.recorded_session import KIND as SESSION
from walker.session.recorded_session import RecordedSession, is_session
from walker.settings import Settings
from walker.walk.walk_state import Rules
from walker.workflows.answering import answer_by_workflow, check_workflow
from walker.workflows.workflow_assembly import LiveWorkflow, edges_over


class ReplayReport(msgspec.Struct, frozen=True, kw_only=True):
    """What a replay covered; all of it was equal, else it would have stopped."""

    run: str
    events: int
    calls: int
    pages: int
    seconds: float
    walk_seconds: float
    outcome: Outcome | None = None
    ended_with: str = ""
    """What interrupted the walk, "" if it ended."""
    problems: tuple[str, ...] = ()
    is_altered: bool = False
    """Whether a problem is more than a last line that a kill cut off: the record is not what the walk wrote."""
    certificate: Certificate = Certificate()
    """Fidelity of the recorded answers."""
    mismatches: tuple[Mismatch, ...] = ()
    """Calls answered from the recording of another request, where that was allowed."""
    doubts: tuple[ReplayWarning, ...] = ()
    """Replay warnings from the recording: why a browser may not show the same pages again."""


class _Nowhere:
    """An edge that must not be called: everything comes from the recording."""

    def __getattr__(self, name: str) -> Any:
        async def refuse(*_: object, **__: object) -> Any:
            raise Divergence(f"{name} is not in the recording", advice="A replay never goes to the network")

        return refuse

    async def close(self) -> None:
        """Does nothing: nothing is open."""


class Replay:
    """Replays one walk from its recording alone. `tolerance` is how much a request may differ from the recorded one."""

    def __init__(self, run: Run, tolerance: Rung = "exact") -> None:
        self.run, self.task = run, task_of(run)
        self.is_session = is_session(run)
        self.settings = restored_settings(run.manifest.settings, Settings(), kind=SESSION if self.is_session else "")
        self.recording = Recording(recorded_calls=RecordedCalls(run.events), blobs=run.blobs, may_go_live=False)
        self.recording.tolerance = tolerance
        self.sink = ComparingSink(run, self.recording)

    async def follow(self, *, deep: bool = False, progress: TraceSink | None = None) -> ReplayReport:
        """Run it to its end; raises `Divergence` at the first difference. See `replay_run`."""
        started = time.perf_counter()
        run, outcome, ended_with = self.run, None, ""
        async with WalkResources(self.settings) as resources:
            try:
                if self.is_session:
                    await RecordedSession(run, self.recording, self.sink, progress).repeat(deep=deep)
                else:
                    outcome = await self._answer(resources, Tee(self.sink, progress), deep=deep)
            except RecordingEnded as end:
                if self._has_end:
                    what = "the walk goes on, but its recording has ended"
                    raise Divergence(what, where=end.where, step=end.step, place="end") from None
                ended_with = end.what
            except Divergence as error:
                if not self._is_altered:
                    raise
                advice = "The recording is not what the walk wrote; walker verify names the lines"
                raise Divergence(
                    error.what,
                    where=error.where,
                    advice=advice,
                    step=error.step,
                    place=error.place,
                    difference=error.difference,
                ) from None
            except WalkerError as error:
                ended_with = str(error)
        if not ended_with and not self.sink.is_done:
            raise Divergence("the walk ended, but the recording goes on", where=str(run.folder))
        doubts = replay_warnings_of(run.events)
        return ReplayReport(
            run=address_of(run.folder),
            events=self.sink.compared,
            calls=self.recording.answered,
            pages=sum(isinstance(event, PageOpened) for event in run.events),
            seconds=round(time.perf_counter() - started, 4),
            walk_seconds=round(run.seconds, 3),
            outcome=None
            if outcome is None
            else msgspec.structs.replace(
                outcome,
                trace=address_of(run.folder),
                doubts=summarize_warnings(doubts),
                usage=msgspec.structs.replace(outcome.usage, seconds=round(run.seconds, 3)),
            ),
            ended_with=ended_with,
            problems=run.problems,
            is_altered=self._is_altered,
            certificate=self.recording.certificate,
            mismatches=tuple(self.recording.mismatches),
            doubts=doubts,
        )

    @property
    def _is_altered(self) -> bool:
        """Whether the recording is not what the walk wrote; a last line that a crash tore is no alteration."""
        return len(self.run.problems) > (1 if self.run.torn_bytes else 0)

    @property
    def _has_end(self) -> bool:
        return any(isinstance(event, WalkEnded) for event in self.run.events)

    async def _answer(self, resources: WalkResources, sink: TraceSink, *, deep: bool) -> Outcome:
        """The walk again, or the workflow, whose every decision is derived again in any case."""
        if self.settings.workflow.name == "walk":
            edges, rules = self.edges(resources, deep=deep)
            return await walk_and_close(self.task, edges, rules, sink)
        nowhere: Any = _Nowhere()
        if deep:
            self.recording.rederived = frozenset(("reader",))
        spent = spent_on(calls_of(self.run), self.run.blobs.get)
        asked = {call.seam for call in calls_of(self.run)}
        # One that was killed before its first page asked nothing.
        by_browser = "browser" in asked or self.settings.workflow.name == "extract"
        live = LiveWorkflow(
            chat=nowhere if self.settings.model is not None else None,
            passages=None if by_browser and "passages" not in asked else nowhere,
            browser=nowhere if by_browser else None,
            reader=LiveReader() if deep else nowhere,
            handover=nowhere if "handover" in asked else None,
            code=nowhere if self.settings.code and self.settings.workflow.name == "agentic" else None,
            spent=lambda: spent,
        )
        with resources.pictures.holding(asked_picture_of(self.run)):
            again = edges_over(resources, self.task, live, self.recording)
        return await answer_by_workflow(self.task, again, self.settings, sink)

    def edges(self, resources: WalkResources, *, deep: bool = False) -> tuple[Edges, Rules]:
        """Edges that answer from the recording, and the rules of the walk. Raises `UsageError` for a session, which has none."""
        if self.is_session:
            advice = "Look at its steps with: walker view"
            raise UsageError("a session decides nothing between its calls", where=self.run.folder.name, advice=advice)
        nowhere: Any = _Nowhere()
        rules = make_rules(self.task, resources.settings, resources)
        rules = msgspec.structs.replace(rules, prefetch=None, looks_back=looks_back_in(self.run))
        parts: dict[str, Any] = dict.fromkeys(("browser", "reader", "vision", "explorer", "critic"), nowhere)
        settings = resources.settings
        optional = (
            ("analyst", is_analysed(self.run)),
            ("vision_model", settings.vision is not None),
            ("summariser", settings.summarises),
            ("code", settings.code),
            ("handover", settings.hand_over),
            ("person", settings.ask_me),
        )
        parts |= {name: nowhere for name, is_used in optional if is_used}
        if deep:
            self.recording.rederived = frozenset(("reader", "analyst", "explorer", "critic", "summariser"))
            chat = RecordedChat(nowhere, self.recording)
            with resources.pictures.holding(asked_picture_of(self.run)):
                pictures = resources.pictures.sent_in_walk(self.task, resources.settings)
            reach = may_search(self.task, resources.settings)
            explorer, critic = resources.strategies(chat, may_search=reach, pictures=pictures)
            parts |= {"reader": LiveReader(), "explorer": explorer, "critic": critic}
            if is_analysed(self.run):
                parts["analyst"] = resources.analyst(chat)
            if resources.settings.summarises:
                parts["summariser"] = resources.summariser(chat)
        spent = spent_on(calls_of(self.run), self.run.blobs.get)
        return with_recording(Edges(**parts, spent=lambda: spent), self.recording), rules


async def replay_run(
    folder: Path, *, deep: bool = False, progress: TraceSink | None = None, tolerance: Rung = "exact"
) -> ReplayReport:
    """Run a recorded walk again with no browser and no network; raises `Divergence` at the first difference.

    Scores, gate decisions, counts, stack moves and policy decisions are computed again. Pages, observations and the answers
    of explorer and critic come from the recording; with `deep` only the pages do, and the rest is run again.
    """
    return await Replay(open_run(folder), tolerance).follow(deep=deep, progress=progress)


async def resume_run(
    folder: Path, *, settings: Settings, progress: TraceSink | None = None, shared: WalkResources | None = None
) -> Outcome:
    """Resume an interrupted walk: from its recording first, then live, in the browser that is `shared` if one is. For a walk that
    ended, its outcome is returned."""
    run = open_run(folder)
    if any(isinstance(event, WalkEnded) for event in run.events):
        report = await replay_run(folder, progress=progress)
        assert report.outcome is not None, "a walk that ended has an outcome"
        return report.outcome
    task, settings = task_of(run), restored_settings(run.manifest.settings, settings)
    before, started = run.seconds, time.monotonic()
    with trace_errors():
        redactor = make_redactor(settings, folder.parent)
        recorder = Recorder.resume(folder, clock=time.time, redactor=redactor, durability=settings.durability)
        with contextlib.closing(recorder), one_line_for_a_fault(recorder.folder / TRACEBACK_NAME, recorder.redactor):
            asks_in(recorder.folder)
            if isinstance(progress, RunListener):
                progress.began(recorder.folder)
            run = read_run(folder)
            recording = Recording(recorded_calls=RecordedCalls(run.events), blobs=run.blobs, recorder=recorder)
            sink = ResumingSink(ComparingSink(run, recording), recorder)
            spent, picture = spent_on(calls_of(run), run.blobs.get), asked_picture_of(run)
            async with contextlib.AsyncExitStack() as own:
                if shared is None:
                    resources = await own.enter_async_context(WalkResources(settings))
                else:
                    resources = shared.with_settings(settings)
                with resources.pictures.holding(picture):
                    outcome = await go_on(
                        resources,
                        task,
                        (recording, spent),
                        Tee(sink, progress),
                        analysed=is_analysed(run),
                        looks_back=looks_back_in(run),
                    )
            seconds = round(before + time.monotonic() - started, 3)
            outcome = msgspec.structs.replace(outcome, usage=msgspec.structs.replace(outcome.usage, seconds=seconds))
            return seal_outcome(recorder, outcome, (*replay_warnings_of(run.events), *recording.warnings))


async def go_on(
    resources: WalkResources,
    task: Task,
    recorded: tuple[Recording, Spent],
    sink: TraceSink,
    *,
    analysed: bool,
    looks_back: bool,
) -> Outcome:
    """A walk or a workflow that begins with a recording and what it has cost; `analysed`: whether the walk was told what its question
    asks for; `looks_back`: whether it would go back to pictures."""
    recording, spent = recorded
    settings = resources.settings
    if settings.workflow.name != "walk":
        check_workflow(task, settings)
        return await answer_task(resources, task, sink, recording, spent)
    edges = resources.recorded_edges(task, recording, spent)
    edges = edges if analysed else msgspec.structs.replace(edges, analyst=None)
    rules = make_rules(task, settings, resources)
    rules = msgspec.structs.replace(rules, looks_back=rules.looks_back and looks_back)
    return await walk_and_close(task, edges, rules, sink)


def looks_back_in(run: Run) -> bool:
    """Whether a recorded walk would go back to pictures before it ends unsure: those of earlier versions do not."""
    started = next((event for event in run.events if isinstance(event, WalkStarted)), None)
    return started is not None and bool(started.settings.get("looks_back"))


def task_of(run: Run) -> Task:
    """The task that a run was given."""
    picture = picture_of_run(run)
    for event in run.events:
        if isinstance(event, WalkStarted):
            return Task(
                picture=picture,
                question=event.question,
                root_url=event.root_url,
                language=event.language,
                requirement=msgspec.convert(event.requirement, Requirement),
            )
    raise UsageError("nothing was recorded before the walk was interrupted", where=str(run.folder), advice="Ask again")


def picture_of_run(run: Run) -> QuestionPicture | None:
    """The picture of the question, without its bytes; None for a walk of a question without one."""
    asked = next((event for event in run.events if isinstance(event, PictureAsked)), None)
    if asked is None:
        return None
    file = msgspec.convert(asked.file, BlobRef)
    return QuestionPicture(
        digest=file.digest.removeprefix("sha256:"),
        media_type=file.media,
        width=asked.width,
        height=asked.height,
        size=file.size,
        box=msgspec.convert(asked.box, Shares) if asked.box else None,
    )


def asked_picture_of(run: Run) -> AskedPicture | None:
    """The picture of the question with its bytes, as they were recorded. Raises `UsageError` where they are missing or altered."""
    about = picture_of_run(run)
    if about is None:
        return None
    try:
        data = run.blobs.get(BlobRef(digest=f"sha256:{about.digest}", size=about.size, media=about.media_type))
    except TraceReadError as error:
        advice = "The recording is damaged; restore it from a backup, or ask again"
        raise UsageError(error.what, where=error.where, advice=advice) from None
    return AskedPicture(about=about, data=data)


def is_analysed(run: Run) -> bool:
    """Whether the walk was told what its question asks for, or ended before it could be: walks of older versions were not."""
    asked = {event.seam for event in run.events if isinstance(event, EdgeCall)}
    return "analyst" in asked or not asked & {"critic", "explorer"}


def calls_of(run: Run, last_step: int | None = None) -> tuple[EdgeCall, ...]:
    """The recorded edge calls of a run, up to a step."""
    calls = (event for event in run.events if isinstance(event, EdgeCall))
    return tuple(call for call in calls if last_step is None or call.step <= last_step)
