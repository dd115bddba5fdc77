"""A small site with known truth, for crawls: lists of items over several pages, categories, redirects, failures that pass.

Runs in a process or a thread; counts what it is asked for in a file that outlives a killed crawler.
"""

from __future__ import annotations

import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

ITEMS = 60
A_PAGE = 6
COPIES = 3
"""Addresses under which a category says what it says under its own."""
PAGES = 1 + ITEMS // A_PAGE + ITEMS + 4
"""Front, lists, items, categories."""
SENTENCES = (
    "lamp chair table river stone garden window letter bridge market forest harbour kettle ladder mirror pillow".split()
)


def item_text(number: int) -> str:
    words = [SENTENCES[(number * 7 + k * (number + 3)) % len(SENTENCES)] + str((number * k) % 11) for k in range(40)]
    return " ".join(words)


def page_of(path: str) -> str | None:
    """The markup of an address, None where there is none."""
    name, _, number = path.strip("/").partition("/")
    if path == "/":
        lists = "".join(f"<a href=/list/{n}>List {n}</a> " for n in range(ITEMS // A_PAGE))
        return f"<title>Front</title><h1>Front</h1>{lists}<a href=/category/0>Category</a><a href=/old/3>Old</a>"
    if name == "list" and number.isdecimal() and int(number) < ITEMS // A_PAGE:
        n = int(number)
        rows = "".join(f"<li><a href=/item/{i}>Item {i}</a></li>" for i in range(n * A_PAGE, (n + 1) * A_PAGE))
        return (
            f"<title>List {n}</title><h1>List {n}</h1><ul>{rows}</ul><a href=/list/{n + 1}>Next</a><a href=/>Front</a>"
        )
    if name == "item" and number.isdecimal() and int(number) < ITEMS:
        n = int(number)
        source = f"&from={n}" if n < COPIES else ""
        return (
            f"<title>Item {n}</title><h1>Item {n}</h1><p class=price>{n * 3 + 1} EUR</p><p>{item_text(n)}</p>"
            f"<a href=/item/{(n * 5 + 1) % ITEMS}>Related</a><a href=/category/{n % 4}?utm_source=item{n}{source}>Category</a>"
        )
    if name == "category" and number.isdecimal() and int(number) < 4:
        n = int(number)
        rows = "".join(f"<a href=/item/{i}>Item {i}</a> " for i in range(n, ITEMS, 4))
        return f"<title>Category {n}</title><h1>Category {n}</h1>{rows}"
    return None


class Counting(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, delay: float) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.delay = delay
        self.asked: Counter[str] = Counter()
        self.at_a_time = self.most_at_a_time = 0
        self.lock = threading.Lock()

    def wait_for(self, pages: int) -> None:
        """Return when so many were asked for."""
        while sum(self.asked.values()) < pages:
            time.sleep(0.01)

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that was killed is none."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]

    @property
    def home(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/"


class _Handler(BaseHTTPRequestHandler):
    server: Counting
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        server, path = self.server, urlsplit(self.path).path
        with server.lock:
            server.asked[path] += 1
            server.at_a_time += 1
            server.most_at_a_time = max(server.most_at_a_time, server.at_a_time)
        try:
            time.sleep(server.delay)
            if path.startswith("/old/"):
                self._answer(301, b"", {"Location": path.replace("old", "item")})
            elif (page := page_of(path)) is None:
                self._answer(404, b"<title>Not found</title><h1>Not found</h1>")
            else:
                self._answer(200, f"<!doctype html><html><body>{page}</body></html>".encode())
        finally:
            with server.lock:
                server.at_a_time -= 1

    def _answer(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: object) -> None: ...


@contextmanager
def serve_crawl_site(delay: float = 0.0) -> Iterator[Counting]:
    server = Counting(delay)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
