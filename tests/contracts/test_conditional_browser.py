"""Every browser that may be spared a page says that it is unchanged only where the server says so, of that page."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from perception.snapshot import Snapshot
from tests.sites.serving import Answer, Asked, LoopbackSite, moved, serving
from walker.browser.http.http_browser import HttpBrowser
from walker.browser.http.http_client import HttpClient
from walker.browser.launch.chromium import Chromium, ContextOptions
from walker.browser.page.shared_cookies import SharedCookies
from walker.browser.playwright.playwright_browser import PlaywrightBrowser
from walker.crawl.rendering.auto_driver import AutoDriver
from walker.crawl.rendering.render_decisions import RenderDecisions
from walker.crawl.traps.templates import template_of
from walker.seams.conditional import Condition, ConditionalBrowser, NotModified
from walker.seams.protocols import PageFailure

TAG = '"one"'


def answer(asked: Asked) -> Answer:
    tagged = (("ETag", TAG),)
    if asked.path == "/moved":
        return moved("/page")
    if asked.path == "/stubborn":
        return Answer(status=304)
    if asked.headers.get("If-None-Match") == TAG:
        return Answer(status=304, headers=tagged)
    return Answer("<h1>Page</h1><p>As it is now.</p>", headers=tagged)


@pytest.fixture(scope="module")
def home() -> Iterator[str]:
    """The address of a site that knows which pages are unchanged."""
    with serving(LoopbackSite(answer)) as site:
        yield site.home


@pytest_asyncio.fixture(loop_scope="session", params=["http", "auto"])
async def browser(request: pytest.FixtureRequest, chromium: Chromium, home: str) -> AsyncIterator[ConditionalBrowser]:
    async with HttpClient(home) as client:
        if request.param == "http":
            yield HttpBrowser(client)
            return
        rendered = PlaywrightBrowser(chromium, ContextOptions(), lean=True)
        yield AutoDriver(HttpBrowser(client), rendered, RenderDecisions(template_of), SharedCookies(client.cookies))
        await rendered.close()


async def test_unchanged_is_what_the_server_calls_so(browser: ConditionalBrowser, home: str) -> None:
    page = home + "page"
    first = await browser.open_if_changed(page, Condition(url=page, etag='"none"'))
    assert isinstance(first, Snapshot)
    assert first.etag == TAG
    again = await browser.open_if_changed(page, Condition(url=page, etag=TAG))
    assert again == NotModified(etag=TAG)


async def test_a_redirect_to_the_page_of_the_condition_is_followed(browser: ConditionalBrowser, home: str) -> None:
    condition = Condition(url=home + "page", etag=TAG)
    assert await browser.open_if_changed(home + "moved", condition) == NotModified(etag=TAG)


async def test_of_another_page_nothing_is_believed(browser: ConditionalBrowser, home: str) -> None:
    elsewhere = Condition(url=home + "page", etag=TAG)
    opened = await browser.open_if_changed(home + "other", elsewhere)
    assert isinstance(opened, Snapshot)
    stubborn = await browser.open_if_changed(home + "stubborn", elsewhere)
    assert isinstance(stubborn, PageFailure)
    assert stubborn.url == home + "stubborn"
