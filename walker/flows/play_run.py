"""Plays a script file from its start to its report: browser, recording, patch."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Mapping

import msgspec

from memory.url_key import key_of
from traces.events import (
    ElementLocated,
    MoveTaken,
    PageFailed,
    PageOpened,
    StackMoved,
    WalkEnded,
    WalkStarted,
)
from walker.assembly import WalkResources, read_task
from walker.errors import UsageError
from walker.files.atomic_output import write_output
from walker.flows.model_locating import ModelLocating
from walker.flows.playing import Played, Player, StepPlayed
from walker.flows.script import START, FlowScript
from walker.flows.script_file import FlowFile, patch_of, script_of, with_steps
from walker.flows.shown_page import ShownPage
from walker.recording.recording import Recording
from walker.recording.recording_proxies import RecordedChat, RecordingSink, recorded_pages
from walker.rules.scope import check_root
from walker.run_setup import Tee, new_recorder, recorded_settings, trace_errors
from walker.seams.chat import Spent
from walker.seams.protocols import TraceSink
from walker.settings import Settings
from walker.strategies.model.model_talk import ModelTalk

PATCH = ".patch"


class PlayOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How a script is played."""

    values: dict[str, str] = {}
    """Of its variables, by name; `start` for the address of the first page."""
    heals: bool = True
    applies: bool = False
    """Write healed steps into the script, in place of a patch beside it."""


class PlayReport(msgspec.Struct, frozen=True, kw_only=True):
    """What came of playing a script file."""

    script: str
    played: Played
    patch: str = ""
    """File that proposes the healed steps, "" where none was healed or they are applied."""
    diff: str = ""
    """What it says."""
    applied: bool = False
    trace: str = ""
    """Folder of the recorded run, "" if it was not recorded."""
    seconds: float = 0.0
    model_calls: int = 0


async def play_file(
    flow: FlowFile, settings: Settings, options: PlayOptions, told: Callable[[StepPlayed], None]
) -> PlayReport:
    """Play a script; `told` hears of each step as it is done. Raises a `WalkerError`: a variable without a value, no browser, no
    room for the trace. A step that is missed raises nothing."""
    started = time.monotonic()
    values = values_of(flow.script, options.values, str(flow.path))
    hidden = tuple(values[name] for name, one in flow.script.variables.items() if one.secret)
    settings = msgspec.structs.replace(settings, scout_pages=0, library=None, secrets=(*settings.secrets, *hidden))
    script = msgspec.structs.replace(flow.script, start=values[START])
    async with WalkResources(settings) as resources:
        played, trace, spent = await _recorded(resources, script, values, options, told)
    report = PlayReport(
        script=str(flow.path),
        played=played,
        trace=trace,
        seconds=round(time.monotonic() - started, 3),
        model_calls=spent.calls,
    )
    return _with_patch(flow, report, applies=options.applies)


def values_of(script: FlowScript, given: Mapping[str, str], where: str) -> dict[str, str]:
    """The values of all variables of a script. Raises `UsageError` for one that it does not have, or that has none."""
    known = (START, *script.variables)
    for name in given:
        if name not in known:
            raise UsageError(f"it has no variable {name}", where=where, advice=f"It has {', '.join(known)}")
    values = {START: script.start, **{name: one.value for name, one in script.variables.items()}, **given}
    for name, value in values.items():
        if not value and name != START and script.variables[name].secret:
            raise UsageError(f"the variable {name} has no value", where=where, advice=f"Set it: --set {name}=...")
    values[START] = check_root(values[START])
    return values


async def _recorded(
    resources: WalkResources,
    script: FlowScript,
    values: Mapping[str, str],
    options: PlayOptions,
    told: Callable[[StepPlayed], None],
) -> tuple[Played, str, Spent]:
    settings = resources.settings
    task = read_task(script.start, script.question or script.name or "played script")
    with contextlib.ExitStack() as stack:
        stack.enter_context(trace_errors())
        edges = resources.edges(task)
        browser, reader, sink, folder, recording = edges.browser, edges.reader, Tee(), "", None
        if settings.record:
            recorder = stack.enter_context(
                contextlib.closing(new_recorder(task, settings, flow=script.name or "script"))
            )
            recording = Recording(recorder=recorder)
            browser, reader = recorded_pages(edges.browser, edges.reader, recording)
            sink, folder = Tee(RecordingSink(recorder, recording)), str(recorder.folder)
        meter = resources.meter()
        locating = None
        if meter is not None and settings.model is not None:
            chat = RecordedChat(meter, recording) if recording is not None else meter
            locating = ModelLocating(ModelTalk(chat, settings.model, settings.seed, repairs=1), task.question)
        player = Player(
            script,
            browser,
            reader,
            values=values,
            heals=options.heals,
            choose=locating.choose if locating is not None else None,
        )
        record = _PlayRecord(sink, script)

        def record_and_tell(step: StepPlayed, page: ShownPage | None) -> None:
            record.step(step, page)
            told(step)

        try:
            record.begin(task.question, recorded_settings(settings))
            played = await player.play(record_and_tell)
            record.end(played)
        finally:
            await edges.browser.close()
        if settings.record:
            recorder.seal(
                "played" if played.is_whole else "missed", {"pages": len(played.steps), "steps": len(played.steps)}
            )
        return played, folder, meter.spent if meter is not None else Spent()


class _PlayRecord:
    """Tells a recording what a play does, in the events of a walk: what was found by what, and the page that it led to."""

    def __init__(self, sink: TraceSink, script: FlowScript) -> None:
        self._sink, self._script = sink, script
        self._path: tuple[str, ...] = ()

    def begin(self, question: str, settings: dict[str, object]) -> None:
        self._sink.emit(
            WalkStarted(
                question=question,
                root_url=self._script.start,
                language="",
                requirement={"mode": "none"},
                settings=settings,
            )
        )

    def step(self, played: StepPlayed, page: ShownPage | None) -> None:
        number = played.number
        words = f"{played.state}{f' by {played.by}' if played.by else ''}: {played.action} {played.target}"
        self._sink.emit(
            ElementLocated(
                step=number,
                words=f"{played.action} {played.target}",
                element=0,
                box=(),
                confidence=played.alike,
                told=words,
            )
        )
        if page is None:
            reasons = "; ".join((*played.tried, *(one.line for one in played.mismatches)))
            self._sink.emit(PageFailed(step=number, url=played.url, kind="other", message=f"missed: {reasons}"[:500]))
            return
        snapshot = page.snapshot
        self._sink.emit(
            PageOpened(
                step=number,
                url=snapshot.url,
                final_url=snapshot.final_url,
                key=key_of(snapshot.final_url),
                status=snapshot.status,
                title=page.observation.title,
            )
        )
        self._path = (*self._path, snapshot.final_url)
        self._sink.emit(StackMoved(step=number, change="push", depth=len(self._path), path=self._path, untried=0))
        if number < len(self._script.steps):
            self._sink.emit(MoveTaken(step=number, move="Open", url=snapshot.final_url, reason=words))

    def end(self, played: Played) -> None:
        answer, count = played.answer, len(played.steps)
        citations = tuple({"url": self._path[-1] if self._path else "", "quote": quote} for quote in answer.quotes)
        self._sink.emit(
            WalkEnded(
                step=count,
                stop_reason="played" if played.is_whole else "missed",
                answer=answer.value,
                confidence=1.0 if answer.state == "same" else 0.0,
                items=(),
                citations=citations,
                count={"mode": "none", "found": 0},
                pages=count,
                steps=count,
            )
        )


def _with_patch(flow: FlowFile, report: PlayReport, *, applies: bool) -> PlayReport:
    healed = report.played.healed
    if not healed:
        return report
    after = with_steps(flow.text, healed)
    script_of(after, str(flow.path))  # what is proposed can be read
    diff = patch_of(flow.path.name, flow.text, after)
    if applies:
        write_output(flow.path, after.encode())
        return msgspec.structs.replace(report, diff=diff, applied=True)
    patch = flow.path.with_suffix(PATCH)
    write_output(patch, diff.encode())
    return msgspec.structs.replace(report, diff=diff, patch=str(patch))
