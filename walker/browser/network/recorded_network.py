"""Serves recorded responses to a browser instead of the network; unrecorded requests are refused and reported."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable

from playwright.async_api import BrowserContext, Error, Request, Route

from traces.reading.streams import RecordedStream
from walker.browser.network.page_clock import pinned_clock, running_clock
from walker.browser.network.recorded_streams import RecordedStreams
from walker.seams.web.exchange import Exchange

NOWHERE = "127.0.0.1:9"
"""The discard port, where nothing listens: requests that bypass the route below fail here."""
HOPS_AT_MOST = 20
LEFT = "net::ERR_ABORTED"
"""Chromium's error for a request whose page was left."""
_NOT_SERVED = frozenset(("content-encoding", "content-length", "transfer-encoding"))
"""Headers to drop, since recorded bodies are decompressed."""


class RecordedNetwork:
    """Recorded exchanges by request, each with a cursor: a URL that responded 1, 2, 3 does so again."""

    def __init__(
        self, exchanges: Iterable[Exchange], streams: Iterable[RecordedStream] = (), *, pinned_at: float = 0.0
    ) -> None:
        """`pinned_at`: time at which the pages' clock was fixed, 0 for the real clock."""
        self._streams = RecordedStreams(streams)
        self._answers: dict[tuple[str, str, str], list[Exchange]] = defaultdict(list)
        self._next: dict[tuple[str, str, str], int] = defaultdict(int)
        self._pinned_at, self._began = pinned_at, 0.0
        for exchange in exchanges:
            self._answers[_key(exchange.method, exchange.url, exchange.request_body)].append(exchange)
            self._began = self._began or exchange.at
        self.served = 0
        self.repeated = 0
        """Number of responses served more often than recorded."""
        self._unknown: list[str] = []

    @property
    def unrecorded(self) -> tuple[str, ...]:
        """Unrecorded requests: method and URL, or the message sent."""
        return (*self._unknown, *self._streams.unrecorded)

    def advance(self) -> None:
        """Deliver the stream messages up to the walk's next step on the open page."""
        self._streams.advance()

    async def serve(self, context: BrowserContext) -> None:
        """Answer all requests of a context from now on. Register before the first page."""
        pinned = self._pinned_at
        await context.add_init_script(pinned_clock(pinned) if pinned else running_clock(self._began))
        await context.route("**/*", self._answer)
        await self._streams.serve(context)

    async def _answer(self, route: Route, request: Request) -> None:
        if request.resource_type == "eventsource":
            await self._answer_stream(route, request)
            return
        exchange = self._find(request.method, request.url, request.post_data_buffer or b"")
        try:
            if exchange is None:
                self._unknown.append(f"{request.method} {request.url}")
                await route.abort("failed")
            elif exchange.error == LEFT and exchange.resource != "document":
                # It got no response while the page was open, and gets none now.
                return
            elif exchange.error or not exchange.status:
                await route.abort("failed")
            else:
                self.served += 1
                await route.fulfill(status=exchange.status, headers=_served(exchange), body=exchange.body)
        except Error:
            # The page was left before the response.
            return

    async def _answer_stream(self, route: Route, request: Request) -> None:
        body = self._streams.event_stream(request.url)
        try:
            if body is None:
                self._unknown.append(f"{request.method} {request.url}")
                await route.abort("failed")
            elif body:
                self.served += 1
                await route.fulfill(status=200, headers={"content-type": "text/event-stream"}, body=body)
            else:
                # Status 204: the page does not reconnect.
                await route.fulfill(status=204)
        except Error:
            # The page was left before the response.
            return

    def _find(self, method: str, url: str, body: bytes) -> Exchange | None:
        """The next response, with redirects resolved: the browser would follow a redirect itself, bypassing the route."""
        found = self._take(method, url, body)
        for _ in range(HOPS_AT_MOST):
            if found is None or not found.redirect_to:
                return found
            method = "GET" if found.status in (301, 302, 303) else method
            found = self._take(method, found.redirect_to, b"" if method == "GET" else body)
        return None

    def _take(self, method: str, url: str, body: bytes) -> Exchange | None:
        key = _key(method, url, body)
        answers = self._answers.get(key)
        if not answers:
            return None
        place = self._next[key]
        self._next[key] = place + 1
        self.repeated += place >= len(answers)
        return answers[min(place, len(answers) - 1)]


def _key(method: str, url: str, body: bytes) -> tuple[str, str, str]:
    return method, url.partition("#")[0], hashlib.sha256(body).hexdigest()[:16]


def _served(exchange: Exchange) -> dict[str, str]:
    return {name: value for name, value in exchange.headers if name.lower() not in _NOT_SERVED and value != "(secret)"}
