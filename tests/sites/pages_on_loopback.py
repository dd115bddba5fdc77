"""A real server on loopback for pages that a test writes down."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

_TYPES = {"svg": "image/svg+xml", "js": "text/javascript", "png": "image/png"}


@contextmanager
def serve(pages: Mapping[str, str | bytes]) -> Iterator[str]:
    """Paths ("/a.html") to contents; yields the base address without a slash at its end. Read anew at each request."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = pages.get(self.path)
            self.send_response(404 if body is None else 200)
            self.send_header("Content-Type", _TYPES.get(self.path.rsplit(".", 1)[-1], "text/html; charset=utf-8"))
            self.end_headers()
            content = body if body is not None else "<h1>Not found</h1>"
            self.wfile.write(content.encode() if isinstance(content, str) else content)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
