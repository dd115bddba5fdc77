"""What comes late to a page that has text already is read by a crawl, whichever browser it drives."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.sites.late_content import serve_late_content
from walker.crawl.crawling import CrawlSettings, crawl
from walker.crawl.script.spec import CrawlSpec
from walker.crawl.script.spec_loader import CrawlScript

LATE = "fetched asked body chained timer frame idle events socket".split()
POLLS = "polling"


@pytest.mark.parametrize("driver", ["playwright", "selenium", "auto"])
async def test_what_a_page_has_begun_is_kept(tmp_path: Path, driver: str) -> None:
    with serve_late_content() as home:
        spec = CrawlSpec.model_validate(
            {"start": [home + name for name in (*LATE, POLLS)], "driver": driver, "concurrency": 3}
        )
        await crawl(CrawlScript(spec=spec), CrawlSettings(folder=tmp_path))
    rows = [json.loads(line) for line in (tmp_path / "pages.jsonl").read_text().splitlines()]
    words = {row["url"].removeprefix(home): row["words"] for row in rows}
    assert words == {**dict.fromkeys(LATE, words[POLLS] + len(("Two", "boats"))), POLLS: words[POLLS]}
