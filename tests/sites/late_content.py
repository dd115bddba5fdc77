"""A site whose pages are filled by what comes after they are parsed, each in another way."""

from __future__ import annotations

import base64
import hashlib
import time
from collections.abc import Iterator
from contextlib import contextmanager

from tests.sites.serving import Answer, Asked, LoopbackSite, serving

LATE_SECONDS = 0.7
"""Far longer than a page takes without what is late; nothing here depends on how much longer."""
TEXT = "<p>The harbour of the reef, its boats, its crew and its weather, since 1997.</p>" * 5
SHOW = "document.body.insertAdjacentHTML('beforeend', '<p>Two boats.</p>')"
PICTURE = "<svg xmlns='http://www.w3.org/2000/svg' width='800' height='400'><rect width='800' height='400'/></svg>"
PAGES = {
    "fetched": f"{TEXT}<script>fetch('/late').then(a => a.text()).then(() => {SHOW})</script>",
    "asked": f"{TEXT}<script>r = new XMLHttpRequest; r.onload = () => {SHOW}; r.open('GET', '/late'); r.send()</script>",
    "body": f"{TEXT}<script>fetch('/slow-body').then(a => a.json()).then(() => {SHOW})</script>",
    "chained": f"{TEXT}<script>fetch('/late').then(() => fetch('/late?2')).then(() => {SHOW})</script>",
    "fetched-timer": f"{TEXT}<script>onload = () => fetch('/late').then(() => setTimeout(() => {SHOW}, 400))</script>",
    "asked-timer": f"{TEXT}<script>r = new XMLHttpRequest; r.onload = () => setTimeout(() => {SHOW}, 400); r.open('GET', '/late'); "
    "onload = () => r.send()</script>",
    "body-timer": f"{TEXT}<script>onload = () => fetch('/slow-body').then(a => a.json()).then(() => setTimeout(() => {SHOW}, 400))"
    "</script>",
    "imported": f"{TEXT}<script type=module>import('/late.js')</script>",
    "built": "<div id=root></div><script type=module>import('/late.js')</script>",
    "script": f"{TEXT}<script>onload = () => document.head.append(Object.assign(document.createElement('script'), "
    "{src: '/late.js'}))</script>",
    "timer": f"{TEXT}<script>setTimeout(() => {SHOW}, 450)</script>",
    "frame": f"{TEXT}<script>onload = () => requestAnimationFrame(() => {SHOW})</script>",
    "idle": f"{TEXT}<script>onload = () => requestIdleCallback(() => {SHOW})</script>",
    "events": f"{TEXT}<script>new EventSource('/event-stream').onmessage = () => {SHOW}</script>",
    "socket": f"{TEXT}<script>new WebSocket(`ws://${{location.host}}/web-socket`).onmessage = () => {SHOW}</script>",
    "scrolled": f"{TEXT}<div style='height:5000px'></div><script>onscrollend = () => {SHOW}; "
    "onload = () => scrollTo({top: 3000, behavior: 'smooth'})</script>",
    # Steps that are late, as on a busy machine.
    "scrolled-slowly": f"{TEXT}<script>onscrollend = () => {SHOW}; let n = 0; "
    "const step = () => { n += 1; dispatchEvent(new Event(n < 8 ? 'scroll' : 'scrollend')); if (n === 8) clearInterval(steps) }; "
    "let steps; onload = () => { scrollTo({top: 0, behavior: 'smooth'}); steps = setInterval(step, 100) }</script>",
    "polling": f"{TEXT}<script>let n = 0; const poll = () => {{ n++; setTimeout(poll, 100) }}; poll()</script>",
    "asks-on": f"{TEXT}<script>const poll = async () => {{ await fetch('/data'); setTimeout(poll, 100) }}; poll()</script>",
    "endless": f"{TEXT}<script>const ask = () => fetch('/late'); ask(); setInterval(ask, 200)</script>",
    "banner": f"{TEXT}<div class=cookie-banner>We use cookies. <button onclick=\"fetch('/late').then(() => {SHOW}); "
    'this.parentNode.remove()">Accept</button></div>',
    "slides": f"{TEXT}<p id=slide>Slide 1</p><script>n = 1; setInterval(() => {{ slide.textContent = `Slide ${{++n}}` }}, 620); "
    "setTimeout('slide.textContent = `Read our letter!`', 700)</script>",
    "unfilled": f"<div id=root></div><script>setTimeout(() => {{ root.innerHTML = `{TEXT}`; {SHOW} }}, 700)</script>",
    "opens": f'{TEXT}<button onclick="setTimeout(() => {SHOW}, 620)">Boats</button><script>1</script>',
    "plain": f"<main>{TEXT}</main>",
    "open": f"{TEXT}<script>fetch('/never')</script>",
    "lazy": f"<main>{TEXT}<img src=/late.svg alt='' loading=lazy style='width:200px;height:100px'></main>",
    "far": f"<main>{TEXT}<div style='height:6000px'>far</div><img src=/late.svg alt='' loading=lazy></main>",
    "click": f"{TEXT}<button onclick=\"fetch('/late').then(() => {SHOW})\">Boats</button><script>1</script>",
    "link": f"{TEXT}<a href=/late-page>Boats</a>",
}
BEGUN = (
    "fetched asked body chained fetched-timer asked-timer body-timer imported built script timer frame idle events socket scrolled "
    "scrolled-slowly"
).split()
"""Pages that end with a second paragraph, by what brings it."""
NEVER_SECONDS = 12.0


def parts_of(first: bytes, last: bytes) -> Iterator[bytes]:
    yield first
    time.sleep(LATE_SECONDS)
    yield last


def socket_of(asked: Asked) -> Answer:
    """A connection that says something a moment after it was opened (RFC 6455)."""
    word = asked.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
    key = base64.b64encode(hashlib.sha1(word.encode(), usedforsecurity=False).digest())
    head = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"

    def messages() -> Iterator[bytes]:
        yield head + b"Sec-WebSocket-Accept: " + key + b"\r\n\r\n"
        time.sleep(0.2)
        yield b"\x81\x02hi"
        time.sleep(LATE_SECONDS)

    return Answer(raw=messages())


def answer(asked: Asked) -> Answer | str | None:
    match asked.path:
        case "/late":
            time.sleep(LATE_SECONDS)
            return Answer("{}", kind="application/json")
        case "/data":
            return Answer("{}", kind="application/json")
        case "/late.js":
            time.sleep(LATE_SECONDS)
            return Answer(SHOW, kind="text/javascript")
        case "/late.svg":
            time.sleep(LATE_SECONDS)
            return Answer(PICTURE, kind="image/svg+xml")
        case "/late-page":
            time.sleep(LATE_SECONDS)
            return "<html lang=en><title>Boats</title><p>Two boats.</p>"
        case "/slow-body":
            return Answer(kind="application/json", parts=parts_of(b'{"a": ', b"1}"))
        case "/event-stream":
            return Answer(kind="text/event-stream", parts=parts_of(b"data: hi\n\n", b": end\n\n"))
        case "/web-socket":
            return socket_of(asked)
        case "/never":
            time.sleep(NEVER_SECONDS)
            return Answer("{}", kind="application/json")
    page = PAGES.get(asked.path.strip("/"))
    return f"<html lang=en><title>Reef</title><body>{page}</body></html>" if page is not None else None


@contextmanager
def serve_late_content() -> Iterator[str]:
    """Its address, for the time of the block."""
    with serving(LoopbackSite(answer)) as site:
        yield site.home
