"""What a session calls outside itself, and how that is recorded."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from playwright.async_api import Error

from memory.retrieval import Ranker
from perception.snapshot import Notice, Snapshot
from walker.browser.playwright.movable_browser import MovableBrowser
from walker.browser.playwright.request_guard import RequestGuard
from walker.recording.clean_pages import clean_page
from walker.recording.recorded_pages import PageDump, load_page, whole_value
from walker.recording.recording import Form, Recording
from walker.seams.actions import Fill, Operate, TypeText
from walker.seams.chat import Spent
from walker.seams.outcome import Outcome
from walker.seams.protocols import Browser, ChatModel, PageFailure, PageReader
from walker.seams.web.storage_state import StorageState
from walker.session.secret import SecretValues
from walker.session.targets import Permission
from walker.settings import Limits

REFUSED, REFUSED_DOCUMENT = "not allowed: ", "document not allowed: "
"""How the notice of a refused request begins."""

LEAVE_SECONDS, LAST_WORDS_SECONDS = 5.0, 0.1
"""Seconds to leave a page, and for what it sends then to arrive at the guard: requests come another way than the news of it."""


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What a session asks: a question, where its walk begins, and what it may spend."""

    question: str
    url: str
    limits: Limits


class SessionEdges(msgspec.Struct, frozen=True, kw_only=True):
    """The edges of one session."""

    browser: Browser
    reader: PageReader
    take: Callable[[], Awaitable[Snapshot | PageFailure]]
    """The open page as it is now."""
    ask: Callable[[Question], Awaitable[Outcome]]
    """A walk of its own. Raises a `WalkerError`."""
    permit: Callable[[frozenset[Permission]], None]
    """Says what the next call of the browser may do."""
    ranker: Callable[[], Ranker]
    chat: ChatModel | None = None
    spent: Callable[[], Spent] = Spent


class GuardedBrowser:
    """The browser of a session: opens and acts as its guard allows, and types secrets in place of their names."""

    def __init__(
        self,
        live: MovableBrowser,
        guard: RequestGuard,
        secrets: SecretValues,
        learn: Callable[[StorageState], None] = lambda _: None,
    ) -> None:
        """`learn` is told the cookies and local storage after what may have been a login, before its page is recorded."""
        self._live, self._guard, self._secrets, self._learn = live, guard, secrets, learn
        self._allowed: frozenset[Permission] = frozenset()

    def permit(self, allowed: frozenset[Permission]) -> None:
        """Say what the next call may do."""
        self._allowed = allowed

    async def open(self, url: str) -> Snapshot | PageFailure:
        """Open a URL; its scripts may send what they like, as for any visitor."""
        await self._leave()
        return await self._guarded(self._live.open(url), holds=False)

    async def act(self, move: Operate) -> Snapshot | PageFailure:
        """Act on the open page, whose scripts are held from here on."""
        action = move.action
        if isinstance(action, TypeText | Fill):
            typed = msgspec.structs.replace(action, text=self._secrets.in_place(action.text))
            move = msgspec.structs.replace(move, action=typed)
        return await self._guarded(self._live.act(move), holds=True)

    async def _leave(self) -> None:
        """Leave a page whose scripts are held while they still are: what it sends when it is left is held too."""
        page = self._live.driver_page
        if page is None or not self._guard.holds:
            return
        with contextlib.suppress(Error):
            await page.goto("about:blank", timeout=LEAVE_SECONDS * 1000)
        await asyncio.sleep(LAST_WORDS_SECONDS)

    async def take(self) -> Snapshot | PageFailure:
        """The open page as it is now."""
        return self._noted(await self._live.take())

    async def see(self, **given: Any) -> Any:
        """Screenshot and element map."""
        return await self._live.see(**given)

    async def fetch_ahead(self, urls: tuple[str, ...]) -> None:
        """Nothing is loaded ahead: nobody knows what a program opens next."""

    async def close(self) -> None:
        """Close what is open."""
        await self._live.close()

    async def _guarded(self, work: Awaitable[Snapshot | PageFailure], *, holds: bool) -> Snapshot | PageFailure:
        self._guard.begin(holds=holds, lets_writing_through="post" in self._allowed)
        try:
            taken = self._noted(await work)
            if self._guard.lets_writing_through:
                self._learn(await self._live.state())
            return taken
        finally:
            self._guard.end()

    def _noted(self, taken: Snapshot | PageFailure) -> Snapshot | PageFailure:
        """With a notice for each request that was refused since the last page."""
        refused, document = self._guard.take_refused()
        if isinstance(taken, PageFailure) or not refused:
            return taken
        told = (f"{REFUSED_DOCUMENT if one == document else REFUSED}{one}" for one in refused)
        notices = tuple(Notice(kind="blocked_request", text=text) for text in told)
        return msgspec.structs.replace(taken, notices=(*taken.notices, *notices))


def refused_in(snapshot: Snapshot) -> tuple[tuple[str, ...], str]:
    """The requests that were refused on the way to a page, and the last document among them, "" for none."""
    texts = [notice.text for notice in snapshot.notices if notice.kind == "blocked_request"]
    documents = [text.removeprefix(REFUSED_DOCUMENT) for text in texts if text.startswith(REFUSED_DOCUMENT)]
    others = [text.removeprefix(REFUSED) for text in texts if text.startswith(REFUSED)]
    return (*documents, *others), documents[-1] if documents else ""


def as_recorded(outcome: Outcome) -> Outcome:
    """The outcome as a replay reads it: with lists for tuples in what is plain."""
    return msgspec.json.decode(msgspec.json.encode(outcome), type=Outcome)


def with_recording(edges: SessionEdges, recording: Recording) -> SessionEdges:
    """The edges that a recorded browser and reader lack, behind a recording."""
    form, times = Form(PageDump(), load_page, is_large=True), [0]

    async def take() -> Snapshot | PageFailure:
        async def live() -> Snapshot | PageFailure:
            return await asyncio.to_thread(clean_page, await edges.take(), recording)

        times[0] += 1
        return await recording.answer("browser", "take", {"time": times[0]}, live, form)

    async def ask(question: Question) -> Outcome:
        request = msgspec.to_builtins(question)
        return await recording.answer("session", "ask", request, lambda: edges.ask(question), _OUTCOME)

    return msgspec.structs.replace(edges, take=take, ask=ask)


_OUTCOME = Form(
    lambda outcome, _put: msgspec.to_builtins(outcome),
    lambda plain, get: msgspec.convert(whole_value(plain, get), Outcome),
)

msgspec.json.Decoder(Outcome)  # described at import: docs/design/msgspec.md
