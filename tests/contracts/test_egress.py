"""What a page may not make a browser reach, whatever drives it: the same pages, redirects and subresources for every driver."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from perception.snapshot import Snapshot
from tests.sites.serving import Answer, Asked, LoopbackSite, moved, serving
from walker.browser.egress.egress_proxy import EgressProxy
from walker.browser.http.http_browser import HttpBrowser
from walker.browser.http.http_client import HttpClient
from walker.browser.launch.chromium import Chromium, ContextOptions
from walker.browser.launch.find_chromium import find_browser
from walker.browser.playwright.playwright_browser import PlaywrightBrowser
from walker.browser.selenium.selenium_browser import SeleniumBrowser
from walker.seams.protocols import Browser, PageFailure

pytestmark = pytest.mark.asyncio(loop_scope="session")

SUBRESOURCES = {
    "image": "<img src='{sink}i.png'>",
    "frame": "<iframe src='{sink}f'></iframe>",
    "script": "<script src='{sink}s.js'></script>",
    "style": "<link rel=stylesheet href='{sink}s.css'>",
    "object": "<object data='{sink}o'></object>",
    "hint": "<link rel=preconnect href='{sink}'><link rel=prefetch href='{sink}p'><link rel=dns-prefetch href='{sink}'>",
    "fetch": "<script>fetch('{sink}', {{mode: 'no-cors'}}); navigator.sendBeacon('{sink}b')</script>",
    "events": "<script>new EventSource('{sink}e')</script>",
    "socket": "<script>new WebSocket('{sink}'.replace('http', 'ws'))</script>",
    "worker": "<script>new Worker(URL.createObjectURL(new Blob([\"fetch('{sink}w')\"])))</script>",
    "service worker": "<script>navigator.serviceWorker.register('/worker.js').catch(() => 0)</script>",
    "window": "<script>open('{sink}')</script>",
    "form": "<form id=f action='{sink}' target=_blank method=post></form><script>f.submit()</script>",
    "redirected image": "<img src='/to-sink'>",
}


class Sink:
    """Listens on another port of loopback, and keeps whether anybody came."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.visits = 0
        threading.Thread(target=self._listen, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}/"

    def _listen(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                self._socket.accept()[0].close()
                self.visits += 1

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


@pytest.fixture(scope="module")
def sink() -> Iterator[Sink]:
    made = Sink()
    yield made
    made.close()


@pytest.fixture(scope="module")
def home(sink: Sink) -> Iterator[str]:
    places = {
        "/to-sink": sink.url,
        "/hops": "/to-sink",
        "/metadata": "http://169.254.169.254/latest/meta-data/",
        "/metadata-number": "http://2852039166/",
        "/mapped": "http://[::ffff:169.254.169.254]/",
        "/private": "http://10.0.0.1/",
        "/zero": "http://0:9191/",
        "/file": "file:///etc/passwd",
    }

    def answer(asked: Asked) -> Answer:
        if asked.target in places:
            return moved(places[asked.target])
        if asked.target == "/worker.js":
            return Answer(f"fetch('{sink.url}sw')", kind="text/javascript")
        body = "<title>Fine</title><p>fine</p>"
        if asked.target.startswith("/with/"):
            body += SUBRESOURCES[asked.target[6:].replace("-", " ")].format(sink=sink.url)
        return Answer(body)

    with serving(LoopbackSite(answer)) as site:
        yield site.home


@pytest_asyncio.fixture(scope="module", loop_scope="session", params=["playwright", "selenium", "http"])
async def browser(request: pytest.FixtureRequest, home: str, chromium: Chromium) -> AsyncIterator[Browser]:
    if request.param == "http":
        async with HttpClient(home, page_seconds=5) as client:
            yield HttpBrowser(client)
        return
    if request.param == "selenium":
        driven = SeleniumBrowser(find_browser(), ContextOptions(), page_seconds=5, egress=EgressProxy(home))
        yield driven
        await driven.close()
        return
    made = PlaywrightBrowser(chromium, ContextOptions(), page_seconds=5, egress=EgressProxy(home))
    yield made
    await made.close()


@pytest.mark.parametrize(
    "path", ["to-sink", "hops", "metadata", "metadata-number", "mapped", "private", "zero", "file"]
)
async def test_no_redirect_leads_inwards(browser: Browser, home: str, sink: Sink, path: str) -> None:
    before = sink.visits
    failure = await browser.open(home + path)
    assert isinstance(failure, PageFailure)
    if path != "file":
        assert failure.kind == "blocked_address", failure
    assert failure.url == home + path
    assert sink.visits == before
    assert isinstance(await browser.open(home), Snapshot)


async def test_no_address_asked_for_is_inwards(browser: Browser, sink: Sink) -> None:
    before = sink.visits
    port = sink.url.rsplit(":", 1)[1]
    for host in ("127.0.0.1", "2130706433", "0x7f.0.0.1", "127.1", "localhost", "[::ffff:127.0.0.1]", "0"):
        failure = await browser.open(f"http://{host}:{port}")
        assert isinstance(failure, PageFailure), host
        assert failure.kind == "blocked_address", failure
    assert sink.visits == before


@pytest.mark.parametrize("kind", SUBRESOURCES)
async def test_no_subresource_is_fetched_inwards(browser: Browser, home: str, sink: Sink, kind: str) -> None:
    before = sink.visits
    taken = await browser.open(f"{home}with/{kind.replace(' ', '-')}")
    assert isinstance(taken, Snapshot), taken
    await asyncio.sleep(0.2)
    assert isinstance(await browser.open(home), Snapshot)
    assert sink.visits == before
