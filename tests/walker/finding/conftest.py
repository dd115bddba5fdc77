"""A site of pages served by a real server, and a browser over HTTP that a search and a scout stand in front of."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.sites.pages_on_loopback import serve_site
from tests.sites.serving import LoopbackSite
from walker.browser.http.http_browser import HttpBrowser
from walker.browser.http.http_client import HttpClient
from walker.finding.finding_browser import FindingBrowser
from walker.finding.polite_site import PoliteSite
from walker.finding.scout import Scout
from walker.library.filling_browser import FillingBrowser
from walker.library.walk_library import WalkLibrary
from walker.rules.scope import WalkScope
from walker.seams.protocols import Browser
from walker.seams.site_reader import SiteReader

TIDES = "".join(f'<li><a href="/tide/{number}.html">Tides of day {number}</a></li>' for number in range(30))


def page(title: str, body: str, head: str = "") -> str:
    return f'<html lang="en"><head><title>{title}</title>{head}</head><body><main><h1>{title}</h1>{body}</main></body></html>'


PAGES = {
    "/": page(
        "Reef Station", f'<p>The Reef Station studies corals.</p><ul>{TIDES}</ul><a href="/fleet.html">Fleet</a>'
    ),
    "/fleet.html": page("Fleet", '<p>What floats at the north quay.</p><a href="/boats.html">Research vessels</a>'),
    "/boats.html": page("Boats", "<p>The research vessel Mantis was launched in 1997 and is 18.4 metres long.</p>"),
    "/secret/crew.html": page("Crew", "<p>The crew of the research vessel Mantis is launched daily.</p>"),
    "/robots.txt": "User-agent: *\nDisallow: /secret/\n",
    "/llms.txt": "- [Crew of the vessel](/secret/crew.html)\n- [Mooring of a vessel](/mooring.html): where vessels lie\n",
    "/mooring.html": page("Mooring", "<p>A vessel is moored with four lines.</p>"),
    **{f"/tide/{number}.html": page(f"Tide {number}", "<p>High water at noon.</p>") for number in range(30)},
}
QUESTION = "In which year was the research vessel Mantis launched?"


def finding_browser(
    live: Browser, site: SiteReader, home: str, *, pages: int = 12, library: Path | None = None
) -> FindingBrowser:
    """A browser that searches and scouts, with a library in memory where none is named."""
    shelf, scope = WalkLibrary(library, str), WalkScope(root_url=home)
    filling = FillingBrowser(live, shelf)
    return FindingBrowser(filling, shelf, (Scout(site, filling, shelf, scope, pages=pages),), scope)


@pytest.fixture
def site() -> Iterator[LoopbackSite]:
    with serve_site(PAGES) as served:
        yield served


@pytest.fixture
async def live(site: LoopbackSite) -> AsyncIterator[HttpBrowser]:
    async with HttpClient(site.home) as client:
        yield HttpBrowser(client)


@pytest.fixture
async def browser(site: LoopbackSite, live: HttpBrowser) -> AsyncIterator[FindingBrowser]:
    made = finding_browser(live, PoliteSite(site.home), site.home)
    yield made
    await made.close()
