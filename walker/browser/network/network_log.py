"""Observes the network traffic of a walk for its recording, and notes what will not replay."""

from __future__ import annotations

import asyncio

from playwright.async_api import BrowserContext, Request

from traces.events import WarningKind
from walker.browser.network.context_traffic import ContextTraffic
from walker.browser.network.nondeterminism_probe import NondeterminismProbe
from walker.browser.network.page_clock import pinned_clock
from walker.browser.network.stream_log import StreamLog
from walker.browser.scripts.page_functions import init_script, page_function
from walker.seams.web.exchange import Exchange, Heard, NetworkWarning

BODY_BYTES = 10_000_000
"""Most bytes of a recorded body; a larger one is noted, but not recorded."""
WAIT_SECONDS = 3.0
"""Seconds to wait for bodies that are in flight when a page is done."""
_STREAMS = frozenset(("eventsource", "websocket"))
"""Resources that are recorded message by message instead."""


class NetworkLog:
    """Collects exchanges in order of completion. `watch` is passed to a browser, `take` called after each page. Implements
    `traffic.Traffic`."""

    def __init__(self, *, pinned_at: float = 0.0) -> None:
        """`pinned_at`: time at which the pages' clock is fixed, 0 for the real clock."""
        self._pinned_at = pinned_at
        self._done: list[Exchange] = []
        self._warnings: list[NetworkWarning] = []
        self._traffic = ContextTraffic(self, most_bytes=BODY_BYTES, on_gone=self._note_gone)
        self._open: dict[Request, None] = {}
        """Pending requests."""
        self._probe, self._streams = NondeterminismProbe(), StreamLog()
        self._context: BrowserContext | None = None

    async def watch(self, context: BrowserContext) -> None:
        """Listen to all pages of a context."""
        self._context = context
        self._open.clear()
        # A single script, as the first part must listen before the second changes the clock.
        first = init_script(page_function("page_world/event_sources.js", "watchEventSources"))
        witness = init_script(page_function("page_world/witness.js", "watchReads"))
        await context.add_init_script(first + (pinned_clock(self._pinned_at) if self._pinned_at else witness))
        self._probe.watch(context)
        self._streams.watch(context)
        context.on("request", self._begin)
        context.on("requestfinished", self._end)
        context.on("requestfailed", self._end)
        await self._traffic.watch(context)

    def add(self, exchange: Exchange) -> None:
        """Collect an exchange."""
        if exchange.resource in _STREAMS:
            # It was cancelled with its page.
            return
        if exchange.truncated:
            kind: WarningKind = "body cut" if exchange.truncated == "length" else "body missing"
            self._warnings.append(NetworkWarning(kind=kind, url=exchange.url, detail=exchange.error))
        self._done.append(exchange)

    async def pictures(self) -> dict[str, bytes]:
        """The picture files among the traffic since the last `take`, by their addresses; waits a little for bodies in flight."""
        await self._traffic.finish(WAIT_SECONDS)
        return {one.url: one.body for one in self._done if one.resource == "image" and one.status == 200 and one.body}

    async def take(self) -> Heard:
        """The traffic since the last call; waits a little for bodies in flight."""
        if self._context is None:
            return Heard()
        asked = self._probe.take(self._context), self._streams.take(self._context)
        witnessed, streams = await asyncio.gather(*asked)
        await self._traffic.finish(WAIT_SECONDS)
        late = [_missing(request, "its response was incomplete when the page was read") for request in self._open]
        self._open.clear()
        done, self._done = tuple(self._done), []
        warnings, self._warnings = (*self._warnings, *late, *witnessed), []
        return Heard(exchanges=done, streams=streams, warnings=warnings)

    def _begin(self, request: Request) -> None:
        if request.url.startswith(("http://", "https://")) and request.resource_type not in _STREAMS:
            self._open[request] = None

    def _end(self, request: Request) -> None:
        self._open.pop(request, None)

    def _note_gone(self, request: Request) -> None:
        if request.resource_type not in _STREAMS:
            self._warnings.append(_missing(request, "the page was left before it could be recorded"))


def _missing(request: Request, why: str) -> NetworkWarning:
    return NetworkWarning(kind="body missing", url=request.url, detail=why)
