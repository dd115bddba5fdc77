"""The exchanges of a Playwright context, reported to a `Traffic` as they end."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from urllib.parse import urljoin

import msgspec
from playwright.async_api import BrowserContext, Error, Page, Request, Response

from walker.seams.web.exchange import Exchange
from walker.seams.web.traffic import Traffic, too_long, without_body

REDIRECTS = frozenset((301, 302, 303, 307, 308))
BODY_SECONDS, LOAD_SECONDS = 5.0, 5.0


class ContextTraffic:
    """Observes the traffic of all pages of a Playwright context, frames and subresources included."""

    def __init__(self, traffic: Traffic, *, most_bytes: int, on_gone: Callable[[Request], None] | None = None) -> None:
        """A body larger than `most_bytes` is left out, with the reason in its exchange. `on_gone` is called with a request whose page
        was closed before its response could be read."""
        self._traffic, self._most, self._on_gone = traffic, most_bytes, on_gone
        self._delivering: set[asyncio.Task[None]] = set()

    async def watch(self, context: BrowserContext) -> None:
        """Start to observe all pages of a context."""
        context.on("requestfinished", self._on_ended)
        context.on("requestfailed", self._on_ended)

    async def settle(self, page: Page) -> None:
        """Wait until the page's exchanges were delivered, or a timeout; raises what `Traffic.add` raises."""
        with contextlib.suppress(Error):
            await page.wait_for_load_state("load", timeout=LOAD_SECONDS * 1000)
        await self.finish(BODY_SECONDS)

    async def finish(self, seconds: float) -> None:
        """Return when all that ended was told, or when the time is over; raises what `Traffic.add` raises."""
        if self._delivering:
            done, _ = await asyncio.wait(tuple(self._delivering), timeout=seconds)
            self._delivering -= done
            for told in done:
                told.result()

    def drop(self) -> None:
        """Discard what was not delivered yet: the context is about to be closed."""
        for delivery in self._delivering:
            delivery.cancel()

    def _on_ended(self, request: Request) -> None:
        if request.url.startswith(("http://", "https://")):
            self._delivering.add(asyncio.ensure_future(self._deliver(request)))

    async def _deliver(self, request: Request) -> None:
        try:
            exchange = await self._exchange_of(request)
        except Error:
            if self._on_gone is not None:
                self._on_gone(request)
            return
        self._traffic.add(exchange)

    async def _exchange_of(self, request: Request) -> Exchange:
        timing = request.timing
        exchange = Exchange(
            method=request.method,
            url=request.url,
            resource=request.resource_type,
            request_headers=tuple(request.headers.items()),
            request_body=request.post_data_buffer or b"",
            error=request.failure or "",
            at=round(timing["startTime"] / 1000, 3) if timing["startTime"] > 0 else round(time.time(), 3),
            seconds=round(max(0.0, timing["responseEnd"]) / 1000, 4),
        )
        response = None if request.failure else await request.response()
        if response is None:
            return exchange
        place = response.headers.get("location", "") if response.status in REDIRECTS else ""
        exchange = msgspec.structs.replace(
            exchange,
            status=response.status,
            headers=tuple((one["name"], one["value"]) for one in await response.headers_array()),
            request_headers=tuple((one["name"], one["value"]) for one in await request.headers_array()),
            redirect_to=urljoin(request.url, place) if place else "",
        )
        # Such responses have no body to request.
        is_empty = request.method == "HEAD" or 300 <= response.status < 400 or response.status == 204
        return exchange if is_empty else await self._with_body(exchange, response)

    async def _with_body(self, exchange: Exchange, response: Response) -> Exchange:
        length = response.headers.get("content-length", "")
        if length.isdecimal() and int(length) > self._most:
            return too_long(exchange, int(length))
        try:
            body = await response.body()
        except Error:
            return without_body(exchange, "unspecified", "the browser had let go of its body")
        return (
            msgspec.structs.replace(exchange, body=body) if len(body) <= self._most else too_long(exchange, len(body))
        )
