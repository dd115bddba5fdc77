"""Listens to what the pages of a context ask for and are given."""

from __future__ import annotations

import asyncio
import time
from urllib.parse import urljoin

import msgspec
from playwright.async_api import BrowserContext, Error, Request

from walker.exchange import Exchange

BODY_BYTES = 10_000_000
"""Of a response that is kept; a larger one is told, and not kept."""
REDIRECTS = frozenset((301, 302, 303, 307, 308))
WAIT_SECONDS = 3.0
"""For bodies that are on their way when a page is done."""


class NetworkLog:
    """Exchanges in the order in which they were complete. `watch` is given to a browser, `take` asked after each page."""

    def __init__(self) -> None:
        self._done: list[Exchange] = []
        self._pending: set[asyncio.Task[None]] = set()

    async def watch(self, context: BrowserContext) -> None:
        """Listen to all pages of a context."""
        context.on("requestfinished", self._start)
        context.on("requestfailed", self._start)

    async def take(self) -> tuple[Exchange, ...]:
        """What has come since the last call; waits a little for what is on its way."""
        if self._pending:
            await asyncio.wait(tuple(self._pending), timeout=WAIT_SECONDS)
        done, self._done = tuple(self._done), []
        return done

    def _start(self, request: Request) -> None:
        if not request.url.startswith(("http://", "https://")):
            return
        task = asyncio.ensure_future(self._keep(request))
        self._pending.add(task)
        task.add_done_callback(self._pending.discard)

    async def _keep(self, request: Request) -> None:
        try:
            self._done.append(await _exchange_of(request))
        except Error:
            # The page is gone, and what it was given with it.
            return


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
    exchange = msgspec.structs.replace(exchange, status=response.status, headers=response.headers)
    if response.status in REDIRECTS and (place := response.headers.get("location")):
        # Such a response has no body that could be asked for.
        return msgspec.structs.replace(exchange, redirect_to=urljoin(request.url, place))
    body = await response.body()
    if len(body) > BODY_BYTES:
        return msgspec.structs.replace(exchange, error=f"a body of {len(body)} bytes was not kept")
    return msgspec.structs.replace(exchange, body=body)
