"""One body for every implementation of the ScriptedBrowser seam."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from perception.snapshot import Snapshot
from tests.fixtures.sparing import sparing_driver, sparing_selenium
from tests.sites.pages_on_loopback import serve
from walker.browser.http.http_browser import HttpBrowser
from walker.browser.http.http_client import HttpClient
from walker.browser.launch.chromium import Chromium, ContextOptions
from walker.browser.launch.find_chromium import find_browser
from walker.browser.page.shared_cookies import SharedCookies
from walker.browser.playwright.playwright_browser import PlaywrightBrowser
from walker.browser.selenium.selenium_browser import SeleniumBrowser
from walker.crawl.rendering.auto_driver import AutoDriver
from walker.crawl.rendering.render_decisions import RenderDecisions
from walker.seams.protocols import PageFailure, ScriptedBrowser

PAGES = {
    "/one.html": "<title>One</title><p id=p>plain words of the first page</p>",
    "/two.html": "<title>Two</title><p id=p>plain words of the second page</p>",
}


@pytest.fixture(scope="module")
def home() -> Iterator[str]:
    with serve(PAGES) as base:
        yield base


@pytest_asyncio.fixture(loop_scope="session", params=["playwright", "selenium", "auto", "sparing", "sparing selenium"])
async def browser(request: pytest.FixtureRequest, home: str, chromium: Chromium) -> AsyncIterator[ScriptedBrowser]:
    if "selenium" in request.param:
        plain = request.param == "selenium"
        driven: ScriptedBrowser = SeleniumBrowser(find_browser(), ContextOptions()) if plain else sparing_selenium()
        yield driven
        await driven.close()
        return
    async with HttpClient(home) as client:
        shared = SharedCookies(client.cookies)
        rendered = PlaywrightBrowser(chromium, ContextOptions(), prepare=shared.watch)
        made: ScriptedBrowser = rendered
        if request.param == "auto":
            made = AutoDriver(HttpBrowser(client), rendered, RenderDecisions(lambda url: url), shared)
        if request.param == "sparing":
            made = sparing_driver(chromium)
        yield made
        await made.close()


async def test_without_a_page_there_is_nothing_to_run_in(browser: ScriptedBrowser) -> None:
    ran, taken = await browser.run("() => 1", None, seconds=5), await browser.take()
    assert isinstance(ran, PageFailure)
    assert isinstance(taken, PageFailure)
    assert (ran.kind, taken.kind) == ("gone", "gone")


async def test_a_function_is_given_its_argument_and_gives_a_plain_value(browser: ScriptedBrowser, home: str) -> None:
    await browser.open(f"{home}/one.html")
    assert await browser.run("(given) => [given.a, document.title]", {"a": [1, "é"]}, seconds=5) == [[1, "é"], "One"]
    await browser.run("(text) => { document.querySelector('#p').textContent = text }", "other words", seconds=5)
    taken = await browser.take()
    assert isinstance(taken, Snapshot)
    assert "other words" in taken.html
    assert taken.final_url == f"{home}/one.html"
