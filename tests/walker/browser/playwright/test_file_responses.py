"""PDF files and pictures in a real browser, from a real server."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from perception.document.reading import observe
from perception.element_map import View
from perception.snapshot import Snapshot
from tests.sites.pdf_site import REPORT, serve_pdfs
from tests.sites.serving import LoopbackSite
from walker.browser.egress.egress_proxy import EgressProxy
from walker.browser.http.http_browser import HttpBrowser
from walker.browser.http.http_client import HttpClient
from walker.browser.launch.chromium import Chromium, ContextOptions
from walker.browser.playwright.playwright_browser import PlaywrightBrowser
from walker.rules.gate import WORTH_A_LOOK
from walker.rules.pictures.blindness import find_blindness
from walker.seams.actions import Click, Operate
from walker.seams.protocols import Browser, PageFailure

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture
def site() -> Iterator[LoopbackSite]:
    with serve_pdfs() as server:
        yield server


@pytest_asyncio.fixture(loop_scope="session")
async def rendered(site: LoopbackSite, chromium: Chromium) -> AsyncIterator[PlaywrightBrowser]:
    options = ContextOptions(file_seconds=30)
    made = PlaywrightBrowser(chromium, options, page_seconds=60, egress=EgressProxy(site.home))
    yield made
    await made.close()


@pytest_asyncio.fixture(loop_scope="session", params=["playwright", "http"])
async def browser(
    request: pytest.FixtureRequest, site: LoopbackSite, rendered: PlaywrightBrowser
) -> AsyncIterator[Browser]:
    if request.param == "playwright":
        yield rendered
        return
    async with HttpClient(site.home, page_seconds=60, page_bytes=25_000_000) as client:
        yield HttpBrowser(client, file_seconds=30)


async def read(browser: Browser, url: str) -> Snapshot:
    opened = await browser.open(url)
    assert isinstance(opened, Snapshot), opened
    return opened


async def test_a_pdf_is_a_page(browser: Browser, site: LoopbackSite) -> None:
    page = await read(browser, site.home + "files/report.pdf")
    assert (page.status, page.content_type, page.robots_tag) == (200, "application/pdf", "noindex")
    assert page.title == "Harbour report 2021"
    assert '<section id="page=2">' in page.html
    assert "carries 212 passengers on each crossing" in page.html
    moved = await read(browser, site.home + "moved")
    assert moved.final_url == site.home + "files/report.pdf"
    assert [hop.status for hop in moved.redirects] == [302]
    attached = await read(browser, site.home + "get?file=1")
    assert (attached.content_type, attached.title) == ("application/pdf", "Harbour report 2021")
    missing = await read(browser, site.home + "missing.pdf")
    assert (missing.status, missing.content_type) == (404, "application/pdf")
    front = await read(browser, site.home)
    assert front.content_type == "text/html"


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("broken.pdf", "damaged"),
        ("no.pdf", "is none"),
        ("locked.pdf", "password"),
        ("large.pdf", "20 MB"),
    ],
)
async def test_a_pdf_that_cannot_be_read_is_a_named_failure(
    browser: Browser, site: LoopbackSite, path: str, why: str
) -> None:
    failure = await browser.open(site.home + path)
    assert isinstance(failure, PageFailure)
    assert (failure.kind, failure.url) == ("unreadable", site.home + path)
    assert why in failure.message
    assert "\n" not in failure.message
    assert isinstance(await browser.open(site.home), Snapshot), "the next page opens as usual"


async def test_other_files_are_refused_as_before(browser: Browser, site: LoopbackSite) -> None:
    failure = await browser.open(site.home + "data.zip")
    assert isinstance(failure, PageFailure)
    assert failure.kind == "download"


async def test_cookies_are_kept_and_sent(browser: Browser, site: LoopbackSite) -> None:
    assert (await read(browser, site.home + "members.pdf")).status == 403
    await read(browser, site.home + "files/report.pdf")
    members = await read(browser, site.home + "members.pdf")
    assert (members.status, members.content_type) == (200, "application/pdf")


async def test_a_file_without_a_length_is_left_where_it_is_too_large(
    rendered: PlaywrightBrowser, site: LoopbackSite
) -> None:
    failure = await rendered.open(site.home + "endless.pdf")
    assert isinstance(failure, PageFailure)
    assert failure.kind == "unreadable"


async def test_a_pdf_is_reached_by_a_click_fetched_ahead_and_seen(
    rendered: PlaywrightBrowser, site: LoopbackSite
) -> None:
    await read(rendered, site.home)
    clicked = await rendered.act(Operate(action=Click(control_id=1), selector="a[href='/files/report.pdf']"))
    assert isinstance(clicked, Snapshot)
    assert (clicked.final_url, clicked.content_type) == (site.home + "files/report.pdf", "application/pdf")
    assert isinstance(await rendered.see(whole=True), View)
    await read(rendered, site.home)
    await rendered.fetch_ahead((site.home + "files/report.pdf",))
    ahead = await read(rendered, site.home + "files/report.pdf#page=2")
    assert (ahead.content_type, ahead.title) == ("application/pdf", "Harbour report 2021")


async def test_the_rules_of_egress_hold_for_it(rendered: PlaywrightBrowser) -> None:
    with serve_pdfs() as other:
        failure = await rendered.open(other.home.replace("127.0.0.1", "127.0.0.2") + "files/report.pdf")
        assert isinstance(failure, PageFailure)
        assert failure.kind == "blocked_address"
        assert other.asked == []


async def test_a_crawl_keeps_files_as_they_are(site: LoopbackSite, chromium: Chromium) -> None:
    plain = PlaywrightBrowser(chromium, ContextOptions(), page_seconds=30)
    failure = await plain.open(site.home + "files/report.pdf")
    await plain.close()
    assert isinstance(failure, PageFailure)
    assert failure.kind in ("download", "not_a_page")
    assert REPORT.startswith(b"%PDF-")


async def test_a_picture_is_a_page_that_shows_it(rendered: PlaywrightBrowser, site: LoopbackSite) -> None:
    page = await read(rendered, site.home + "chart.png?size=2")
    assert (page.status, page.content_type, page.title) == (200, "image/png", "Chart")
    (region,) = page.layout.blind
    assert (region.kind, region.box.width, region.box.height, region.heading) == ("media", 400, 300, "Chart")
    blindness = find_blindness(observe(page), "Which quay is the deepest on the chart?")
    assert blindness.blind >= WORTH_A_LOOK
    view = await rendered.see(box=region.box)
    assert isinstance(view, View)


async def test_a_drawing_is_a_page_with_its_text(rendered: PlaywrightBrowser, site: LoopbackSite) -> None:
    page = await read(rendered, site.home + "depth_chart.svg")
    assert (page.content_type, page.title) == ("image/svg+xml", "Depth chart")
    texts = [block.text for block in observe(page).blocks]
    assert texts == ["Depth chart", "Depths of the harbour", "North quay 7.5 m", "South quay 4.1 m"]
    assert page.layout.blind
    assert "alert(1)" not in page.html


async def test_a_picture_in_a_frame_stays_part_of_its_page(rendered: PlaywrightBrowser, site: LoopbackSite) -> None:
    page = await read(rendered, site.home + "framed.html")
    assert page.content_type == "text/html"
    assert "Depth chart" not in page.html
