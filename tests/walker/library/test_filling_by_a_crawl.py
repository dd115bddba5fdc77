"""A crawl fills a library as it goes: whole, once, and after every kind of end."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sites.crawl_site import ITEMS, PAGES, CrawlSite, item_text, serve_crawl_site
from tests.walker.crawl.killing import Crawls, write_script
from walker.crawl.crawling import CrawlSettings, crawl
from walker.crawl.script.spec_loader import CrawlScript, spec_of_root
from walker.errors import WalkerError
from walker.library.library_file import LibraryFile


@pytest.fixture
def site() -> Iterator[CrawlSite]:
    with serve_crawl_site(delay=0.005) as server:
        yield server


def addresses(path: Path) -> list[str]:
    with contextlib.closing(LibraryFile.read(path)) as library:
        return [url for page in library.pages() for url in (page.url, *page.also)]


def check_whole(path: Path, home: str) -> None:
    items = {f"{home}item/{number}" for number in range(ITEMS)}
    found = addresses(path)
    assert items <= set(found)
    assert len(found) == len(set(found))
    base = sqlite3.connect(path)
    texts = base.execute("SELECT text FROM passages").fetchall()
    base.close()
    assert all(sum(item_text(number) in text for (text,) in texts) == 1 for number in range(ITEMS))


async def test_every_page_is_there_once(site: CrawlSite, tmp_path: Path) -> None:
    script = CrawlScript(spec=spec_of_root(site.home, driver="http", concurrency=4))
    settings = CrawlSettings(folder=tmp_path / "job", library=tmp_path / "docs.library")
    report = await crawl(script, settings)
    assert report.pages >= PAGES
    check_whole(tmp_path / "docs.library", site.home)
    with contextlib.closing(LibraryFile.read(tmp_path / "docs.library")) as library:
        assert [hit.title for hit in library.search("Item 17", 1)] == ["Item 17"]
        assert library.has(f"{site.home}old/3"), "an address that redirects leads to the page"


def test_a_crawl_that_is_killed_loses_and_doubles_nothing_in_its_library(tmp_path: Path) -> None:
    with Crawls() as crawls:
        for kill_at in (17, 58):
            with serve_crawl_site(0.01) as site:
                folder = tmp_path / str(kill_at)
                folder.mkdir()
                script = write_script(folder / "script.py", site.home, "http", "plain")
                job, path = folder / "job", folder / "docs.library"
                crawls.library = path
                assert crawls.run_killed(script, job, site, kill_at)
                if (job / "job.sqlite").exists():
                    base = sqlite3.connect(job / "job.sqlite")
                    done = base.execute(
                        "SELECT final_url FROM contents JOIN pages ON pages.id = page WHERE state = 2 AND same_as = 0"
                    ).fetchall()
                    base.close()
                    kept = set(addresses(path)) if done else set()
                    assert {url for (url,) in done} <= kept, "what the job has done is in the library"
                assert crawls.run(script, job) == 0
                check_whole(path, site.home)


async def test_a_file_that_is_no_library_ends_the_crawl_in_one_line_before_a_page_is_fetched(
    site: CrawlSite, tmp_path: Path
) -> None:
    (tmp_path / "docs.library").write_text("no database" * 100)
    settings = CrawlSettings(folder=tmp_path / "job", library=tmp_path / "docs.library")
    with pytest.raises(WalkerError, match=r"docs\.library: is not a library"):
        await crawl(CrawlScript(spec=spec_of_root(site.home, driver="http")), settings)
    assert site.asked == []


async def test_two_crawls_fill_one_library_at_a_time(site: CrawlSite, tmp_path: Path) -> None:
    with serve_crawl_site(delay=0.002) as other:
        await asyncio.gather(
            *(
                crawl(
                    CrawlScript(spec=spec_of_root(one.home, driver="http", scope={"pages": 30})),
                    CrawlSettings(folder=tmp_path / name, library=tmp_path / "docs.library"),
                )
                for name, one in (("a", site), ("b", other))
            )
        )
    kept = addresses(tmp_path / "docs.library")
    assert {url.split("/")[2] for url in kept} == {site.home.split("/")[2], other.home.split("/")[2]}
