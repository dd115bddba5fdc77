"""A session in a browser: its edges put together, and its run on disk."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from traces.events import Event
from walker.asking import ask_in
from walker.assembly import WalkResources, read_task
from walker.browser.page.live_reader import LiveReader
from walker.browser.playwright.movable_browser import MovableBrowser
from walker.browser.playwright.request_guard import RequestGuard
from walker.errors import UsageError
from walker.handover.their_session import with_their_session
from walker.logins.login_use import secrets_of_state
from walker.models.deadline import Deadline
from walker.recording.recording import Recording
from walker.recording.recording_proxies import RecordedChat, RecordingSink, recorded_pages
from walker.run_setup import RunListener, Tee, make_redactor, new_recorder, recorded_settings, trace_errors
from walker.seams.chat import Spent
from walker.seams.outcome import Outcome
from walker.seams.protocols import TraceSink
from walker.search.walk_scope import scope_of
from walker.session.calls import SessionCalls
from walker.session.edges import GuardedBrowser, Question, SessionEdges, as_recorded, with_recording
from walker.session.secret import Secret, SecretValues
from walker.settings import Settings

if TYPE_CHECKING:
    from playwright.async_api import Page

    from traces.store.recorder import Recorder


class LiveSession:
    """Where the answers of a session come from, and go to: a browser, and a recording unless the settings say otherwise."""

    def __init__(self, root: str, name: str, settings: Settings, progress: TraceSink | None) -> None:
        self._settings = msgspec.structs.replace(settings, scout_pages=0, library=None)
        self._task, self._progress = read_task(root, name, settings.language or "en", counter=False), progress
        self._stack = contextlib.AsyncExitStack()
        self._secrets, self._guard = SecretValues(), RequestGuard()
        self._hidden: dict[str, None] = {}
        """Values that are hidden besides those of the settings."""
        self._spent = 0.0
        self._deadline = Deadline(settings.limits.seconds)
        self._recorder: Recorder | None = None
        self._sink: TraceSink = Tee()
        self._browser: MovableBrowser | None = None
        self.folder = ""
        self.may_end = True

    async def start(self) -> SessionCalls:
        """Begin: the browser starts with the first page. Raises `TraceUnwritable`, `UsageError` and `BrowserUnavailable`."""
        async with contextlib.AsyncExitStack() as stack:
            stack.enter_context(trace_errors())
            resources = await stack.enter_async_context(WalkResources(self._settings))
            if resources.browsers.running is not None:
                theirs = await with_their_session(self._settings, resources.browsers, [self._task.root_url])
                resources, self._settings = resources.with_settings(theirs), theirs
            edges = self._recorded(resources, stack)
            scope = scope_of(self._task, self._settings)
            calls = SessionCalls(self._task, edges, self._settings, self._sink, self._begin_call, scope)
            calls.begin(recorded_settings(self._settings))
            self._stack = stack.pop_all()
        return calls

    async def stop(self, calls: SessionCalls, *, is_whole: bool) -> None:
        """End: what was recorded is sealed where the session is whole, and the browser is closed."""
        async with self._stack:
            if is_whole and self._recorder is not None:
                self._recorder.seal("closed", {"pages": calls.pages, "steps": calls.step})

    def tell(self, event: Event) -> None:
        """Record an event."""
        self._sink.emit(event)

    def _begin_call(self) -> float:
        """Seconds that calls took so far; the models that this one asks have what is left."""
        self._deadline.begin_again(self._settings.limits.seconds - self._spent)
        return self._spent

    def spend(self, seconds: float) -> None:
        """Note the time that a call took."""
        self._spent += seconds

    def hide(self, secret: Secret) -> None:
        """Type a secret in place of its name from now on, and hide it in all that is recorded."""
        self._secrets.add(secret)
        self._hide((secret.reveal(),))

    def _hide(self, values: Iterable[str]) -> None:
        """Hide values in all that is recorded from now on."""
        new = [value for value in values if value not in self._hidden]
        self._hidden |= dict.fromkeys(new)
        if new and self._recorder is not None:
            self._recorder.redactor = make_redactor(self._with_hidden(), self._settings.runs_folder)

    def _with_hidden(self) -> Settings:
        return msgspec.structs.replace(self._settings, secrets=(*self._settings.secrets, *self._hidden))

    def driver_page(self) -> Page:
        """The open page as Playwright has it, what its scripts send is held from now on. Raises `UsageError` where none is open."""
        self._guard.begin(holds=True, lets_writing_through=False)
        page = self._browser.driver_page if self._browser is not None else None
        if page is None:
            raise UsageError("no page is open", where="session", advice="Open one: await session.open()")
        return page

    def _recorded(self, resources: WalkResources, stack: contextlib.AsyncExitStack) -> SessionEdges:
        settings = self._settings
        network = resources.network_log() if settings.record else None

        async def prepare(context: object) -> None:
            await self._guard.watch(context)  # type: ignore[arg-type]
            if network is not None:
                await network.watch(context)  # type: ignore[arg-type]

        self._browser = resources.live_browser(self._task, prepare=prepare)
        guarded = GuardedBrowser(
            self._browser, self._guard, self._secrets, lambda state: self._hide(secrets_of_state(state))
        )
        stack.push_async_callback(self._browser.close)
        meter = resources.meter(deadline=self._deadline)
        edges = SessionEdges(
            browser=guarded,
            reader=LiveReader(),
            take=guarded.take,
            ask=lambda question: self._ask(resources, question),
            permit=guarded.permit,
            ranker=lambda: resources.ranker,
            chat=meter,
            spent=(lambda: meter.spent) if meter is not None else Spent,
        )
        if not settings.record:
            self._sink = Tee(self._progress)
            return edges
        self._recorder = recorder = stack.enter_context(
            contextlib.closing(new_recorder(self._task, settings, kind="session"))
        )
        recording = Recording(recorder=recorder)
        self.folder, self._sink = str(recorder.folder), Tee(RecordingSink(recorder, recording), self._progress)
        if isinstance(self._progress, RunListener):
            self._progress.began(recorder.folder)
        browser, reader = recorded_pages(guarded, edges.reader, recording, network, pictures=settings.pictures)
        chat = RecordedChat(meter, recording) if meter is not None else None
        return with_recording(msgspec.structs.replace(edges, browser=browser, reader=reader, chat=chat), recording)

    async def _ask(self, resources: WalkResources, question: Question) -> Outcome:
        """A walk in a run of its own, with the cookies that the session has now."""
        assert self._browser is not None, "made before anything is asked"
        state = await self._browser.state()
        self._hide(secrets_of_state(state))
        own = msgspec.structs.replace(self._with_hidden(), session=state.as_playwright(), limits=question.limits)
        outcome = await ask_in(resources.with_settings(own), question.url, question.question)
        return as_recorded(msgspec.structs.replace(outcome, trace=Path(outcome.trace).name if outcome.trace else ""))
