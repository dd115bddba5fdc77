"""A session for programs: open, observe, act, extract, ask; recorded as one run, and answered from a run."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar, Unpack, overload
from urllib.parse import urlsplit

import msgspec

from perception.observation import Observation
from walker.errors import Divergence, TraceUnwritable, UsageError, WalkerError
from walker.extraction.schemas.program_schema import typed_schema
from walker.extraction.schemas.schema_settings import as_typed
from walker.extraction.schemas.typed_answers import TypedOutcome
from walker.programs.named_settings import SettingNames, settings_by_name
from walker.rules.scope import check_root
from walker.seams.outcome import Outcome
from walker.seams.protocols import TraceSink
from walker.session.calls import Acted, SessionCalls
from walker.session.live_session import LiveSession
from walker.session.plans import Wish
from walker.session.recorded_session import RecordedSession
from walker.session.secret import Secret
from walker.session.targets import ActionTarget, Allowed, permissions_of
from walker.settings import Settings
from walker.walk.walk_events import walk_failed

if TYPE_CHECKING:
    from playwright.async_api import Page

T = TypeVar("T")
DO = "Say what is done, as in 'open the second result', or give a target of session.observe"


class Session:
    """A site, gone through call by call, in one browser and one recorded run.

    async with Session("https://shop.example/") as session:
        await session.open()
        for target in await session.observe("pagination"):
            print(target.name, target.url)
        done = await session.act("open the second result")
        product = await session.extract(Product)
        outcome = await session.ask("Is it in stock?")
        print(done.after, product.data, outcome.answer, session.run)

    Following links, opening closed parts and forms with GET need nothing; else a call allows what it may do: `press`, `type`, `post`,
    `leave` (docs/python.md). Calls come one after the other; all raise a `WalkerError` whose text is one line.
    """

    def __init__(
        self,
        root: str,
        *,
        name: str = "",
        progress: TraceSink | None = None,
        settings: Settings | None = None,
        **named: Unpack[SettingNames],
    ) -> None:
        """`root` is the site that the session stays on; `name` is what its run is called; `named` are settings by the names of the
        flags of `walker ask`: `max_pages` and `max_seconds` (of its calls) are its budget. Raises `NotAUrl` and `UsageError`."""
        root = check_root(root)
        used = settings_by_name(settings or Settings(), named)
        self._source: LiveSession | RecordedSession = LiveSession(
            root, name or f"Session on {urlsplit(root).netloc}", used, progress
        )
        self._open_calls: SessionCalls | None = None
        self._lock, self._is_cut_off = asyncio.Lock(), False

    @classmethod
    def replay(cls, run: str | Path) -> Session:
        """A session whose calls are answered from a run, without browser and network. Raises `UsageError` for a run of another kind.

        async with Session.replay(session.run) as again:
            page = await again.open()

        A call that is not the next one of the run raises `Divergence`."""
        self = cls.__new__(cls)
        self._source = RecordedSession(Path(run))
        self._open_calls, self._lock, self._is_cut_off = None, asyncio.Lock(), False
        return self

    async def __aenter__(self) -> Session:
        self._open_calls = await self._source.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        calls, self._open_calls = self._calls, None
        is_whole = False
        try:
            if error is None and self._is_cut_off:
                error = asyncio.CancelledError("a call was cut off")
            if error is None and self._source.may_end:
                calls.close()
                is_whole = True
            elif isinstance(self._source, LiveSession) and not isinstance(error, TraceUnwritable | Divergence | None):
                self._source.tell(walk_failed(calls.step, error))
        finally:
            await self._source.stop(calls, is_whole=is_whole)

    @property
    def run(self) -> str:
        """Folder of the recorded run, "" where nothing is recorded."""
        return self._source.folder

    @property
    def page(self) -> Observation:
        """What was read of the page that is open: text blocks, links, controls, lists. Raises `UsageError` where none is."""
        return self._calls.page

    @property
    def playwright_page(self) -> Page:
        """The page as Playwright has it, for what a session cannot do. What is done there is not recorded, and of what calls allow
        only `post` is held; the recording says that the page was taken. After it call `look`. Raises `UsageError` in a replay."""
        page = self._source.driver_page()
        self._calls.leave()
        self._source.spend(0.0)
        return page

    async def open(self, url: str = "", *, allow: Allowed = ()) -> Observation:
        """Open an address, relative to the root; "" is the root itself. An error status is a page too (`page.status`).

        page = await session.open("/products?page=2")
        """
        _check_words("open", url, "An address is a text: await session.open('/products')")
        async with self._in_turn() as calls:
            return await calls.open(url, allow=permissions_of(allow))

    async def observe(self, words: str) -> tuple[ActionTarget, ...]:
        """The links and controls of the page that the words mean, the best first; no model is asked.

        first, *others = await session.observe("pagination")
        """
        _check_words("observe", words, "Say in words what is looked for: await session.observe('pagination')")
        async with self._in_turn() as calls:
            return await calls.observe(words)

    async def act(
        self,
        what: str | ActionTarget,
        *,
        text: str | Secret = "",
        submit: bool = False,
        allow: Allowed = (),
    ) -> Acted:
        """Do one thing on the page: what a sentence says, or to a target that `observe` gave. `text` is typed into a field, and with
        `submit` its form is sent.

        await session.act("open the second result")
        await session.act('search for "blue mug"')
        await session.act("the delivery field", text="Berlin", allow=("type",))
        await session.act("press Add to cart", allow=("press", "post"))

        Raises `NotAllowed` where that needs more than the call allows, and `NoSuchTarget` where the words mean nothing or several
        things: nothing was done then."""
        if not isinstance(what, ActionTarget) and not _check_words("act", what, DO).strip():
            raise UsageError("nothing is said", where="act", advice=DO)
        if isinstance(text, Secret):
            self._source.hide(text)
        else:
            _check_words("text", text, "What is typed is a text, or a Secret: text=str(...)")
        async with self._in_turn() as calls:
            return await calls.act(Wish(what=what, text=text, submit=submit), allow=permissions_of(allow))

    @overload
    async def extract(self, schema: type[T], *, about: str = "") -> TypedOutcome[T]: ...

    @overload
    async def extract(self, schema: Mapping[str, Any], *, about: str = "") -> TypedOutcome[Any]: ...

    async def extract(self, schema: Any, *, about: str = "") -> TypedOutcome[Any]:
        """The fields of a schema (as of `walker.ask`) from the page that is open, each with its quote, or the reason why not.

        product = await session.extract(Product)
        print(product.data, product.missing)
        """
        typed = typed_schema(schema)
        async with self._in_turn() as calls:
            outcome = as_typed(await calls.extract(typed.plain, about=about), typed)
        return msgspec.structs.replace(outcome, trace=self.run)

    async def ask(self, question: str) -> Outcome:
        """Answer a question by a walk that begins at the address of the page that is open, with the session's cookies and what is left
        of its budget, in a run of its own (`outcome.trace`). The session's page stays.

        outcome = await session.ask("Is it in stock?")
        """
        _check_words("ask", question, "A question is a text")
        async with self._in_turn() as calls:
            outcome = await calls.ask(question)
        # The recording has its name only: a folder of runs may be moved.
        own = str(Path(self.run).parent / outcome.trace) if outcome.trace else ""
        return msgspec.structs.replace(outcome, trace=own)

    async def look(self) -> Observation:
        """Read the page that is open once more: after `playwright_page` was used, or some time.

        page = await session.look()
        """
        async with self._in_turn() as calls:
            return await calls.look()

    @property
    def _calls(self) -> SessionCalls:
        if self._open_calls is None:
            raise RuntimeError("the session is not open: use it within `async with Session(root) as session:`")
        return self._open_calls

    @contextlib.asynccontextmanager
    async def _in_turn(self) -> AsyncIterator[SessionCalls]:
        """The calls, one at a time; the time that they take is what the session spends."""
        async with self._lock:
            if self._is_cut_off:
                raise UsageError(
                    "a call was cut off, so nobody knows what is open", where="session", advice="Begin another session"
                )
            began = time.monotonic()
            try:
                yield self._calls
            except WalkerError:
                raise
            except BaseException:
                # A replay could not tell how far it came: what is recorded ends here.
                self._is_cut_off = True
                raise
            finally:
                self._source.spend(time.monotonic() - began)


def _check_words(call: str, words: object, advice: str) -> str:
    """The words of a call. Raises `UsageError` for anything else, before the call is recorded: it could not be done again."""
    if isinstance(words, str):
        return words
    raise UsageError(f"{words!r:.80} is no text", where=call, advice=advice)
