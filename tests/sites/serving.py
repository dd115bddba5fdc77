"""Real servers on loopback: a site is a function, or a method, from what is asked to what is answered."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from email.message import Message
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BufferedIOBase
from typing import Any, TypeVar
from urllib.parse import parse_qsl

import msgspec

HTML = "text/html; charset=utf-8"


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """One request."""

    method: str
    target: str
    """The path as it was sent, with its query."""
    headers: Message
    """By their names, in whatever case."""
    body: bytes = b""
    rest: BufferedIOBase
    """What comes over the connection after the request."""
    time: int = 1
    """How often this path was asked for, this time included."""

    @property
    def path(self) -> str:
        """Without the query."""
        return self.target.partition("?")[0]

    @property
    def parts(self) -> list[str]:
        """Of the path, empty ones left out."""
        return [part for part in self.path.split("/") if part]

    @property
    def query(self) -> dict[str, str]:
        """The last value of each name."""
        return dict(parse_qsl(self.target.partition("?")[2], keep_blank_values=True))

    @property
    def form(self) -> dict[str, str]:
        """What was posted, as a form sends it."""
        return dict(parse_qsl(self.body.decode("utf-8", "replace"), keep_blank_values=True))

    @property
    def cookies(self) -> dict[str, str]:
        """What it was given before."""
        return {name: one.value for name, one in SimpleCookie(self.headers.get("Cookie", "")).items()}


class Answer(msgspec.Struct, frozen=True):
    """What is sent."""

    body: str | bytes = b""
    status: int = 200
    kind: str = HTML
    """Its type, "" for none. One without a body has none, unless the headers say so."""
    headers: tuple[tuple[str, str], ...] = ()
    parts: Iterable[bytes] | None = None
    """Instead of a body, one after another and without a length."""
    raw: Iterable[bytes] | None = None
    """All that goes over the wire, from the status line on; the connection is closed behind it."""


NOT_FOUND = Answer("<title>Not found</title><h1>Not found</h1>", 404)


class HungUp(Exception):
    """Raised by a site that closes the connection without an answer."""


WITHOUT_BODY = frozenset((204, 304))
"""Statuses of answers that have none, nor a length of it (RFC 9110)."""


def moved(place: str, status: int = 302, *, cookie: str = "") -> Answer:
    """A redirect."""
    return Answer(status=status, headers=(("Location", place), *((("Set-Cookie", cookie),) if cookie else ())))


Site = Callable[[Asked], Answer | str | None]
"""A text is a page, None a page that is not there."""


class LoopbackSite(ThreadingHTTPServer):
    """Serves a site, and keeps what it was asked for. A site with more to it overrides `answer`."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def __init__(
        self, site: Site | None = None, *, keep_alive: bool = False, host: str = "127.0.0.1", port: int = 0
    ) -> None:
        super().__init__((host, port), _Lasting if keep_alive else _Handler)
        self._site = site
        self.asked: list[str] = []
        """Paths with their queries in order, the method before them where it is not GET."""
        self._times: Counter[str] = Counter()

    @property
    def home(self) -> str:
        """Its address, with a slash."""
        host, port = self.server_address[:2]
        return f"http://{host!s}:{port}/"

    def time_of(self, path: str) -> int:
        """How often it was asked for, this time included, whatever became of the list above."""
        self._times[path] += 1
        return self._times[path]

    def times_asked(self) -> Counter[str]:
        """How often for each path, whatever the query."""
        return Counter(target.partition("?")[0] for target in self.asked)

    def answer(self, asked: Asked) -> Answer | str | None:
        """The answer to one request; in a thread of its own."""
        assert self._site is not None, "a site is given, or this is overridden"
        return self._site(asked)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that went away is no trouble of the server's."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    server: LoopbackSite
    disable_nagle_algorithm = True
    """A body would wait for the acknowledgement of its head, which the other end of a kept connection holds back for 40 ms."""

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        time = self.server.time_of(self.path.partition("?")[0])
        asked = Asked(
            method=self.command, target=self.path, headers=self.headers, body=body, rest=self.rfile, time=time
        )
        if asked.path != "/favicon.ico":
            self.server.asked.append(self.path if self.command == "GET" else f"{self.command} {self.path}")
        try:
            answer = self.server.answer(asked)
        except HungUp:
            self.close_connection = True
            return
        answer = NOT_FOUND if answer is None else Answer(answer) if isinstance(answer, str) else answer
        with contextlib.suppress(OSError):
            self._send(answer)

    def do_POST(self) -> None:
        self.do_GET()

    def do_PUT(self) -> None:
        self.do_GET()

    def _send(self, answer: Answer) -> None:
        if answer.raw is not None:
            self.close_connection = True
            for piece in answer.raw:
                self.wfile.write(piece)
            return
        body = answer.body.encode() if isinstance(answer.body, str) else answer.body
        headers = {"Content-Type": answer.kind} if answer.kind and (body or answer.parts) else {}
        if answer.parts is None and answer.status not in WITHOUT_BODY:
            headers["Content-Length"] = str(len(body))
        given = {name.lower() for name, _ in answer.headers}
        self.send_response(answer.status)
        for name, value in (
            *((name, value) for name, value in headers.items() if name.lower() not in given),
            *answer.headers,
        ):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
        for part in answer.parts or ():
            self.wfile.write(part)
        self.close_connection |= answer.parts is not None

    def log_message(self, *_: object) -> None:
        """A test says what it saw by itself."""


class _Lasting(_Handler):
    protocol_version = "HTTP/1.1"


SiteT = TypeVar("SiteT", bound=ThreadingHTTPServer)


@contextlib.contextmanager
def serving(site: SiteT) -> Iterator[SiteT]:
    """Serve it while the block lasts."""
    thread = threading.Thread(target=site.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield site
    finally:
        site.shutdown()
        site.server_close()
        thread.join()
