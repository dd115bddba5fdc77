"""One body for every implementation of the Browser seam."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import msgspec
import pytest
import pytest_asyncio

from perception.snapshot import Snapshot
from tests.sites.misbehaving import PAGES, serve_misbehaving
from walker.asked_picture.picture_browser import Asked, PictureBrowser
from walker.browser.http.http_browser import HttpBrowser
from walker.browser.http.http_client import HttpClient
from walker.browser.launch.chromium import Chromium, ContextOptions
from walker.browser.launch.find_chromium import find_browser
from walker.browser.playwright.playwright_browser import PlaywrightBrowser
from walker.browser.selenium.selenium_browser import SeleniumBrowser
from walker.finding.finding_browser import FindingBrowser
from walker.finding.polite_site import PoliteSite
from walker.finding.scout import Scout
from walker.library.filling_browser import FillingBrowser
from walker.library.walk_library import WalkLibrary
from walker.rules.scope import WalkScope
from walker.seams.actions import Click, Operate, Scroll
from walker.seams.protocols import Browser, PageFailure
from walker.testing.fakes import Paper, PaperSite

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture(scope="module")
def home() -> Iterator[str]:
    with serve_misbehaving() as address:
        yield address


def paper(home: str) -> PaperSite:
    pages: dict[str, str | Paper] = {home[:-1] + path: html for path, html in PAGES.items()}
    pages[home + "hop"] = Paper(redirect=home + "hop2")
    pages[home + "hop2"] = Paper(redirect=home + "plain")
    pages[home + "ring"] = Paper(redirect=home + "ring")
    pages[home + "broken"] = Paper(status=500, html="<h1>Broken</h1>")
    more = PAGES["/controls"].replace("<li>one</li>", "<li>one</li><li>two</li>")
    pages[home + "controls"] = Paper(html=PAGES["/controls"], controls={"#more": more, "#blank": home + "plain"})
    return PaperSite(pages)


@pytest_asyncio.fixture(
    scope="module",
    loop_scope="session",
    params=["playwright", "selenium", "http", "filling", "finding", "pictured", "paper"],
)
async def browser(
    request: pytest.FixtureRequest, home: str, chromium: Chromium, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Browser]:
    if request.param == "paper":
        yield paper(home)
        return
    if request.param == "pictured":
        yield PictureBrowser(paper(home), Asked(question="Who built this?"), WalkScope(root_url=home))
        return
    if request.param == "filling":
        filling = FillingBrowser(paper(home), WalkLibrary(tmp_path_factory.mktemp("library") / "docs.library", str))
        yield filling
        await filling.close()
        return
    if request.param == "finding":
        shelf, scope = WalkLibrary(None, str), WalkScope(root_url=home)
        inner = FillingBrowser(paper(home), shelf)
        finding = FindingBrowser(inner, shelf, (Scout(PoliteSite(home), inner, shelf, scope, pages=5),), scope)
        yield finding
        await finding.close()
        return
    if request.param == "http":
        async with HttpClient(home, page_seconds=5) as client:
            yield HttpBrowser(client)
        return
    if request.param == "selenium":
        driven = SeleniumBrowser(find_browser(), ContextOptions(), page_seconds=5)
        yield driven
        await driven.close()
        return
    made = PlaywrightBrowser(chromium, ContextOptions(), page_seconds=5)
    yield made
    await made.close()


async def test_the_contract(browser: Browser, home: str) -> None:
    front = await browser.open(home)
    assert isinstance(front, Snapshot)
    assert (front.url, front.final_url, front.status) == (home, home, 200)
    assert "Plain</a>" in front.html
    assert front.fetched_at > 0

    moved = await browser.open(home + "hop")
    assert isinstance(moved, Snapshot)
    assert moved.url == home + "hop"
    assert moved.final_url == home + "plain"
    assert [(hop.url, hop.status) for hop in moved.redirects] == [(home + "hop", 302), (home + "hop2", 302)]

    lost = await browser.open(home + "no-such-page")
    assert isinstance(lost, Snapshot), "an error page is a page"
    assert lost.status == 404
    broken = await browser.open(home + "broken")
    assert isinstance(broken, Snapshot)
    assert broken.status == 500

    for url, kind in (
        (home + "ring", "redirect_loop"),
        ("ftp://a.example/x", "bad_scheme"),
        ("file:///etc/passwd", "bad_scheme"),
    ):
        failure = await browser.open(url)
        assert isinstance(failure, PageFailure), url
        assert failure.kind == kind
        assert failure.url == url
        assert "\n" not in failure.message


async def test_what_the_answer_asks_of_crawlers_is_told(browser: Browser, home: str) -> None:
    if isinstance(browser, PaperSite | FillingBrowser | FindingBrowser | PictureBrowser):
        pytest.skip("a page of paper has no header lines")
    told = await browser.open(home + "asked-of")
    assert isinstance(told, Snapshot)
    assert (told.robots_tag, told.retry_after) == ("noindex, other: nofollow", "7")
    plain = await browser.open(home + "plain")
    assert isinstance(plain, Snapshot)
    assert (plain.robots_tag, plain.retry_after) == ("", "")


async def test_a_page_is_operated(browser: Browser, home: str) -> None:
    if isinstance(browser, HttpBrowser):
        pytest.skip("a page that is only its source cannot be operated; test_http_browser holds what is said then")
    await browser.open(home + "controls")
    pressed = await browser.act(Operate(action=Click(control_id=1), selector="#more"))
    assert isinstance(pressed, Snapshot)
    assert "<li>two</li>" in pressed.html
    gone = await browser.act(Operate(action=Click(control_id=9), selector="#nothing"))
    assert isinstance(gone, PageFailure)
    assert gone.kind == "gone"
    scrolled = await browser.act(Operate(action=Scroll()))
    assert isinstance(scrolled, Snapshot)
    led = await browser.act(Operate(action=Click(control_id=2), selector="#blank"))
    assert isinstance(led, Snapshot)
    assert led.final_url == home + "plain", "a link to a new window opens in the walk's page"


@pytest.mark.parametrize("path", ["plain", "hop", "ring", "no-such-page", "broken", "alerts", "controls#part"])
async def test_a_page_fetched_ahead_is_the_page(browser: Browser, home: str, path: str) -> None:
    await browser.open(home)
    alone = await browser.open(home + path)
    await browser.open(home)
    await browser.fetch_ahead((home + path, home + "found"))
    ahead = await browser.open(home + path)
    assert facts_of(ahead) == facts_of(alone)
    await browser.fetch_ahead((home + "found", "ftp://a.example/x"))
    assert facts_of(await browser.open(home + path)) == facts_of(alone), "what was not fetched is opened all the same"


def facts_of(opened: Snapshot | PageFailure) -> object:
    """All but the times."""
    if isinstance(opened, PageFailure):
        return opened
    return msgspec.structs.replace(opened, fetched_at=0.0, load_seconds=0.0)
