"""Pages of one crawl that are read over HTTP and pages that are rendered are visits of one person."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from perception.snapshot import Snapshot
from tests.sites.half_scripted import page
from tests.sites.serving import Answer, Asked, LoopbackSite, serving
from walker.browser.http.http_browser import HttpBrowser
from walker.browser.http.http_client import HttpClient
from walker.browser.launch.chromium import Chromium, ContextOptions
from walker.browser.page.shared_cookies import SharedCookies
from walker.browser.playwright.playwright_browser import PlaywrightBrowser
from walker.crawl.crawling import CrawlSettings, crawl
from walker.crawl.rendering.auto_driver import AutoDriver
from walker.crawl.rendering.render_decisions import RenderDecisions
from walker.crawl.script.spec_loader import CrawlScript, spec_of_root
from walker.crawl.traps.templates import template_of
from walker.seams.web.storage_state import read_state

pytestmark = pytest.mark.asyncio(loop_scope="session")


GIVEN = {
    "/plain/2": ("seen=plain; Max-Age=5000", "basket=one; HttpOnly"),
    "/app/1": ("basket=two",),
    "/plain/4": ("seen=; Max-Age=0",),
}


class CookieSite(LoopbackSite):
    """Keeps with which cookies each path was last asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.got: dict[str, str] = {}

    def answer(self, asked: Asked) -> Answer:
        self.got[asked.target] = "; ".join(sorted(asked.headers.get("Cookie", "").split("; ")))
        body = page(asked.target, 1) or "<p>no page"
        if asked.target == "/app/1":
            body += "<script>document.cookie = 'drawn=here; path=/'</script>"
        if asked.target == "/app/3":
            body += "<script>document.cookie = 'drawn=; path=/; max-age=0'</script>"
        return Answer(body, headers=tuple(("Set-Cookie", f"{one}; Path=/") for one in GIVEN.get(asked.target, ())))


@pytest.fixture(scope="module")
def server() -> Iterator[CookieSite]:
    with serving(CookieSite()) as site:
        yield site


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def auto(server: CookieSite, chromium: Chromium) -> AsyncIterator[AutoDriver]:
    async with HttpClient(server.home) as client:
        cookies = SharedCookies(client.cookies)
        rendered = PlaywrightBrowser(chromium, ContextOptions(), lean=True, prepare=cookies.watch)
        made = AutoDriver(HttpBrowser(client), rendered, RenderDecisions(template_of), cookies)
        yield made
        await made.close()


async def test_what_one_is_given_the_other_has(auto: AutoDriver, server: CookieSite) -> None:
    async def cookies_at(path: str, driver: str) -> str:
        assert isinstance(await auto.open(server.home + path.removeprefix("/")), Snapshot)
        assert auto.driver == driver
        return server.got[path]

    assert await cookies_at("/plain/1", "rendered") == ""
    assert await cookies_at("/plain/2", "http") == ""
    assert await cookies_at("/app/1", "rendered") == "basket=two; seen=plain", "set over HTTP, sent by the browser"
    assert await cookies_at("/plain/3", "http") == "basket=two; drawn=here; seen=plain", "and back"
    assert await cookies_at("/plain/4", "http") == "basket=two; drawn=here; seen=plain"
    assert await cookies_at("/app/2", "rendered") == "basket=two; drawn=here", "taken away over HTTP"
    assert await cookies_at("/app/3", "rendered") == "basket=two; drawn=here"
    assert await cookies_at("/plain/5", "http") == "basket=two", "taken away by a page"
    assert {(one.name, one.value) for one in (await auto.state()).cookies} == {("basket", "two")}


async def test_a_new_context_has_them_all(auto: AutoDriver, server: CookieSite) -> None:
    await auto.open(server.home + "plain/2")
    await auto._rendered.restore(await auto.state())
    await auto.open(server.home + "plain/4")
    await auto.open(server.home + "app/7")
    assert server.got["/app/7"] == "basket=one", "the state it was restored with is old by then"


async def test_they_are_in_the_state_that_a_crawl_leaves(server: CookieSite, tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    start = [f"{server.home}{name}" for name in ("plain/9", "plain/2", "app/8")]
    parts = {"concurrency": 1, "state_out": path, "order": "breadth-first", "scope": {"pages": 3}, "start": start}
    spec = spec_of_root(server.home, named=None, **parts)
    await crawl(CrawlScript(spec=spec), CrawlSettings(folder=tmp_path / "job"))
    assert server.got["/app/8"] == "basket=one; seen=plain"
    assert {(one.name, one.value) for one in read_state(path).cookies} == {("basket", "one"), ("seen", "plain")}
