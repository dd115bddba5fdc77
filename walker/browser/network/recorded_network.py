"""Serves recorded responses to a browser in the place of the network; what was not recorded is refused and counted."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable

from playwright.async_api import BrowserContext, Error, Request, Route

from traces.reading.streams import RecordedStream
from walker.browser.network.page_clock import pinned_clock, running_clock
from walker.browser.network.recorded_streams import RecordedStreams
from walker.seams.exchange import Exchange

NOWHERE = "127.0.0.1:9"
"""The discard port, where nobody listens: what would go round the route below ends here."""
HOPS_AT_MOST = 20
LEFT = "net::ERR_ABORTED"
"""What Chromium says of a request whose page was left."""
_NOT_SERVED = frozenset(("content-encoding", "content-length", "transfer-encoding"))
"""Bodies are kept as they were decoded."""


class RecordedNetwork:
    """Exchanges by what was asked, each key with a cursor: an address that answered 1, 2, 3 answers so again."""

    def __init__(
        self, exchanges: Iterable[Exchange], streams: Iterable[RecordedStream] = (), *, pinned_at: float = 0.0
    ) -> None:
        """`pinned_at`: where the pages' clock was pinned, 0 for a natural recording."""
        self._streams = RecordedStreams(streams)
        self._answers: dict[tuple[str, str, str], list[Exchange]] = defaultdict(list)
        self._next: dict[tuple[str, str, str], int] = defaultdict(int)
        self._pinned_at, self._began = pinned_at, 0.0
        for exchange in exchanges:
            self._answers[_key(exchange.method, exchange.url, exchange.request_body)].append(exchange)
            self._began = self._began or exchange.at
        self.served = 0
        self.repeated = 0
        """Answers given once more than they were recorded."""
        self._unknown: list[str] = []

    @property
    def off_tape(self) -> tuple[str, ...]:
        """What was asked and not recorded: method and address, or what was sent."""
        return (*self._unknown, *self._streams.off_tape)

    def advance(self) -> None:
        """The walk goes on with the page that is open: let come what its streams brought meanwhile."""
        self._streams.advance()

    async def serve(self, context: BrowserContext) -> None:
        """Answer all requests of a context from now on."""
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
                # It was not answered while the page was there, and is not now.
                return
            elif exchange.error or not exchange.status:
                await route.abort("failed")
            else:
                self.served += 1
                await route.fulfill(status=exchange.status, headers=_served(exchange), body=exchange.body)
        except Error:
            # The page was left before its answer came.
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
                # No content: the page does not ask again.
                await route.fulfill(status=204)
        except Error:
            # The page was left before its answer came.
            return

    def _find(self, method: str, url: str, body: bytes) -> Exchange | None:
        """The next answer, followed to where it led: the browser would go to that address by itself, past the route."""
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
