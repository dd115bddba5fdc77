"""Office, CSV and Markdown files in a real browser and over HTTP, from a real server."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from perception.element_map import View
from perception.snapshot import Snapshot
from tests.sites.office_site import ANY, EXCEL, SLIDES, WORD, serve_office
from tests.sites.serving import LoopbackSite
from walker.browser.egress.egress_proxy import EgressProxy
from walker.browser.http.http_browser import HttpBrowser
from walker.browser.http.http_client import HttpClient
from walker.browser.launch.chromium import Chromium, ContextOptions
from walker.browser.playwright.playwright_browser import PlaywrightBrowser
from walker.seams.protocols import Browser, PageFailure

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture
def site() -> Iterator[LoopbackSite]:
    with serve_office() as server:
        yield server


@pytest_asyncio.fixture(loop_scope="session")
async def rendered(site: LoopbackSite, chromium: Chromium) -> AsyncIterator[PlaywrightBrowser]:
    made = PlaywrightBrowser(chromium, ContextOptions(file_seconds=30), page_seconds=60, egress=EgressProxy(site.home))
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


@pytest.mark.parametrize(
    ("path", "media", "title", "said"),
    [
        ("files/handbook.docx", WORD, "handbook.docx", "ground by Ingrid Moe"),
        ("files/towers.xlsx", EXCEL, "towers.xlsx", '<section id="sheet=One">'),
        ("plan.pptx", SLIDES, "Plan of the year", '<section id="slide=2">'),
        ("log.odt", "application/vnd.oasis.opendocument.text", "Log of the tower", "The lamp failed on 3 May"),
        ("stations.csv", "text/csv", "stations.csv", "<th>Depth</th>"),
        ("guide.md", "text/markdown", "Guide", "<p>Bring boots.</p>"),
        ("get?id=1", EXCEL, "get", "12,500.50 kr"),
        ("named.docx", WORD, "named.docx", "<h2>Sheet: One</h2>"),
    ],
)
async def test_a_file_is_a_page(
    browser: Browser, site: LoopbackSite, path: str, media: str, title: str, said: str
) -> None:
    page = await browser.open(site.home + path)
    assert isinstance(page, Snapshot), page
    assert (page.status, page.content_type, page.title) == (200, media, title)
    assert said in page.html


@pytest.mark.parametrize(
    ("path", "kind", "why"),
    [
        ("broken.xlsx", "unreadable", "it is an Excel file that cannot be read: it is damaged"),
        ("letter.doc", "unreadable", "it is a Word file of the old binary form (.doc), which is not read"),
        ("wrong.docx", "unreadable", "no Word, Excel"),
        ("data.zip", "download", ""),
    ],
)
async def test_a_file_that_cannot_be_read_is_a_named_failure(
    browser: Browser, site: LoopbackSite, path: str, kind: str, why: str
) -> None:
    failure = await browser.open(site.home + path)
    assert isinstance(failure, PageFailure)
    assert failure.kind == kind
    assert why in failure.message
    assert isinstance(await browser.open(site.home), Snapshot), "the next page opens as usual"


async def test_a_file_is_seen(rendered: PlaywrightBrowser, site: LoopbackSite) -> None:
    page = await rendered.open(site.home + "files/towers.xlsx#sheet=One")
    assert isinstance(page, Snapshot)
    assert isinstance(await rendered.see(whole=True), View)
    assert ANY not in page.html
