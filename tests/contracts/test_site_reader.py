"""One body for every implementation of the SiteReader seam."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from perception.snapshot import Snapshot
from tests.sites.pages_on_loopback import serve_site
from tests.sites.serving import LoopbackSite
from traces.manifest import RunManifest
from traces.store.recorder import Recorder
from walker.finding.polite_site import PoliteSite
from walker.recording.recorded_site import RecordedSite
from walker.recording.recording import Recording
from walker.seams.protocols import PageFailure
from walker.seams.site_reader import SiteFile, SiteReader

PAGES = {
    "/": "<title>Reef</title><p>Corals live here.</p>",
    "/robots.txt": "User-agent: *\nDisallow: /private/\nSitemap: sitemap.xml\n",
    "/sitemap.xml": "<urlset><url><loc>/boats.html</loc></url></urlset>",
    "/private/diary.html": "<title>Diary</title>",
}


@pytest.fixture
def site() -> Iterator[LoopbackSite]:
    with serve_site(PAGES) as served:
        yield served


@pytest.fixture(params=["live", "recorded"])
async def reader(request: pytest.FixtureRequest, site: LoopbackSite, tmp_path: Path) -> AsyncIterator[SiteReader]:
    made: SiteReader = PoliteSite(site.home)
    if request.param == "recorded":
        manifest = RunManifest(run_id="r", created=1.0, question="", root_url=site.home, settings={})
        made = RecordedSite(made, Recording(recorder=Recorder.create(tmp_path / "run", manifest, clock=time.time)))
    yield made
    await made.close()


async def test_a_page_comes_as_it_was_served(reader: SiteReader, site: LoopbackSite) -> None:
    page = await reader.page(site.home)
    assert isinstance(page, Snapshot)
    assert (page.status, page.title) == (200, "Reef")
    assert "Corals" in page.html


async def test_a_missing_page_is_a_page_with_its_status(reader: SiteReader, site: LoopbackSite) -> None:
    page = await reader.page(site.home + "gone.html")
    assert isinstance(page, Snapshot)
    assert page.status == 404


async def test_a_file_ends_at_the_limit(reader: SiteReader, site: LoopbackSite) -> None:
    whole = await reader.file(site.home + "sitemap.xml", 1000)
    part = await reader.file(site.home + "sitemap.xml", 7)
    assert isinstance(whole, SiteFile)
    assert isinstance(part, SiteFile)
    assert (whole.status, whole.body.decode()) == (200, PAGES["/sitemap.xml"])
    assert part.body == b"<urlset"


async def test_what_robots_txt_forbids_is_not_asked_for(reader: SiteReader, site: LoopbackSite) -> None:
    for refused in (
        await reader.page(site.home + "private/diary.html"),
        await reader.file(site.home + "private/x", 10),
    ):
        assert isinstance(refused, PageFailure)
    assert not any(path.startswith("/private") for path in site.asked)
    assert await reader.sitemaps() == (site.home + "sitemap.xml",)


async def test_addresses_that_may_not_be_opened_are_failures(reader: SiteReader) -> None:
    for address in ("http://10.0.0.1/", "file:///etc/passwd", "javascript:alert(1)", "http://[", ""):
        refused = await reader.page(address)
        assert isinstance(refused, PageFailure), address
