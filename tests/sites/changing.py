"""A site whose pages are made by scripts and change with every request; it can be taken away."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from contextlib import contextmanager

from tests.sites.serving import Answer, Asked, LoopbackSite, moved, serving

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


KEPT = (("Cache-Control", "no-store"), ("Set-Cookie", "session=planted-cookie-7d1f"))


@contextmanager
def serve_changing() -> Iterator[str]:
    """Its address; the site is gone when the block ends."""
    counter = itertools.count(1)

    def answer(asked: Asked) -> Answer | None:
        if asked.method == "POST":
            return Answer(b"you said " + asked.body, kind="text/plain", headers=KEPT)
        match asked.target:
            case "/":
                return Answer(HOME, kind="text/html", headers=KEPT)
            case "/tide.json":
                return Answer(json.dumps({"level": next(counter)}), kind="application/json", headers=KEPT)
            case "/ships":
                return moved("/harbour/ships.html")
            case "/harbour/ships.html":
                return Answer(SHIPS.format(length=18.4), kind="text/html", headers=KEPT)
            case "/style.css":
                return Answer("p { color: rgb(10, 20, 30) }", kind="text/css", headers=KEPT)
            case "/pixel.png":
                return Answer(PIXEL, kind="image/png", headers=KEPT)
            case _:
                return None

    with serving(LoopbackSite(answer, keep_alive=True)) as site:
        yield site.home
