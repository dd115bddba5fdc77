"""Serves a site that is one function from what was asked to what is answered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl

import msgspec

from tests.sites.serving import serving

HTML = "text/html; charset=utf-8"


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A request. `path` is as it was sent, without its query; names of headers are in lower case."""

    path: str
    query: Mapping[str, str] = {}
    form: Mapping[str, str] = {}
    """What was posted."""
    method: str = "GET"
    headers: Mapping[str, str] = {}
    cookies: Mapping[str, str] = {}
    time: int = 1
    """How often this path was asked for, this time included."""

    @property
    def parts(self) -> list[str]:
        """Of the path, empty ones left out."""
        return [part for part in self.path.split("/") if part]


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What is sent. A header that is None is left out, also one that is sent by default; `raw` is all that goes over the wire."""

    body: bytes | str = b""
    status: int = 200
    headers: Mapping[str, str | None] = {}
    raw: bytes | Iterator[bytes] = b""


Site = Callable[[Asked], Answer | str | None]
"""A text is a page; None is a page that is not there."""


def redirect(place: str, status: int = 302, cookie: str = "") -> Answer:
    """To another address."""
    return Answer(status=status, headers={"Location": place, "Set-Cookie": cookie or None})


class PracticeServer(ThreadingHTTPServer):
    """A site on loopback, and what it was asked for."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def __init__(self, site: Site) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.site = site
        self.asked: Counter[str] = Counter()
        """Requests by path and query."""
        self.times: Counter[str] = Counter()

    @property
    def home(self) -> str:
        """Its address, with a slash at its end."""
        return f"http://127.0.0.1:{self.server_port}/"

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that left is no trouble of the server's."""


class _Handler(BaseHTTPRequestHandler):
    server: PracticeServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path, _, query = self.path.partition("?")
        server = self.server
        server.asked[self.path] += 1
        server.times[path] += 1
        sent = self.rfile.read(int(self.headers.get("content-length") or 0))
        asked = Asked(
            path=path,
            query=dict(parse_qsl(query, keep_blank_values=True)),
            form=dict(parse_qsl(sent.decode("utf-8", "replace"), keep_blank_values=True)),
            method=self.command,
            headers={name.lower(): value for name, value in self.headers.items()},
            cookies={name: one.value for name, one in SimpleCookie(self.headers.get("cookie", "")).items()},
            time=server.times[path],
        )
        made = server.site(asked)
        if made is None:
            made = Answer(body="<!doctype html><title>404 Not Found</title><h1>Not Found</h1>", status=404)
        self._send(made if isinstance(made, Answer) else Answer(body=made))

    do_POST = do_GET  # noqa: N815 (as the server calls it)

    def _send(self, answer: Answer) -> None:
        with suppress(ConnectionError):
            if answer.raw:
                self.close_connection = True
                for piece in (answer.raw,) if isinstance(answer.raw, bytes) else answer.raw:
                    self.wfile.write(piece)
                return
            body = answer.body.encode() if isinstance(answer.body, str) else answer.body
            headers: dict[str, str | None] = {"Content-Type": HTML, "Content-Length": str(len(body))}
            self.send_response(answer.status)
            for name, value in (headers | dict(answer.headers)).items():
                if value is not None:
                    self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

    def log_message(self, *_: object) -> None: ...


@contextmanager
def serve_site(site: Site) -> Iterator[PracticeServer]:
    """The site, until the end of the block."""
    with serving(PracticeServer(site)) as server:
        yield server
