"""Asks the pages of a context what they read that another visit would give them otherwise: the clock, random numbers, a worker."""

from __future__ import annotations

from typing import Literal

import msgspec
from playwright.async_api import BrowserContext, ConsoleMessage

from traces.events import WarningKind
from walker.browser.page.page_polling import ask_pages
from walker.browser.scripts.page_functions import page_function
from walker.seams.exchange import Doubt

WORKER_BLOCKED = "Service Worker registration blocked by Playwright"
"""What the driver writes to the console of a page that asks for a worker."""


class _Seen(msgspec.Struct, frozen=True, kw_only=True):
    """What the script in a page tells of one kind. The page may have meddled with it, so it is checked."""

    kind: Literal["clock", "random"]
    reads: int
    changed: int
    """Turns in which the page read and what is seen of it changed."""
    shows: bool
    """Whether a value that it was given stands in the markup."""


class PageWitness:
    """Doubts of the pages of one context. `watch` it before its first page, `take` after each."""

    def __init__(self) -> None:
        self._workers: list[Doubt] = []

    def watch(self, context: BrowserContext) -> None:
        """Listen to all pages of a context, which have the script of a witness or none."""
        context.on("console", self._on_console)

    async def take(self, context: BrowserContext) -> tuple[Doubt, ...]:
        """What the pages that are open read so far, and what showed."""
        told = await ask_pages(context, page_function("page_world/reports.js", "takeWitness"), tuple[_Seen, ...])
        doubts, self._workers = self._workers, []
        for page, seen in told:
            doubts += [Doubt(kind=_kind(one), url=page.url, detail=why) for one in seen if (why := _why(one))]
        return tuple(doubts)

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type == "warning" and message.text == WORKER_BLOCKED:
            url = message.page.url if message.page is not None else ""
            self._workers.append(Doubt(kind="service worker", url=url, detail="it was blocked, as it is in a replay"))


def _kind(seen: _Seen) -> WarningKind:
    return "clock" if seen.kind == "clock" else "random numbers"


def _why(seen: _Seen) -> str:
    """Why it matters, "" where nothing points to that."""
    if seen.shows:
        return "a value that the page was given stands in it"
    return "the page changed in the turn in which it was read" if seen.changed else ""
