"""What went over the wire while pages were opened, for whoever keeps it. Each driver tells it in its own way."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Protocol

import msgspec
from playwright.async_api import BrowserContext, Error, Page, Request

Headers = tuple[tuple[str, str], ...]

_SECRET = frozenset(("cookie", "authorization", "proxy-authorization", "set-cookie"))
"""Who has these is logged in; they are kept in the state file, if anywhere."""
BODY_SECONDS, LOAD_SECONDS = 5.0, 5.0


class Exchange(msgspec.Struct, frozen=True, kw_only=True):
    """One request and what came back. Redirects are exchanges of their own."""

    url: str
    time: float
    """Seconds since 1970."""
    status: int
    headers: Headers = ()
    body: bytes = b""
    method: str = "GET"
    request_headers: Headers = ()
    request_body: bytes = b""
    protocol: str = "HTTP/1.1"
    ip: str = ""
    """Of the server, where it is known."""
    is_unpacked: bool = True
    """Whether `body` is what the packed content unpacks to, rather than what came over the wire."""


class Traffic(Protocol):
    """Takes exchanges in the order in which they ended. When `add` returns, the exchange survives kill -9. Raises a
    `WalkerError` where it cannot be kept."""

    def add(self, exchange: Exchange) -> None: ...


def without_secrets(headers: Headers) -> Headers:
    """Headers without those that log in."""
    return tuple((name, value) for name, value in headers if name.lower() not in _SECRET)


class ContextTraffic:
    """Tells what the pages of one Playwright context fetched, frames and subresources included."""

    def __init__(self, context: BrowserContext, traffic: Traffic, *, most_bytes: int) -> None:
        """A body that is larger than `most_bytes` is not asked for, and its exchange left out."""
        self._traffic, self._most = traffic, most_bytes
        self._telling: set[asyncio.Task[None]] = set()
        context.on("requestfinished", self._on_finished)

    async def settle(self, page: Page) -> None:
        """Return when what the page fetched was told, or within bounds of time; raises what `Traffic.add` raises."""
        with contextlib.suppress(Error):
            await page.wait_for_load_state("load", timeout=LOAD_SECONDS * 1000)
        if self._telling:
            done, _ = await asyncio.wait(tuple(self._telling), timeout=BODY_SECONDS)
            self._telling -= done
            for told in done:
                told.result()

    def drop(self) -> None:
        """Give up what is not told yet: the context is about to be closed."""
        for telling in self._telling:
            telling.cancel()

    def _on_finished(self, request: Request) -> None:
        if request.url.startswith("http"):
            self._telling.add(asyncio.ensure_future(self._tell(request)))

    async def _tell(self, request: Request) -> None:
        try:
            response = await request.response()
            if response is None or "x-walker-egress" in response.headers:
                return
            length = response.headers.get("content-length", "")
            if length.isdecimal() and int(length) > self._most:
                return
            has_body = request.method != "HEAD" and not 300 <= response.status < 400 and response.status != 204
            body = await response.body() if has_body else b""
            headers = await response.headers_array()
            asked = await request.headers_array()
        except Error:
            # The browser has let go of it: the page went on before it was asked for.
            return
        if len(body) <= self._most:
            exchange = Exchange(
                url=request.url.partition("#")[0],
                time=request.timing["startTime"] / 1000,
                status=response.status,
                headers=without_secrets(tuple((one["name"], one["value"]) for one in headers)),
                body=body,
                method=request.method,
                request_headers=without_secrets(tuple((one["name"], one["value"]) for one in asked)),
                request_body=request.post_data_buffer or b"",
            )
            self._traffic.add(exchange)
