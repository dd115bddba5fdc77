"""One walk from its task to its outcome: recorded, shown, sealed, and its browser closed."""

from __future__ import annotations

import contextlib
import platform
import secrets
import time
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path

import msgspec

from traces.errors import RunLocked, StoreError, TraceError
from traces.events import Event, WalkStarted
from traces.manifest import USUAL_SURE, Parent, RunManifest, folder_name
from traces.redaction import Redactor
from traces.session_events import WalkStopped
from traces.store.recorder import Recorder
from walker.browser.launch.chromium import ContextOptions
from walker.errors import TraceUnwritable, UsageError
from walker.recording.record_words import known_words
from walker.seams.outcome import Outcome, stopped_outcome
from walker.seams.protocols import Edges, TraceSink
from walker.seams.searches import is_search, search_address
from walker.seams.task import Task
from walker.seams.web.way_out import secrets_of_way_out
from walker.search.service_file import secrets_of_service
from walker.settings import Beyond, ModelSettings, Settings, VisionSettings, code_kind
from walker.walk.loop import walk
from walker.walk.walk_state import Rules

KEY_NAME = ".redaction-key"


class Tee:
    """Hands each event to several sinks, in order."""

    def __init__(self, *sinks: TraceSink | None) -> None:
        self._sinks = tuple(sink for sink in sinks if sink is not None)

    def emit(self, event: Event) -> None:
        """Hand it on."""
        for sink in self._sinks:
            sink.emit(event)


class RunListener:
    """A sink that is told where a walk is recorded too, before the first event."""

    def emit(self, event: Event) -> None:
        """Take the next event."""
        raise NotImplementedError

    def began(self, run: Path) -> None:
        """Take the folder of the run."""
        raise NotImplementedError


class StopKeeper(RunListener):
    """Hands on to another sink, and keeps what a walk that is ended before it is over has found."""

    def __init__(self, sink: TraceSink | None = None) -> None:
        self._sink = sink
        self._run, self._question = "", ""
        self._stopped: WalkStopped | None = None

    def began(self, run: Path) -> None:
        """Keep where the walk is recorded."""
        self._run = str(run)
        if isinstance(self._sink, RunListener):
            self._sink.began(run)

    def emit(self, event: Event) -> None:
        """Hand it on."""
        match event:
            case WalkStarted(question=question):
                self._question = question
            case WalkStopped():
                self._stopped = event
            case _:
                pass
        if self._sink is not None:
            self._sink.emit(event)

    def so_far(self, sure: float, *, error: str = "") -> Outcome | None:
        """What was found until the walk was stopped, with the `error` that ended it; None where it was not, or no page was open
        yet."""
        if self._stopped is None:
            return None
        return stopped_outcome(self._stopped, self._question, sure=sure, trace=self._run, error=error)


async def walk_and_close(task: Task, edges: Edges, rules: Rules, sink: TraceSink) -> Outcome:
    """Walk, and close the browser and the interpreter in any case."""
    try:
        return await walk(task, edges, rules, sink)
    finally:
        await edges.browser.close()
        if edges.code is not None:
            await edges.code.close()


@contextlib.contextmanager
def trace_errors() -> Iterator[None]:
    """Errors of the trace, as the walker's own: one line with what to do now."""
    try:
        yield
    except RunLocked as error:
        raise UsageError(error.what, where=error.where, advice="Wait for it to end, or end it") from None
    except StoreError as error:
        raise TraceUnwritable(error.what, where=error.where, advice=error.advice) from None
    except TraceError as error:
        advice = "Free some space or choose another folder with --runs; what was written so far can be replayed"
        raise TraceUnwritable(error.what, where=error.where, advice=advice) from None


def new_recorder(
    task: Task, settings: Settings, *, parent: Parent | None = None, flow: str = "", kind: str = ""
) -> Recorder:
    """The recorder of a new run, its manifest written; `parent` is the run that it is a fork of, `flow` the name of the script that is
    played, `kind` is `session` for one; both "" for a walk."""
    now = time.time()
    run_id = secrets.token_hex(3)
    redactor = make_redactor(settings, settings.runs_folder)
    name = folder_name(time.strftime("%Y%m%d-%H%M%S", time.gmtime(now)), task.question, run_id)
    manifest = RunManifest(
        run_id=run_id,
        created=round(now, 3),
        question=task.question,
        root_url=task.root_url,
        package={"name": "gemwalker", "version": version("gemwalker")},
        settings={
            **recorded_settings(settings),
            **({"flow": flow} if flow else {}),
            **({"kind": kind} if kind else {}),
        },
        env=_environment(task),
        record={
            "mode": "deterministic" if settings.pinned_at else "natural",
            "network": "bodies" if settings.network else "off",
            "durability": settings.durability,
        },
        parent=parent,
    )
    return Recorder.create(
        settings.runs_folder / name, manifest, clock=time.time, redactor=redactor, durability=settings.durability
    )


def _environment(task: Task) -> dict[str, str]:
    """The properties of this machine that pages may depend on, without its addresses and names."""
    window = ContextOptions()
    return {
        "python": platform.python_version(),
        "os": f"{platform.system()} {platform.release()} {platform.machine()}",
        "playwright": version("playwright"),
        "locale": task.language,
        "time_zone": time.strftime("%Z%z"),
        "viewport": f"{window.width}x{window.height}",
        "pixel_ratio": f"{window.pixel_ratio:g}",
    }


def make_redactor(settings: Settings, runs_folder: Path) -> Redactor:
    """The redactor of a project; its key is beside the runs, never in one."""
    keyed = (settings.model, settings.vision, settings.picture_search)
    keys = tuple(one.key for one in keyed if one is not None and one.key)
    sent = secrets_of_way_out(settings.headers, settings.proxy) + secrets_of_service(settings.beyond.search)
    hidden = settings.secrets + keys + sent
    if not hidden:
        return Redactor()
    path = runs_folder / KEY_NAME
    try:
        runs_folder.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            path.touch(mode=0o600)
            path.write_bytes(secrets.token_bytes(32))
        return Redactor(hidden, path.read_bytes(), words=known_words())
    except OSError as error:
        raise TraceUnwritable(
            f"the key for hiding secrets cannot be written ({error.strerror})",
            where=str(path),
            advice="Choose another folder with --runs",
        ) from None


def without_secrets(task: Task, redactor: Redactor) -> Task:
    """The task as it may be recorded and shown to a model: a secret in the question is redacted before the walk, because
    text that explorer or critic derive from it could not be recognised in a recording."""
    question = redactor.clean_text(task.question)
    root = search_address(question) if is_search(task.root_url) else task.root_url
    return msgspec.structs.replace(task, question=question, root_url=root)


def recorded_settings(settings: Settings) -> dict[str, object]:
    """The settings that a replay needs; secrets and paths of this machine are left out."""
    return {
        "limits": msgspec.to_builtins(settings.limits),
        "threshold": settings.threshold,
        "look_threshold": settings.look_threshold,
        "weights": msgspec.to_builtins(settings.weights),
        "scope": settings.scope,
        **({"beyond": _without_search_key(settings.beyond)} if settings.beyond != Beyond() else {}),
        "page_seconds": settings.page_seconds,
        "components": msgspec.to_builtins(settings.components),
        "seed": settings.seed,
        "pinned_at": settings.pinned_at,
        "scout_pages": settings.scouts,
        "hand_over": settings.hand_over or settings.ask_me,
        **({"ask_me": True} if settings.ask_me else {}),
        "model": _without_key(settings.model),
        "vision": _without_folder(settings.vision),
        # Where nothing is switched on, the settings are what they were before there was anything to switch.
        **({"code": code_kind(settings.code)} if settings.code else {}),
        **({"tools": list(settings.tools)} if settings.tools else {}),
        **_workflow_settings(settings),
    }


def _workflow_settings(settings: Settings) -> dict[str, object]:
    """What a run that is no plain walk needs besides, and what is not as usual of a walk; of others nothing, whose manifest is as
    before there were workflows."""
    summaries: dict[str, object] = {} if settings.summaries is None else {"summaries": settings.summaries}
    if settings.workflow.name == "walk":
        return summaries if settings.sure == USUAL_SURE else {**summaries, "sure": settings.sure}
    if settings.extraction is not None:
        summaries["extraction"] = msgspec.to_builtins(settings.extraction)
    return {**summaries, "workflow": msgspec.to_builtins(settings.workflow), "sure": settings.sure}


def is_played(recorded: Mapping[str, object]) -> bool:
    """Whether these are the settings of a run in which a script was played."""
    return "flow" in recorded


def restored_settings(recorded: dict[str, object], now: Settings, *, kind: str = "") -> Settings:
    """Settings of a recorded walk, or of another `kind` of run, with what belongs to this machine, and the model's key, taken from
    `now`."""
    if recorded.get("kind", "") != kind:
        raise UsageError(
            f"this is the run of a {recorded.get('kind') or 'walk'}, which can be shown, replayed and verified only",
            where="run.json",
            advice="Use: walker replay RUN, walker verify RUN, walker view",
        )
    if is_played(recorded):
        raise UsageError(
            "a script was played here, so there are no decisions to repeat",
            where="run.json",
            advice="Play the script again: walker play FILE",
        )
    try:
        # A walk that was recorded before there were scouts, handing over or a person who is asked, had none; one without a certainty
        # had the usual one.
        named = {"scout_pages": 0, "hand_over": False, "ask_me": False, "sure": USUAL_SURE, **recorded}
        names = (*_REPLAYED, *(name for name in _OF_WORKFLOWS if name in named))
        kept = msgspec.convert({name: named[name] for name in named if name in names}, Settings)
    except msgspec.ValidationError as error:
        raise UsageError(
            f"the recorded settings cannot be read ({error})",
            where="run.json",
            advice="The recording is damaged; restore it from a backup, or ask again",
        ) from None
    model = kept.model
    if model is not None and now.model is not None:
        model = msgspec.structs.replace(model, key=now.model.key)
    vision = kept.vision
    if vision is not None and now.vision is not None:
        vision = msgspec.structs.replace(vision, key=now.vision.key, folder=now.vision.folder)
    beyond = msgspec.structs.replace(kept.beyond, search=now.beyond.search or kept.beyond.search)
    code = now.code if code_kind(now.code) == code_kind(kept.code) else kept.code
    keyed = {"model": model, "vision": vision, "code": code, "beyond": beyond}
    return msgspec.structs.replace(now, **{name: getattr(kept, name) for name in names} | keyed)


def _without_folder(vision: VisionSettings | None) -> dict[str, object] | None:
    return None if vision is None else msgspec.to_builtins(msgspec.structs.replace(vision, key="", folder=""))


def _without_search_key(beyond: Beyond) -> dict[str, object]:
    search = None if beyond.search is None else msgspec.structs.replace(beyond.search, key="")
    return msgspec.to_builtins(msgspec.structs.replace(beyond, search=search))  # type: ignore[no-any-return]


def _without_key(model: ModelSettings | None) -> dict[str, object] | None:
    return None if model is None else msgspec.to_builtins(msgspec.structs.replace(model, key=""))


_REPLAYED = (
    "limits",
    "threshold",
    "look_threshold",
    "weights",
    "scope",
    "beyond",
    "page_seconds",
    "components",
    "seed",
    "pinned_at",
    "scout_pages",
    "hand_over",
    "ask_me",
    "sure",
    "model",
    "vision",
    "code",
    "tools",
)
_OF_WORKFLOWS = ("summaries", "workflow", "extraction")
"""Replayed where they are recorded."""
