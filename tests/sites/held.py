"""A real server on loopback that keeps what it was asked for, and holds pages back until they are let go."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class HeldSite(ThreadingHTTPServer):
    """Serves `pages` by path. A path in `held` is answered only after `let_go`."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, pages: Mapping[str, str], held: frozenset[str]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.pages, self.held = pages, held
        self.asked: list[str] = []
        self.holds = threading.Event()
        """Set when a page is being held back."""
        self._free = threading.Event()

    @property
    def address(self) -> str:
        """Of the site, with a slash."""
        return f"http://127.0.0.1:{self.server_address[1]}/"

    def let_go(self) -> None:
        """Answer what is held back, and hold nothing more."""
        self._free.set()

    def wait_for(self, path: str) -> None:
        """Until the page may be answered."""
        self.asked.append(path)
        if path in self.held and not self._free.is_set():
            self.holds.set()
            self._free.wait(30)

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that was killed is no trouble of the server's."""


class _Handler(BaseHTTPRequestHandler):
    server: HeldSite

    def do_GET(self) -> None:
        self.server.wait_for(self.path)
        body = self.server.pages.get(self.path, "").encode()
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with contextlib.suppress(OSError):
            self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        pass


@contextlib.contextmanager
def serve_held(pages: Mapping[str, str], *held: str) -> Iterator[HeldSite]:
    """The site, while the block lasts."""
    server = HeldSite(pages, frozenset(held))
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.let_go()
        server.shutdown()
        server.server_close()
        thread.join()
