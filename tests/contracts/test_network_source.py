"""The contract of the NetworkSource seam, and of what stands in for it where the network is not recorded."""

from __future__ import annotations

from tests.sites.pages_on_loopback import serve
from walker.browser.launch.chromium import Chromium, ContextOptions
from walker.browser.network.network_log import NetworkLog
from walker.browser.playwright.playwright_browser import PlaywrightBrowser
from walker.seams.web.exchange import Heard, NetworkSource

PAGES = {
    "/one.html": "<title>One</title><link rel=stylesheet href=/style.css><p>plain words</p>",
    "/style.css": "p { color: navy }",
    "/two.html": "<title>Two</title><p>plain words</p>",
}


async def test_each_page_comes_with_what_it_asked_for_and_once(chromium: Chromium) -> None:
    log = NetworkLog()
    source: NetworkSource = log
    assert await source.take() == Heard()
    with serve(PAGES) as home:
        browser = PlaywrightBrowser(chromium, ContextOptions(), prepare=log.watch)
        await browser.open(f"{home}/one.html")
        first = await source.take()
        await browser.open(f"{home}/two.html")
        second, third = await source.take(), await source.take()
        await browser.close()
    # In the order in which they were complete: the body of the page may come after its style sheet.
    asked = {exchange.url.removeprefix(home): exchange for exchange in first.exchanges if "favicon" not in exchange.url}
    assert asked.keys() == {"/one.html", "/style.css"}
    assert {path: exchange.body.decode() for path, exchange in asked.items()} == {path: PAGES[path] for path in asked}
    assert "/two.html" in [exchange.url.removeprefix(home) for exchange in second.exchanges]
    assert "/one.html" not in [exchange.url.removeprefix(home) for exchange in second.exchanges]
    assert third.exchanges == ()
