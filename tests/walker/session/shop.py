"""A small shop on loopback, which counts what is posted to it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlencode

from tests.sites.serving import Answer, Asked, LoopbackSite, moved, serving

MUGS = ("Blue mug", "Red mug", "Green mug", "Black mug")
FRONT = """<html lang=en><title>Shop</title><nav><a href=/about>About us</a> <a href=/logout>Log out</a></nav>
<main><h1>Mugs</h1>
<form action=/search><input type=search name=q aria-label="Search products"><button>Find</button></form>
<ul>{rows}</ul>
<nav aria-label=pagination><a href="/?page=1">1</a> <a href="/?page=2">2</a> <a rel=next href="/?page=2">Next</a></nav>
<details><summary>Delivery</summary><p>Delivered within three days.</p></details>
<a href="http://elsewhere.example/">Our partner</a>
</main>"""
PRODUCT = """<html lang=en><title>{name}</title><main><h1>{name}</h1>
<table><tr><th>Price</th><td>12.50 EUR</td></tr><tr><th>Colour</th><td>{colour}</td></tr></table>
<p id=said></p>
<form method=post action=/cart><button>Add to cart</button></form>
<button id=like onclick="fetch('/like', {{method: 'POST'}}).then(() => said.textContent = 'You like it',
  () => said.textContent = 'That did not work')">Like it</button>
<button id=all onclick="navigator.sendBeacon('/beacon', 'x'); new Worker('/worker.js');
  const made = new XMLHttpRequest(); made.open('PUT', '/put'); made.send(); said.textContent = typeof SharedWorker;
  const form = document.createElement('form'); form.method = 'post'; form.action = '/popup'; form.target = '_blank';
  document.body.append(form); form.submit();
  const frame = document.createElement('iframe'); frame.srcdoc = '<form method=post action=/frame></form><scr'
    + 'ipt>document.forms[0].submit()</scr' + 'ipt>'; document.body.append(frame)">Everything</button>
<button onclick="addEventListener('pagehide', () => navigator.sendBeacon('/left', 'x'));
  setTimeout(() => fetch('/later', {{method: 'POST', keepalive: true}}), 300)">Remind me</button>
</main>"""
LOGIN = """<html lang=en><title>Log in</title><main><h1>Log in</h1><form method=post action=/login>
<label>Name <input name=name></label> <label>Password <input type=password name=password></label>
<label>City <select name=city><option>Berlin<option>Paris</select></label>
<button>Log in</button></form></main>"""
SLOW_SECONDS = 0.7
TOKEN = "t0k-8fd1c2a9e4b7"
WORKER = "fetch('/from-worker', {method: 'POST'})"


class Shop:
    """The site, and what was posted to it."""

    def __init__(self) -> None:
        self.posted: list[str] = []
        self.bodies: list[dict[str, str]] = []

    def __call__(self, asked: Asked) -> Answer | None:
        """Answer."""
        if asked.method not in ("GET", "HEAD"):
            return self._posted(asked)
        if asked.parts[:1] == ["mug"]:
            colour = asked.parts[1]
            return Answer(PRODUCT.format(name=f"{colour.title()} mug", colour=colour))
        if asked.path == "/":
            return Answer(_front(int(asked.query.get("page", "1"))))
        if asked.path == "/slow":
            time.sleep(SLOW_SECONDS)
        if asked.path == "/away":
            return moved(asked.query["to"])
        return _others(asked)

    def _posted(self, asked: Asked) -> Answer:
        self.posted.append(asked.path)
        self.bodies.append(asked.form)
        if asked.path == "/login":
            cookies = (f"who={asked.form.get('name', '')}; Path=/", f"token={TOKEN}; Path=/; HttpOnly")
            place = ("Location", f"/welcome?{urlencode(asked.form)}")
            return Answer(status=303, headers=(place, *(("Set-Cookie", cookie) for cookie in cookies)))
        return moved("/", 303) if asked.path == "/cart" else Answer("{}", kind="application/json")


def _front(page: int) -> str:
    rows = (
        f'<li><a href="/mug/{name.split()[0].lower()}">{name}</a> 12.50 EUR</li>' for name in MUGS[2 * page - 2 :][:2]
    )
    return FRONT.format(rows="".join(rows))


def _others(asked: Asked) -> Answer | None:
    who = asked.cookies.get("who", "nobody")
    texts = {
        "/search": f"One mug for {asked.query.get('q', '')}",
        "/welcome": f"You said {' '.join(asked.query.values())}, and are {asked.cookies.get('token')}",
        "/members": f"The member is called {who}.",
        "/logout": "You are out",
    }
    if asked.path == "/worker.js":
        return Answer(WORKER, kind="text/javascript")
    if asked.path == "/login":
        return Answer(LOGIN)
    title, text = asked.path[1:].title(), texts.get(asked.path)
    return Answer(f"<html lang=en><title>{title}</title><h1>{title}</h1><p>{text}</p>") if text else None


@contextmanager
def serve_shop() -> Iterator[tuple[Shop, str]]:
    """The shop and its address, without a slash at its end."""
    shop = Shop()
    with serving(LoopbackSite(shop)) as served:
        yield shop, served.home.rstrip("/")
