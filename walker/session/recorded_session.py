"""A session out of its run: its calls fed again, or a program's calls answered from it, without browser and network."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from traces.errors import TraceError
from traces.events import WalkEnded, WalkStarted
from traces.reading.reader import Run, read_run
from traces.recorded_calls import RecordedCalls
from traces.session_events import SessionCalled
from walker.assembly import WalkResources, read_task
from walker.browser.page.live_reader import LiveReader
from walker.errors import Divergence, UsageError, WalkerError
from walker.recording.recording import Recording, RecordingEnded
from walker.recording.recording_proxies import ComparingSink, RecordedChat, recorded_pages
from walker.run_setup import Tee, restored_settings
from walker.seams.protocols import TraceSink
from walker.search.walk_scope import scope_of
from walker.session.calls import SessionCalls
from walker.session.edges import SessionEdges, with_recording
from walker.session.secret import Secret
from walker.settings import Settings

if TYPE_CHECKING:
    from playwright.async_api import Page

KIND = "session"


def is_session(run: Run) -> bool:
    """Whether a run is that of a session."""
    return run.manifest.settings.get("kind") == KIND


class _Nothing:
    """An edge that must not be called: everything comes from the recording."""

    def __getattr__(self, name: str) -> Any:
        async def refuse(*_: object, **__: object) -> Any:
            raise Divergence(f"{name} is not in the recording", advice="A replay never goes to the network")

        return refuse


class _RecordedClock:
    """What the session had spent at each of its calls."""

    def __init__(self, calls: tuple[SessionCalled, ...]) -> None:
        self._calls, self.place = calls, 0

    def __call__(self) -> float:
        """Seconds at the call that is being repeated."""
        return self._calls[self.place].at if self.place < len(self._calls) else 0.0


class RecordedSession:
    """Answers the calls of a session from its run, and compares all that is derived from them."""

    def __init__(
        self,
        run: Run | Path,
        recording: Recording | None = None,
        sink: ComparingSink | None = None,
        progress: TraceSink | None = None,
    ) -> None:
        """`recording` and `sink` are those of a replay that is under way. Raises `UsageError` for a run of another kind."""
        self._run = run if isinstance(run, Run) else _opened(run)
        if not is_session(self._run):
            raise UsageError(
                "this is no run of a session", where=self._run.folder.name, advice="Use: walker replay RUN"
            )
        self._recording = recording or Recording(
            recorded_calls=RecordedCalls(self._run.events), blobs=self._run.blobs, may_go_live=False
        )
        self._sink = sink or ComparingSink(self._run, self._recording)
        self._progress = progress
        self._calls = tuple(event for event in self._run.events if isinstance(event, SessionCalled))
        self._clock = _RecordedClock(self._calls)
        self._resources: WalkResources | None = None
        self.folder = str(self._run.folder)

    async def start(self, *, deep: bool = False) -> SessionCalls:
        """Begin; `deep`: pages are read again, and compared. Raises `UsageError` for a run that cannot be read."""
        settings = restored_settings(self._run.manifest.settings, Settings(), kind=KIND)
        started = next((event for event in self._run.events if isinstance(event, WalkStarted)), None)
        if started is None:
            raise UsageError("nothing was recorded", where=self._run.folder.name, advice="Run the program again")
        task = read_task(started.root_url, started.question, started.language, counter=False)
        self._resources = resources = await WalkResources(settings).__aenter__()
        nowhere: Any = _Nothing()
        if deep:
            self._recording.rederived = frozenset(("reader",))
        browser, reader = recorded_pages(nowhere, LiveReader() if deep else nowhere, self._recording)
        edges = SessionEdges(
            browser=browser,
            reader=reader,
            take=nowhere.take,
            ask=nowhere.ask,
            permit=lambda _: None,
            ranker=lambda: resources.ranker,
            chat=RecordedChat(nowhere, self._recording) if settings.model is not None else None,
        )
        calls = SessionCalls(
            task,
            with_recording(edges, self._recording),
            settings,
            Tee(self._sink, self._progress),
            self._clock,
            scope_of(task, settings),
        )
        calls.begin(started.settings)
        return calls

    @property
    def may_end(self) -> bool:
        """Whether the session ended here: a program may leave its replay before."""
        return self._clock.place < len(self._calls) and self._calls[self._clock.place].call == "close"

    async def stop(self, calls: SessionCalls, *, is_whole: bool) -> None:  # noqa: ARG002
        """End; nothing is open but models."""
        if self._resources is not None:
            await self._resources.__aexit__(None, None, None)

    async def repeat(self, *, deep: bool = False) -> None:
        """Feed all recorded calls; `deep` as in `start`. Raises `Divergence` at the first difference, and `RecordingEnded` where the
        run ends before the session did."""
        calls = await self.start(deep=deep)
        try:
            for place, event in enumerate(self._calls):
                self._clock.place = place
                try:
                    await calls.repeat(event.call, event.arguments)
                except Divergence:
                    raise
                except WalkerError:
                    continue  # as it was for the program; what it was told is compared
        finally:
            await self.stop(calls, is_whole=True)
        if not any(isinstance(event, WalkEnded) for event in self._run.events):
            raise RecordingEnded("the recording ends here; the session was not closed", where=f"step {calls.step}")

    def spend(self, seconds: float) -> None:  # noqa: ARG002 - as of a live session
        """A call has ended: the next one has its own time."""
        self._clock.place += 1

    def hide(self, secret: Secret) -> None:
        """A recording holds no secret."""

    def driver_page(self) -> Page:
        """Raises `UsageError`: there is no browser."""
        raise UsageError(
            "a replay has no browser", where=self._run.folder.name, advice="Leave this part of the program out"
        )


def _opened(folder: Path) -> Run:
    try:
        return read_run(folder)
    except TraceError as error:
        raise UsageError(error.what, where=error.where, advice="Give the folder of a run") from None
