"""Listens to what the pages of a context ask for and are given, and notes what of it cannot be had again."""

from __future__ import annotations

import asyncio
import time
from urllib.parse import urljoin

import msgspec
from playwright.async_api import BrowserContext, Error, Request

from walker.browser.event_source_script import EVENT_SOURCES
from walker.browser.page_clock_script import pinned_clock
from walker.browser.page_witness import PageWitness
from walker.browser.stream_log import StreamLog
from walker.browser.witness_script import WITNESS
from walker.exchange import Doubt, Exchange, Heard

BODY_BYTES = 10_000_000
"""Of a response that is kept; a larger one is told, and not kept."""
REDIRECTS = frozenset((301, 302, 303, 307, 308))
WAIT_SECONDS = 3.0
"""For bodies that are on their way when a page is done."""
_STREAMS = frozenset(("eventsource", "websocket"))


class NetworkLog:
    """Exchanges in the order in which they were complete. `watch` is given to a browser, `take` asked after each page."""

    def __init__(self, *, pinned_at: float = 0.0) -> None:
        """`pinned_at`: where the pages' clock is pinned, 0 for pages that are left as they are."""
        self._pinned_at = pinned_at
        self._done: list[Exchange] = []
        self._doubts: list[Doubt] = []
        self._pending: set[asyncio.Task[None]] = set()
        self._open: dict[Request, None] = {}
        """What was asked for and not answered yet."""
        self._witness, self._streams = PageWitness(), StreamLog()
        self._context: BrowserContext | None = None

    async def watch(self, context: BrowserContext) -> None:
        """Listen to all pages of a context."""
        self._context = context
        self._open.clear()
        # One script, for the first must hear before the second has changed the clock that it dates by.
        second = pinned_clock(self._pinned_at) if self._pinned_at else WITNESS
        await context.add_init_script(f"{EVENT_SOURCES}\n{second}")
        self._witness.watch(context)
        self._streams.watch(context)
        context.on("request", self._begin)
        context.on("requestfinished", self._start)
        context.on("requestfailed", self._start)

    async def take(self) -> Heard:
        """What has come since the last call; waits a little for what is on its way."""
        if self._context is None:
            return Heard()
        witnessed, streams = await self._witness.take(self._context), await self._streams.take(self._context)
        if self._pending:
            await asyncio.wait(tuple(self._pending), timeout=WAIT_SECONDS)
        late = [_unfinished(request) for request in self._open if request.resource_type not in _STREAMS]
        self._open.clear()
        done, self._done = tuple(self._done), []
        doubts, self._doubts = (*self._doubts, *late, *witnessed), []
        return Heard(exchanges=done, streams=streams, doubts=doubts)

    def _begin(self, request: Request) -> None:
        if request.url.startswith(("http://", "https://")):
            self._open[request] = None

    def _start(self, request: Request) -> None:
        if not request.url.startswith(("http://", "https://")):
            return
        self._open.pop(request, None)
        if request.resource_type in _STREAMS:
            # It ended with its page; what it brought is kept message by message.
            return
        task = asyncio.ensure_future(self._keep(request))
        self._pending.add(task)
        task.add_done_callback(self._pending.discard)

    async def _keep(self, request: Request) -> None:
        try:
            exchange = await _exchange_of(request)
        except Error:
            # The page is gone, and what it was given with it.
            gone = "the page was left before it could be kept"
            self._doubts.append(Doubt(kind="body missing", url=request.url, detail=gone))
            return
        if exchange.error and exchange.status:
            self._doubts.append(Doubt(kind="body cut", url=exchange.url, detail=exchange.error))
        self._done.append(exchange)


def _unfinished(request: Request) -> Doubt:
    return Doubt(kind="body missing", url=request.url, detail="its answer was still coming when the page was read")


async def _exchange_of(request: Request) -> Exchange:
    timing = request.timing
    exchange = Exchange(
        method=request.method,
        url=request.url,
        resource=request.resource_type,
        request_headers=request.headers,
        request_body=request.post_data_buffer or b"",
        error=request.failure or "",
        at=round(timing["startTime"] / 1000, 3) if timing["startTime"] > 0 else round(time.time(), 3),
        seconds=round(max(0.0, timing["responseEnd"]) / 1000, 4),
    )
    response = None if request.failure else await request.response()
    if response is None:
        return exchange
    headers = await response.all_headers()  # those that the page sees lack its cookies
    exchange = msgspec.structs.replace(exchange, status=response.status, headers=headers)
    if response.status in REDIRECTS and (place := headers.get("location")):
        # Such a response has no body that could be asked for.
        return msgspec.structs.replace(exchange, redirect_to=urljoin(request.url, place))
    body = await response.body()
    if len(body) > BODY_BYTES:
        return msgspec.structs.replace(exchange, error=f"a body of {len(body)} bytes was not kept")
    return msgspec.structs.replace(exchange, body=body)
