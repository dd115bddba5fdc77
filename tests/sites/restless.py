"""A site whose pages are never the same twice, in every way that a recording of its network has to reckon with."""

from __future__ import annotations

import base64
import hashlib
import itertools
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler

from tests.sites.listening import listen

SECRET = "hunter2-restless-55e1"
ACCEPT_KEY = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
"""RFC 6455, 1.3."""


def _page(title: str, body: str, script: str = "") -> str:
    return (
        f'<!doctype html><html lang="en"><head><title>{title}</title></head><body><main><h1>{title}</h1>{body}</main>'
        f"<script>{script}</script></body></html>"
    )


LINKS = "".join(f'<li><a href="/{name}">{name} of the tower</a></li>' for name in ("gauge", "draw", "slow"))
PAGES = {
    "/": _page(
        "Weather tower",
        "<p>The weather tower measures wind and rain, and tells the time of its last visit.</p>"
        f'<p id="now"></p><ul>{LINKS}</ul>',
        "document.getElementById('now').textContent = 'It is ' + new Date().toLocaleTimeString();",
    ),
    "/gauge": _page(
        "Gauge of the tower",
        '<p>The gauge of the tower sends what it reads as it comes.</p><p id="wind">?</p><p id="rain">?</p>',
        "const socket = new WebSocket('ws://' + location.host + '/socket'), seen = [];"
        "socket.onopen = () => socket.send('more');"
        "socket.onmessage = (event) => { seen.push(event.data); wind.textContent = 'Wind: ' + seen.join(', ');"
        " if (seen.length === 2) socket.send('more'); };"
        "const rains = [], source = new EventSource('/events');"
        "source.addEventListener('rain', (event) => { rains.push(event.data); rain.textContent = 'Rain: ' + rains.join(', '); });",
    ),
    "/draw": _page(
        "Draw of the tower",
        "<p>The draw of the tower gives every visitor a number of their own, and asks for a worker.</p>"
        f'<p id="lot"></p><p>The key of the tower is {SECRET}.</p>',
        "lot.textContent = 'Your lot is ' + Math.random().toString(36).slice(2);"
        "navigator.serviceWorker.register('/worker.js').catch(() => {});",
    ),
    "/slow": _page(
        "Slow of the tower",
        "<p>The slow list of the tower never comes to its end.</p>",
        "fetch('/endless').then((answer) => answer.text());",
    ),
    "/dice": _page(
        "Dice of the tower",
        '<p>The dice of the tower are thrown for every visitor, and the hour is written down.</p><p id="throw"></p><p id="hour"></p>',
        "document.getElementById('throw').textContent = 'Thrown ' + Math.floor(Math.random() * 6) + ', id ' + crypto.randomUUID();"
        "const one = Date.now(), other = +new Date();"
        "hour.textContent = `Now ${one}, then ${other}, for ${other - one} ms, ${typeof Date()}`;",
    ),
    "/coin": _page(
        "Coin of the tower",
        '<p>The coin of the tower is thrown for every visitor who comes by.</p><p id="side"></p>',
        "side.textContent = Math.random() < 0.5 ? 'Heads' : 'Tails';",
    ),
    "/plain": _page("Plain page of the tower", "<p>Nothing on this page of the tower moves, by day or by night.</p>"),
}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    closing: threading.Event
    levels: Iterator[int]

    def do_GET(self) -> None:
        match self.path:
            case "/socket":
                self._talk()
            case "/events":
                self._stream(*(f"event: rain\nid: {level}\ndata: {level} mm\n\n" for level in (3, 4)))
            case "/endless":
                self._stream("the first line of a list\n", kind="text/plain")
            case path:
                self._give(PAGES.get(path))

    def _give(self, page: str | None) -> None:
        body = (page or "<h1>Not found</h1>").encode()
        self.send_response(404 if page is None else 200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _stream(self, *parts: str, kind: str = "text/event-stream") -> None:
        """An answer without an end."""
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.end_headers()
        for part in parts:
            self.wfile.write(part.encode())
            self.wfile.flush()
        self.closing.wait(60)

    def _talk(self) -> None:
        """Greets, and answers each message with the next level; in text and in bytes by turns."""
        self.close_connection = True
        proof = hashlib.sha1((self.headers["Sec-WebSocket-Key"] + ACCEPT_KEY).encode(), usedforsecurity=False)
        self.send_response(101)
        self.send_header("Upgrade", "websocket")
        self.send_header("Connection", "Upgrade")
        self.send_header("Sec-WebSocket-Accept", base64.b64encode(proof.digest()).decode())
        self.end_headers()
        self._say("hello")
        while self._heard() == b"more":
            self._say(f"{next(self.levels)} knots")

    def _say(self, text: str) -> None:
        body = text.encode()
        self.wfile.write(bytes([0x81, len(body)]) + body)
        self.wfile.flush()

    def _heard(self) -> bytes:
        head = self.rfile.read(2)
        if len(head) < 2 or head[0] & 0x0F != 1:
            return b""
        mask, body = self.rfile.read(4), self.rfile.read(head[1] & 0x7F)
        return bytes(byte ^ key for byte, key in zip(body, itertools.cycle(mask), strict=False))

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        return


@contextmanager
def serve_restless() -> Iterator[str]:
    """Its address; the site is gone when the block ends."""
    closing = threading.Event()
    handler = type("_Counting", (_Handler,), {"closing": closing, "levels": itertools.count(11)})
    with listen(handler) as address:
        try:
            yield f"{address}/"
        finally:
            closing.set()
