"""What a site says of itself in robots.txt and sitemaps, however it writes it."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

from tests.sites.practice.crawled import crawled
from tests.sites.practice.mapped import MAPPED, mapped_site
from tests.sites.serving import LoopbackSite, serving


async def test_pages_that_only_sitemaps_lead_to(tmp_path: Path) -> None:
    with serving(LoopbackSite(mapped_site, keep_alive=True)) as site:
        found = await crawled(
            site, tmp_path, sitemaps="robots", cut_after=0, concurrency=16, polite={"retries": 1, "per_host": 16}
        )
        home = site.home
    reached = {path for path in found.asked if "/reach/" in path}
    assert reached == {"/maps/reach/relative", *(f"/reach/{quote(name, '/?=&')}" for name in MAPPED)}
    assert [path for path in found.asked if path.startswith("/never")] == ["/never/allowed/page.htm"]
    assert found.report.skips == {"robots.txt forbids it": 1}
    told = [problem.removeprefix(home) for problem in found.report.sitemaps]
    assert [problem.partition(" (")[0] for problem in told] == [
        "maps/gone.xml: answers 404",
        "maps/moved.xml: not well-formed XML",
        "maps/page.html: not well-formed XML",
        "http://other.invalid/map.xml: cannot be fetched",
    ]
