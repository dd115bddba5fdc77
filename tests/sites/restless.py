"""A site whose pages are never the same twice, in every way that a recording of its network has to reckon with."""

from __future__ import annotations

import base64
import hashlib
import itertools
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedIOBase

from tests.sites.serving import Answer, Asked, LoopbackSite, serving

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
        # A page with so many words is not waited for as long as one that may still be empty.
        f"<p>The slow list of the tower never comes to its end.{' Another line of it may come at any hour.' * 5}</p>",
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


class RestlessSite(LoopbackSite):
    """Tells levels that go up with every one that is asked for."""

    def __init__(self) -> None:
        super().__init__(keep_alive=True)
        self.closing = threading.Event()
        self._levels = itertools.count(11)

    def answer(self, asked: Asked) -> Answer | str | None:
        """A page, a WebSocket, or an answer without an end."""
        match asked.path:
            case "/socket":
                return self._socket(asked)
            case "/events":
                rain = (f"event: rain\nid: {level}\ndata: {level} mm\n\n" for level in (3, 4))
                return Answer(kind="text/event-stream", parts=self._endless(*rain))
            case "/endless":
                return Answer(kind="text/plain", parts=self._endless("the first line of a list\n"))
            case path:
                return PAGES.get(path)

    def _endless(self, *parts: str) -> Iterator[bytes]:
        yield from (part.encode() for part in parts)
        self.closing.wait(60)

    def _socket(self, asked: Asked) -> Answer:
        key = asked.headers["Sec-WebSocket-Key"] + ACCEPT_KEY
        proof = base64.b64encode(hashlib.sha1(key.encode(), usedforsecurity=False).digest()).decode()
        headers = (("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Accept", proof))
        return Answer(status=101, headers=headers, parts=self._talk(asked.rest))

    def _talk(self, rest: BufferedIOBase) -> Iterator[bytes]:
        """Greets, and answers each message with the next level."""
        yield _frame("hello")
        while _heard(rest) == b"more":
            yield _frame(f"{next(self._levels)} knots")


def _frame(text: str) -> bytes:
    body = text.encode()
    return bytes([0x81, len(body)]) + body


def _heard(rest: BufferedIOBase) -> bytes:
    head = rest.read(2)
    if len(head) < 2 or head[0] & 0x0F != 1:
        return b""
    mask, body = rest.read(4), rest.read(head[1] & 0x7F)
    return bytes(byte ^ key for byte, key in zip(body, itertools.cycle(mask), strict=False))


@contextmanager
def serve_restless() -> Iterator[str]:
    """Its address; the site is gone when the block ends."""
    with serving(RestlessSite()) as site:
        try:
            yield site.home
        finally:
            site.closing.set()
