"""What the pages of a walk ask for and are given, for its tape, and what of it cannot be had again."""

from __future__ import annotations

import asyncio

from playwright.async_api import BrowserContext, Request

from traces.events import WarningKind
from walker.browser.network.page_clock import pinned_clock
from walker.browser.network.page_witness import PageWitness
from walker.browser.network.stream_log import StreamLog
from walker.browser.scripts.page_functions import init_script, page_function
from walker.seams.exchange import Doubt, Exchange, Heard
from walker.seams.traffic import ContextTraffic

BODY_BYTES = 10_000_000
"""Of a response that is kept; a larger one is told, and not kept."""
WAIT_SECONDS = 3.0
"""For bodies that are on their way when a page is done."""
_STREAMS = frozenset(("eventsource", "websocket"))
"""Resources that are kept message by message instead."""


class NetworkLog:
    """Exchanges in the order in which they were complete. `watch` is given to a browser, `take` asked after each page.
    Implements `traffic.Traffic`."""

    def __init__(self, *, pinned_at: float = 0.0) -> None:
        """`pinned_at`: where the pages' clock is pinned, 0 for pages that are left as they are."""
        self._pinned_at = pinned_at
        self._done: list[Exchange] = []
        self._doubts: list[Doubt] = []
        self._traffic = ContextTraffic(self, most_bytes=BODY_BYTES, on_gone=self._note_gone)
        self._open: dict[Request, None] = {}
        """What was asked for and not answered yet."""
        self._witness, self._streams = PageWitness(), StreamLog()
        self._context: BrowserContext | None = None

    async def watch(self, context: BrowserContext) -> None:
        """Listen to all pages of a context."""
        self._context = context
        self._open.clear()
        # One script, for the first must hear before the second has changed the clock that it dates by.
        first = init_script(page_function("page_world/event_sources.js", "watchEventSources"))
        witness = init_script(page_function("page_world/witness.js", "watchReads"))
        await context.add_init_script(first + (pinned_clock(self._pinned_at) if self._pinned_at else witness))
        self._witness.watch(context)
        self._streams.watch(context)
        context.on("request", self._begin)
        context.on("requestfinished", self._end)
        context.on("requestfailed", self._end)
        await self._traffic.watch(context)

    def add(self, exchange: Exchange) -> None:
        """Keep it until it is taken."""
        if exchange.resource in _STREAMS:
            # It ended with its page.
            return
        if exchange.truncated:
            kind: WarningKind = "body cut" if exchange.truncated == "length" else "body missing"
            self._doubts.append(Doubt(kind=kind, url=exchange.url, detail=exchange.error))
        self._done.append(exchange)

    async def take(self) -> Heard:
        """What has come since the last call; waits a little for what is on its way."""
        if self._context is None:
            return Heard()
        asked = self._witness.take(self._context), self._streams.take(self._context)
        witnessed, streams = await asyncio.gather(*asked)
        await self._traffic.finish(WAIT_SECONDS)
        late = [_missing(request, "its answer was still coming when the page was read") for request in self._open]
        self._open.clear()
        done, self._done = tuple(self._done), []
        doubts, self._doubts = (*self._doubts, *late, *witnessed), []
        return Heard(exchanges=done, streams=streams, doubts=doubts)

    def _begin(self, request: Request) -> None:
        if request.url.startswith(("http://", "https://")) and request.resource_type not in _STREAMS:
            self._open[request] = None

    def _end(self, request: Request) -> None:
        self._open.pop(request, None)

    def _note_gone(self, request: Request) -> None:
        if request.resource_type not in _STREAMS:
            self._doubts.append(_missing(request, "the page was left before it could be kept"))


def _missing(request: Request, why: str) -> Doubt:
    return Doubt(kind="body missing", url=request.url, detail=why)
