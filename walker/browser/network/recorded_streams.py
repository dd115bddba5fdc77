"""Serves recorded WebSockets and event streams to a browser: received messages are delivered in order, after the messages that the
page sent before them."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable

from playwright.async_api import BrowserContext, WebSocketRoute

from traces.events import StreamMessage
from traces.reading.streams import RecordedStream, event_stream_of

NEVER_AGAIN = b"retry: 86400000\n\n"
"""Milliseconds after which a page reconnects an ended event stream."""


class _Served:
    """One WebSocket of a page. A message sent by the page releases the recorded server messages after it."""

    def __init__(self, route: WebSocketRoute, stream: RecordedStream) -> None:
        self._route = route
        self._now, self._later = deque[StreamMessage](), deque(stream.parts)
        self.unlike: list[str] = []
        """Messages that the page sent, but not in the recording."""
        route.on_message(self._receive)
        self.advance()

    def advance(self) -> None:
        """Deliver the messages up to the next page, whether or not the page has sent its own."""
        for message in self._now:
            if not message.is_sent:
                self._send(message)
        self._now = deque(self._later.popleft() if self._later else ())
        self._deliver()

    def _receive(self, payload: str | bytes) -> None:
        expected = self._now.popleft() if self._now else None
        if expected is None or payload != (expected.text if expected.data is None else expected.data):
            self.unlike.append(f"sent to {self._route.url}: {payload[:80]!r}")
        self._deliver()

    def _deliver(self) -> None:
        while self._now and not self._now[0].is_sent:
            self._send(self._now.popleft())

    def _send(self, message: StreamMessage) -> None:
        self._route.send(message.text if message.data is None else message.data)


class RecordedStreams:
    """Streams by URL, each with a cursor. An unrecorded URL is never answered, and reported."""

    def __init__(self, streams: Iterable[RecordedStream]) -> None:
        self._left: dict[str, deque[RecordedStream]] = defaultdict(deque)
        self._known: set[str] = set()
        for stream in streams:
            self._left[stream.url].append(stream)
            self._known.add(stream.url)
        self._served: list[_Served] = []
        self._unknown: list[str] = []

    async def serve(self, context: BrowserContext) -> None:
        """Answer all WebSockets of a context from now on. Register before the first page."""
        await context.route_web_socket("**/*", self._open)

    def advance(self) -> None:
        """Deliver the messages that arrived before the next page was read."""
        for served in self._served:
            served.advance()

    def event_stream(self, url: str) -> bytes | None:
        """The content of an event stream until its page was read; b"" if it was not opened again, None if it was never recorded."""
        if url not in self._known:
            return None
        if not self._left[url]:
            return b""
        stream = self._left[url].popleft()
        return NEVER_AGAIN + event_stream_of(stream.parts[0] if stream.parts else ())

    @property
    def unrecorded(self) -> tuple[str, ...]:
        """Streams opened and messages sent by pages that are not in the recording."""
        return (*self._unknown, *(line for served in self._served for line in served.unlike))

    def _open(self, route: WebSocketRoute) -> None:
        if not self._left[route.url]:
            self._unknown.append(f"WebSocket {route.url}")
            route.on_message(lambda _: None)
            return
        self._served.append(_Served(route, self._left[route.url].popleft()))
