"""Office, CSV and Markdown files as pages of whole crawls of a real site."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.sites.office_site import HANDBOOK, serve_office
from tests.sites.serving import LoopbackSite
from walker.crawl.crawl_report import CrawlReport
from walker.crawl.crawling import CrawlSettings, crawl
from walker.crawl.script.spec_loader import CrawlScript, spec_of_root
from walker.library.opening import opened_library


@pytest.fixture
def site() -> Iterator[LoopbackSite]:
    with serve_office() as server:
        yield server


async def crawled(site: LoopbackSite, folder: Path, driver: str = "http", **parts: Any) -> CrawlReport:
    library = parts.pop("library", None)
    spec = spec_of_root(site.home, driver=driver, concurrency=2, polite={"retries": 0}, **parts)
    return await crawl(CrawlScript(spec=spec), CrawlSettings(folder=folder, library=library))


def pages(folder: Path) -> dict[str, dict[str, Any]]:
    rows = [json.loads(line) for line in (folder / "pages.jsonl").read_text().splitlines()]
    return {"/" + row["url"].split("/", 3)[3]: row for row in rows}


@pytest.mark.parametrize("driver", ["http", "playwright"])
async def test_files_are_pages_with_text_markdown_tables_and_links(
    site: LoopbackSite, tmp_path: Path, driver: str
) -> None:
    report = await crawled(site, tmp_path, driver, keep=["office", "markdown", "text"])
    found = pages(tmp_path)
    assert "| Sydby | 18.2 metres | 1912 | 2 |" in found["/files/towers.xlsx"]["markdown"]
    assert "## Sheet: One" in found["/files/towers.xlsx"]["markdown"]
    assert f"[the page of the fleet]({site.home}fleet.html)" in found["/files/handbook.docx"]["markdown"]
    assert "Ingrid Moe" in found["/files/handbook.docx"]["text"]
    assert "Notes: The lens is ordered by Ada in May." in found["/plan.pptx"]["markdown"]
    assert "| Nesset | 12,5 | 1987-03-01 |" in found["/stations.csv"]["markdown"]
    assert "Bring" in found["/guide.md"]["text"]
    assert found["/fleet.html"]["title"] == "Fleet", "the link of a file is followed"
    assert "a file: it is an Excel file that cannot be read: it is damaged (BadZipFile)" in report.skips
    assert "a file: it is a Word file of the old binary form (.doc), which is not read" in report.skips


async def test_without_a_wish_no_file_is_asked_for(site: LoopbackSite, tmp_path: Path) -> None:
    await crawled(site, tmp_path)
    assert [path for path in site.asked if path.endswith((".docx", ".xlsx", ".pptx", ".csv", ".doc"))] == []


async def test_a_file_is_kept_beside_its_page(site: LoopbackSite, tmp_path: Path) -> None:
    await crawled(site, tmp_path, keep=["office", "markdown", "download"], scope={"path": "/files"})
    row = pages(tmp_path)["/files/handbook.docx"]
    assert "Ingrid Moe" in row["markdown"]
    assert (tmp_path / "files" / row["file"]).read_bytes() == HANDBOOK


async def test_items_come_from_tables_by_selectors(site: LoopbackSite, tmp_path: Path) -> None:
    rule = {
        "match": "/files/towers.xlsx",
        "items": [
            {
                "each": "tbody tr",
                "fields": {
                    "tower": "td:nth-of-type(1)",
                    "keepers": {"select": "td:nth-of-type(4)", "type": "integer"},
                },
            }
        ],
    }
    await crawled(site, tmp_path, keep=["office"], pages=[rule])
    items = [json.loads(line) for line in (tmp_path / "items.jsonl").read_text().splitlines()]
    assert [(one["tower"], one["keepers"]) for one in items] == [("Nordby", 4), ("Sydby", 2), ("Vestby", 1)]


async def test_passages_go_into_a_library(site: LoopbackSite, tmp_path: Path) -> None:
    await crawled(site, tmp_path / "job", keep=["office"], library=tmp_path / "site.library")
    with opened_library(tmp_path / "site.library") as library:
        hits = library.search("who ground the lens", 3)
    assert hits[0].url == site.home + "files/handbook.docx"
