"""A site whose pages are made by scripts and change with every request; it can be taken away."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler

from tests.sites.listening import listen

HOME = """<!doctype html><html lang="en"><head><title>Harbour</title><link rel="stylesheet" href="/style.css"></head><body>
<main><h1>Harbour office</h1><p>The harbour office keeps a list of the ships that lie in the harbour on this day.</p>
<p id="tide">?</p><p id="posted">?</p><img src="/pixel.png" alt="a pixel">
<ul><li><a href="/ships">Ships in the harbour</a></li></ul></main>
<script>
fetch('/tide.json').then(r => r.json()).then(d => fetch('/tide.json').then(r => r.json()).then(e => {
  document.getElementById('tide').textContent = 'The tide stood at ' + d.level + ' and then at ' + e.level + ' metres.';
}));
fetch('/echo', {method: 'POST', body: 'name=Mantis'}).then(r => r.text()).then(t => {
  document.getElementById('posted').textContent = 'The office answered: ' + t;
});
</script></body></html>"""
SHIPS = """<!doctype html><html lang="en"><head><title>Ships</title></head><body><main><h1>Ships in the harbour</h1>
<p>The research vessel Mantis is {length} metres long and lies at the north quay since the morning.</p></main></body></html>"""
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000 1f15c4890000000d49444154789c6360606060000000"
    "0500 01a5f645400000000049454e44ae426082".replace(" ", "")
)


class _Handler(BaseHTTPRequestHandler):
    counter: itertools.count[int]
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        match self.path:
            case "/":
                self._give("text/html", HOME.encode())
            case "/tide.json":
                self._give("application/json", json.dumps({"level": next(self.counter)}).encode())
            case "/ships":
                self.send_response(302)
                self.send_header("Location", "/harbour/ships.html")
                self.send_header("Content-Length", "0")
                self.end_headers()
            case "/harbour/ships.html":
                self._give("text/html", SHIPS.format(length=18.4).encode())
            case "/style.css":
                self._give("text/css", b"p { color: rgb(10, 20, 30) }")
            case "/pixel.png":
                self._give("image/png", PIXEL)
            case _:
                self._give("text/html", b"<h1>Not found</h1>", 404)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self._give("text/plain", b"you said " + body)

    def _give(self, kind: str, body: bytes, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("Set-Cookie", "session=planted-cookie-7d1f")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        return


@contextmanager
def serve_changing() -> Iterator[str]:
    """Its address; the site is gone when the block ends."""
    handler = type("_Counting", (_Handler,), {"counter": itertools.count(1)})
    with listen(handler) as address:
        yield f"{address}/"
