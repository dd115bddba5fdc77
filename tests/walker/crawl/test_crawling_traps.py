"""A whole crawl, by the real engine, of a site that is full of endless places: every real page, every item, and an end."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sites.traps import TRAPS, serve_traps
from walker.crawl.crawling import CrawlSettings, crawl
from walker.crawl.script.spec_loader import CrawlScript, spec_of_root

MOST_WASTED = {"maze": 560, "redirects": 300, "calendar": 200, "facets": 200}
"""Requests of one trap; 130 of the others. A maze of ever new words is told from a large site of such pages only after 480, and
four requests make one redirected page."""


@pytest.mark.parametrize("order", ["depth-first", "breadth-first"])
async def test_every_trap_ends_and_no_real_page_is_lost(tmp_path: Path, order: str) -> None:
    with serve_traps() as site:
        truth = site.truth()
        spec = spec_of_root(
            site.address + "/",
            driver="http",
            order=order,
            concurrency=4,
            pages=[{"match": "/item/**", "items": [{"fields": {"name": "h1"}}]}],
        )
        report = await crawl(CrawlScript(spec=spec), CrawlSettings(folder=tmp_path))
        assert report.stop_reason == "complete"
        asked = [path for place, path in site.visits if place == "real"]
        assert set(truth.pages) <= set(asked), sorted(set(truth.pages) - set(asked))[:5]
        assert {
            place: n for place, n in site.counts().items() if place in TRAPS and n > MOST_WASTED.get(place, 130)
        } == {}
        assert site.counts().total() - site.counts()["real"] <= 1500
        assert report.cut > 0
