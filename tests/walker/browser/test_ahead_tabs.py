"""Pages loaded ahead, in a real browser from a real server that counts what it is asked for."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import psutil
import pytest
import pytest_asyncio
from playwright.async_api import BrowserContext

from perception.snapshot import Snapshot
from walker.browser.chromium import Chromium, WalkContext
from walker.browser.egress_proxy import EgressProxy
from walker.browser.finding import find_browser
from walker.browser.playwright_browser import PlaywrightBrowser
from walker.seams import PageFailure

pytestmark = pytest.mark.asyncio(loop_scope="module")
SLOW_SECONDS = 0.4


class Counting(ThreadingHTTPServer):
    """Keeps the paths it was asked for."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answering)
        self.asked: list[str] = []


class Answering(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        assert isinstance(self.server, Counting)
        path = self.path.strip("/")
        self.server.asked.append(path)
        headers = {"Content-Type": "text/html"}
        body, status = f"<title>{path}</title><p>The page {path} of this site.</p>", 200
        if path.startswith("slow"):
            time.sleep(SLOW_SECONDS)
        if path == "hung":
            time.sleep(4)
        if path == "file":
            headers["Content-Disposition"] = "attachment; filename=x.bin"
        if path == "moved":
            status = 302
            headers["Location"] = "/slow-target"
        if path == "dialogs":
            body += "<script>alert('one'); confirm('two')</script>"
        if path == "popup":
            body += "<script>open('/popped')</script>"
        if path == "baker":
            headers["Set-Cookie"] = "seen=yes; Path=/"
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        return


@contextmanager
def serving() -> Iterator[tuple[Counting, str]]:
    server = Counting()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server, f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def chromium() -> AsyncIterator[Chromium]:
    async with Chromium(find_browser()) as started:
        yield started


@pytest.fixture
def site() -> Iterator[tuple[Counting, str]]:
    with serving() as served:
        yield served


@pytest_asyncio.fixture(loop_scope="module")
async def browser(chromium: Chromium, site: tuple[Counting, str]) -> AsyncIterator[PlaywrightBrowser]:
    made = PlaywrightBrowser(chromium, WalkContext(), page_seconds=5, egress=EgressProxy(site[1]))
    await made.open(site[1] + "home")
    yield made
    await made.close()


async def until_asked(server: Counting, *paths: str) -> None:
    for _ in range(300):
        if all(path in server.asked for path in paths):
            return
        await asyncio.sleep(0.01)
    raise AssertionError(f"{paths} not in {server.asked}")


def context_of(browser: PlaywrightBrowser) -> BrowserContext:
    assert browser._tabs is not None
    return browser._tabs.context


async def tabs_of(browser: PlaywrightBrowser) -> list[str]:
    """Addresses in open tabs, once what is being closed is closed."""
    context = context_of(browser)
    for _ in range(400):
        # A page that is closed while its context hears of it stays on the context's list.
        tabs = [page.url.rpartition("/")[2] for page in context.pages if not page.is_closed()]
        if len(tabs) == 1:
            break
        await asyncio.sleep(0.02)
    return tabs


async def test_a_page_fetched_ahead_is_asked_for_once_and_is_there_at_once(
    browser: PlaywrightBrowser, site: tuple[Counting, str]
) -> None:
    server, home = site
    began = time.monotonic()
    await browser.fetch_ahead((home + "slow-1", home + "slow-2", home + "slow-3"))
    assert time.monotonic() - began < SLOW_SECONDS / 2
    await until_asked(server, "slow-1", "slow-2")
    await asyncio.sleep(SLOW_SECONDS)
    opened = await browser.open(home + "slow-2")
    assert isinstance(opened, Snapshot)
    assert (opened.title, opened.status, opened.url) == ("slow-2", 200, home + "slow-2")
    assert server.asked.count("slow-2") == 1
    assert "slow-3" not in server.asked
    assert await tabs_of(browser) == ["slow-2"]


async def test_a_page_on_its_way_is_waited_for(browser: PlaywrightBrowser, site: tuple[Counting, str]) -> None:
    server, home = site
    await browser.fetch_ahead((home + "slow-1",))
    opened = await browser.open(home + "slow-1")
    assert isinstance(opened, Snapshot)
    assert server.asked.count("slow-1") == 1


async def test_another_address_is_opened_as_usual_and_the_tabs_are_gone(
    browser: PlaywrightBrowser, site: tuple[Counting, str]
) -> None:
    server, home = site
    await browser.fetch_ahead((home + "slow-1", home + "slow-2"))
    await until_asked(server, "slow-1", "slow-2")
    opened = await browser.open(home + "other")
    assert isinstance(opened, Snapshot)
    assert opened.title == "other"
    assert await tabs_of(browser) == ["other"]
    await browser.open(home + "slow-1")
    assert server.asked.count("slow-1") == 2


@pytest.mark.parametrize("path", ["file", "moved", "nowhere"])
async def test_what_goes_wrong_or_elsewhere_ahead_ends_as_without(
    browser: PlaywrightBrowser, site: tuple[Counting, str], path: str
) -> None:
    _, home = site
    address = "http://127.0.0.1:9/" if path == "nowhere" else home + path
    plain = await browser.open(address)
    await browser.open(home + "home")
    await browser.fetch_ahead((address,))
    await asyncio.sleep(0.3)
    ahead = await browser.open(address)
    assert type(ahead) is type(plain)
    if isinstance(ahead, PageFailure) and isinstance(plain, PageFailure):
        assert ahead.kind == plain.kind
    if isinstance(ahead, Snapshot) and isinstance(plain, Snapshot):
        assert (ahead.final_url, ahead.redirects, ahead.html) == (plain.final_url, plain.redirects, plain.html)
    assert isinstance(await browser.open(home + "after"), Snapshot)


async def test_dialogs_and_popups_of_a_tab_hold_nothing_up(
    browser: PlaywrightBrowser, site: tuple[Counting, str]
) -> None:
    _, home = site
    await browser.fetch_ahead((home + "dialogs", home + "popup"))
    opened = await browser.open(home + "dialogs")
    assert isinstance(opened, Snapshot)
    assert opened.title == "dialogs"
    assert await tabs_of(browser) == ["dialogs"]


async def test_what_a_tab_changes_is_the_context_s(browser: PlaywrightBrowser, site: tuple[Counting, str]) -> None:
    server, home = site
    await browser.fetch_ahead((home + "baker",))
    await until_asked(server, "baker")
    await browser.open(home + "baker")
    assert [cookie["name"] for cookie in await context_of(browser).cookies()] == ["seen"]


async def test_a_page_that_was_loaded_ahead_can_be_operated(
    browser: PlaywrightBrowser, site: tuple[Counting, str]
) -> None:
    _, home = site
    await browser.fetch_ahead((home + "slow-1",))
    await browser.open(home + "slow-1")
    assert (await browser.screenshot())[:4] == b"\x89PNG"


async def test_nothing_is_left_of_tabs_on_their_way(site: tuple[Counting, str]) -> None:
    server, home = site
    async with Chromium(find_browser()) as chromium:
        browser = PlaywrightBrowser(chromium, WalkContext(), page_seconds=5, egress=EgressProxy(home))
        await browser.open(home + "home")
        await browser.fetch_ahead((home + "hung", home + "slow-1"))
        await until_asked(server, "hung")
        await browser.close()
    mine = [child.name() for child in psutil.Process().children(recursive=True)]
    left = [task for task in asyncio.all_tasks() if "_load" in repr(task)]
    assert left == []
    assert len([name for name in mine if "chrom" in name]) <= 20
