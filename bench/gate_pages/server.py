"""The pages on a loopback address."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from gate_pages.archetype import GatePage

_TYPES = {"svg": "image/svg+xml", "js": "text/javascript", "html": "text/html; charset=utf-8"}


@contextmanager
def serve_pages(pages: Iterable[GatePage]) -> Iterator[str]:
    """Yields the base address, without a slash at its end."""
    content: dict[str, str] = {}
    for page in pages:
        content[page.path] = page.html
        content.update({page.path + name: body for name, body in page.files.items()})

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = content.get(self.path)
            self.send_response(200 if body is not None else 404)
            self.send_header("Content-Type", _TYPES.get(self.path.rsplit(".", 1)[-1], _TYPES["html"]))
            self.end_headers()
            self.wfile.write((body or "<h1>Not found</h1>").encode())

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
