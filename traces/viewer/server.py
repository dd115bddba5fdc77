"""The local viewer server: on loopback, read-only, and answering only its own page."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

from traces.errors import TraceReadError
from traces.viewer.library import Library
from traces.viewer.page_files import POLICY, page_file, start_page

ADDRESS = "127.0.0.1"
PAGE_POLICY = POLICY.format(
    script="'self'", style="'self' 'unsafe-inline'", image="'self' data: blob:", connect="'self'"
)
HEADERS = (
    ("Content-Security-Policy", f"{PAGE_POLICY}; frame-ancestors 'none'"),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("X-DNS-Prefetch-Control", "off"),
    ("Cache-Control", "no-store"),
)
VALUE_POLICY = ("Content-Security-Policy", "default-src 'none'; sandbox; frame-ancestors 'none'")
"""Policy for a blob that is opened by itself."""


class ViewerServer(ThreadingHTTPServer):
    """Serves the runs of a library. Port 0 picks a free one; raises `OSError` if the port is in use."""

    daemon_threads = True
    block_on_close = False  # browsers keep connections open, which must not delay shutdown

    def __init__(self, library: Library, port: int = 0) -> None:
        self.library = library
        super().__init__((ADDRESS, port), _Handler)

    @property
    def url(self) -> str:
        """URL of the page."""
        return f"http://{ADDRESS}:{self.server_port}/"

    @property
    def hosts(self) -> tuple[str, str]:
        """Accepted Host headers. Any other one is a DNS rebinding attack."""
        return f"{ADDRESS}:{self.server_port}", f"localhost:{self.server_port}"


@contextmanager
def serve_runs(library: Library, port: int = 0) -> Iterator[ViewerServer]:
    """Serve while the block runs."""
    server = ViewerServer(library, port)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, name="viewer", daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "walker-view"
    sys_version = ""
    timeout = 60
    server: ViewerServer

    def do_GET(self) -> None:
        """Send a file of the page, or a resource of a run."""
        if self.headers.get("Host") not in self.server.hosts:
            self._send(HTTPStatus.FORBIDDEN, b"this viewer answers only to 127.0.0.1\n")
            return
        path = unquote(urlsplit(self.path).path).removeprefix("/")
        is_own = self.headers.get("Sec-Fetch-Site", "none") in ("none", "same-origin")
        if path.startswith("api/") and not is_own:
            self._send(HTTPStatus.FORBIDDEN, b"this viewer answers only its own page\n")
            return
        try:
            if path.startswith("api/"):
                self._send(HTTPStatus.OK, *self.server.library.answer(path.removeprefix("api/")))
            elif path in ("", "index.html"):
                library = self.server.library
                page = start_page("server", library.single, library.opening)
                self._send(HTTPStatus.OK, page.encode(), "text/html; charset=utf-8")
            else:
                self._send(HTTPStatus.OK, *page_file(path))
        except KeyError:
            self._send(HTTPStatus.NOT_FOUND, b"there is no such resource\n")
        except TraceReadError as error:
            self._send(HTTPStatus.GONE, f"{error.what}\n".encode())

    def _send(self, status: HTTPStatus, body: bytes, media: str = "text/plain; charset=utf-8") -> None:
        try:
            self.send_response(status)
            self.send_header("Content-Type", media)
            self.send_header("Content-Length", str(len(body)))
            is_page = media.startswith(("text/html", "text/css", "text/javascript"))
            for name, value in HEADERS if is_page else (VALUE_POLICY, *HEADERS[1:]):
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)
        except (ConnectionError, TimeoutError):
            self.close_connection = True  # the browser closed the connection early

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the name is the base class's
        """Log nothing: the terminal belongs to the caller."""
