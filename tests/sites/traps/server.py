"""Serves the site, and counts what is asked of each of its places."""

from __future__ import annotations

import contextlib
import itertools
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.sites.traps.endless import TRAPS, Asked, trap_of
from tests.sites.traps.real import Shape, Truth, framed, real_page, truth


class TrapSite(ThreadingHTTPServer):
    """The real pages of a shape, and the traps that are switched on."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def __init__(self, shape: Shape, traps: Iterable[str], port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.shape = shape
        self.traps = frozenset(traps)
        """Names of the traps that are on; may be set at any time."""
        self.asked: list[tuple[str, str]] = []
        """Place and path (with the query) of every request, in order; a place is "real", "missing" or a trap's name."""
        self.numbers = itertools.count(1)

    @property
    def address(self) -> str:
        """Of the site, without a slash."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def truth(self) -> Truth:
        """What a crawl must come to."""
        return truth(self.shape)

    def counts(self) -> Counter[str]:
        """Requests by place."""
        return Counter(place for place, _ in self.asked)

    def answer(self, target: str) -> tuple[int, str]:
        """Status and page (or address, of a redirect) for a path with its query."""
        path, _, query = target.partition("?")
        trap = trap_of(path)
        if trap is not None and trap.name in self.traps:
            self.asked.append((trap.name, target))
            body = trap.answer(Asked(path=path, query=query, shape=self.shape, visit=next(self.numbers)))
            return (302, body[2:]) if body.startswith("->") else (200, body)
        ways = tuple((name.replace("_", " "), TRAPS[name].entry) for name in sorted(self.traps))
        page = real_page(self.shape, target, ways)
        self.asked.append(("missing" if page is None else "real", target))
        return (404, framed("Nothing", "<h1>There is nothing here</h1>")) if page is None else (200, page)

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that was killed is no trouble of the server's."""


class _Handler(BaseHTTPRequestHandler):
    server: TrapSite

    def do_GET(self) -> None:
        status, page = self.server.answer(self.path)
        body = b"" if status == 302 else page.encode()
        self.send_response(status)
        if status == 302:
            self.send_header("Location", page)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with contextlib.suppress(OSError):
            self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        pass


@contextlib.contextmanager
def serve_traps(shape: Shape | None = None, traps: Iterable[str] = tuple(TRAPS)) -> Iterator[TrapSite]:
    """The site, while the block lasts."""
    site = TrapSite(shape or Shape(), traps)
    thread = threading.Thread(target=site.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield site
    finally:
        site.shutdown()
        site.server_close()
        thread.join()
