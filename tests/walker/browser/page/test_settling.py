"""When a page of a walk is read: not before what its scripts have begun has come, however late that is."""

from __future__ import annotations

import base64
import hashlib
import time
from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from perception.document.reading import observe
from perception.snapshot import Snapshot
from tests.sites.serving import Answer, Asked, LoopbackSite, serving
from walker.browser.launch.chromium import Chromium, ContextOptions
from walker.browser.page.settled_page import STALL_MS
from walker.browser.playwright.playwright_browser import PlaywrightBrowser
from walker.seams.actions import Click, Operate

pytestmark = pytest.mark.asyncio(loop_scope="session")

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
    "imported": f"{TEXT}<script type=module>import('/late.js')</script>",
    "built": "<div id=root></div><script type=module>import('/late.js')</script>",
    "script": f"{TEXT}<script>onload = () => document.head.append(Object.assign(document.createElement('script'), "
    "{src: '/late.js'}))</script>",
    "timer": f"{TEXT}<script>setTimeout(() => {SHOW}, 450)</script>",
    "frame": f"{TEXT}<script>onload = () => requestAnimationFrame(() => {SHOW})</script>",
    "events": f"{TEXT}<script>new EventSource('/event-stream').onmessage = () => {SHOW}</script>",
    "socket": f"{TEXT}<script>new WebSocket(`ws://${{location.host}}/web-socket`).onmessage = () => {SHOW}</script>",
    "scrolled": f"{TEXT}<div style='height:5000px'></div><script>onscrollend = () => {SHOW}; "
    "onload = () => scrollTo({top: 3000, behavior: 'smooth'})</script>",
    "polling": f"{TEXT}<script>let n = 0; const poll = () => {{ n++; setTimeout(poll, 100) }}; poll()</script>",
    "open": f"{TEXT}<script>fetch('/never')</script>",
    "lazy": f"<main>{TEXT}<img src=/late.svg alt='' loading=lazy style='width:200px;height:100px'></main>",
    "far": f"<main>{TEXT}<div style='height:6000px'>far</div><img src=/late.svg alt='' loading=lazy></main>",
    "click": f"{TEXT}<button onclick=\"fetch('/late').then(() => {SHOW})\">Boats</button><script>1</script>",
    "link": f"{TEXT}<a href=/late-page>Boats</a>",
}
FOUND = "fetched asked body chained imported built script timer frame events socket scrolled".split()


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
            time.sleep(3 * STALL_MS / 1000)
            return Answer("{}", kind="application/json")
    page = PAGES.get(asked.path.strip("/"))
    return f"<html lang=en><title>Reef</title><body>{page}</body></html>" if page is not None else None


@pytest.fixture(scope="module")
def home() -> Iterator[str]:
    with serving(LoopbackSite(answer)) as site:
        yield site.home


@pytest_asyncio.fixture(loop_scope="session")
async def browser(chromium: Chromium) -> AsyncIterator[PlaywrightBrowser]:
    made = PlaywrightBrowser(chromium, ContextOptions())
    yield made
    await made.close()


def texts_of(opened: object) -> list[str]:
    assert isinstance(opened, Snapshot), opened
    return [block.text for block in observe(opened).blocks]


@pytest.mark.parametrize("name", FOUND)
async def test_what_a_page_has_begun_is_read(browser: PlaywrightBrowser, home: str, name: str) -> None:
    opened = await browser.open(home + name)
    assert "Two boats." in texts_of(opened)
    assert isinstance(opened, Snapshot)
    assert not opened.notices


async def test_a_page_that_polls_is_not_waited_for_and_nothing_is_said(browser: PlaywrightBrowser, home: str) -> None:
    opened = await browser.open(home + "polling")
    assert isinstance(opened, Snapshot)
    assert not opened.notices


async def test_a_request_that_is_left_open_is_given_up_and_said(browser: PlaywrightBrowser, home: str) -> None:
    opened = await browser.open(home + "open")
    assert isinstance(opened, Snapshot)
    assert [(one.kind, one.text) for one in opened.notices] == [("unsettled", "requests")]


async def test_a_lazy_picture_in_the_window_is_measured_when_it_has_come(browser: PlaywrightBrowser, home: str) -> None:
    opened = await browser.open(home + "lazy")
    assert isinstance(opened, Snapshot)
    (picture,) = opened.layout.blind
    assert picture.detail == 4.0


async def test_a_picture_far_down_is_known_of_though_the_markup_does_not_say_its_size(
    browser: PlaywrightBrowser, home: str
) -> None:
    opened = await browser.open(home + "far")
    assert isinstance(opened, Snapshot)
    (picture,) = opened.layout.blind
    assert (picture.box.width, picture.box.height) == (800, 400)
    assert picture.box.y > 6000


async def test_what_a_click_sets_off_is_read(browser: PlaywrightBrowser, home: str) -> None:
    await browser.open(home + "click")
    clicked = await browser.act(Operate(action=Click(control_id=1), selector="button"))
    assert "Two boats." in texts_of(clicked)


async def test_a_page_that_a_click_leads_to_is_read_however_late_it_comes(
    browser: PlaywrightBrowser, home: str
) -> None:
    await browser.open(home + "link")
    clicked = await browser.act(Operate(action=Click(control_id=1), selector="a"))
    assert texts_of(clicked) == ["Two boats."]
