"""Whole crawls of a real site on loopback: complete, exact, and whole again after every kind of end."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.sites.crawl_site import COPIES, ITEMS, PAGES, CrawlSite, serve_crawl_site
from tests.walker.crawl.killing import CONCURRENCY, MODES, QUOTA, Crawls, fetched_again, write_script
from traces.events import CounterMoved, PageOpened, WalkEnded, WalkStarted
from traces.reading.reader import read_run
from walker.crawl.crawl_report import CrawlReport
from walker.crawl.crawling import CrawlSettings, crawl, script_digest
from walker.crawl.errors import JobMismatch
from walker.crawl.job_records import PageContent
from walker.crawl.script import linear_regex
from walker.crawl.script.linear_regex import ExpressionTooSlow
from walker.crawl.script.script_functions import ScriptFailed, ScriptFunctions
from walker.crawl.script.spec_loader import CrawlScript, spec_of_root


@pytest.fixture
def site() -> Iterator[CrawlSite]:
    with serve_crawl_site(delay=0.005) as server:
        yield server


def items(page: PageContent, html: str) -> list[dict[str, Any]]:
    return [{"url": page.url, "title": page.title}] if "/item/" in page.url else []


def script_of(home: str, driver: str, **parts: Any) -> CrawlScript:
    spec = spec_of_root(home, driver=driver, concurrency=CONCURRENCY, **parts)
    return CrawlScript(spec=spec, functions=ScriptFunctions(items=items))


async def crawled(home: str, folder: Path, driver: str = "http", **parts: Any) -> CrawlReport:
    return await crawl(script_of(home, driver, **parts), CrawlSettings(folder=folder))


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def wrong_items(page: PageContent, html: str) -> list[dict[str, Any]]:
    return [{"share": 1 / (len(page.url) - len(page.url))}]


async def test_a_script_that_fails_ends_the_crawl_in_one_line(site: CrawlSite, tmp_path: Path) -> None:
    script = CrawlScript(spec=script_of(site.home, "http").spec, functions=ScriptFunctions(items=wrong_items))
    with pytest.raises(ScriptFailed, match=r"items\(\) raised ZeroDivisionError"):
        await crawl(script, CrawlSettings(folder=tmp_path))


async def test_a_pattern_that_an_address_keeps_busy_ends_the_crawl_in_one_line(
    site: CrawlSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(linear_regex, "MOST_SECONDS", 1e-9)
    slow = r"re:(?=l)(\w*)(\w*)(\w*)(\w*)(\w*)(\w*)(\w*)(\w*)(\w*)(\w*)-t"
    with pytest.raises(ExpressionTooSlow, match=r"/.*: the pattern re:\(\?=l\).* takes more than"):
        await crawled(site.home, tmp_path, scope={"exclude": [slow]})


@pytest.mark.parametrize("driver", ["http", "playwright", "selenium"])
async def test_a_whole_site(site: CrawlSite, tmp_path: Path, driver: str) -> None:
    report = await crawled(site.home, tmp_path, driver)
    assert (report.stop_reason, report.items, report.waiting) == ("complete", ITEMS, 0)
    assert (report.pages, report.same) == (PAGES + COPIES, COPIES)
    assert report.failures == {"HTTP 404": 1}, "the list goes on one page too far"
    assert {row["title"] for row in rows(tmp_path / "items.jsonl")} == {f"Item {n}" for n in range(ITEMS)}
    pages = rows(tmp_path / "pages.jsonl")
    assert len({page.get("final_url", page["url"]) for page in pages}) == len(pages) == PAGES + COPIES + 1
    assert sum("same_as" in page for page in pages) == COPIES
    assert all(times == 1 for path, times in site.times_asked().items() if path.startswith("/list/"))
    assert site.asked.count("/robots.txt") == 1


@pytest.mark.parametrize("driver", ["http", "playwright"])
async def test_a_quota_is_exact(site: CrawlSite, tmp_path: Path, driver: str) -> None:
    report = await crawled(site.home, tmp_path, driver, counter={"mode": "quota", "target": 17}, items="auto")
    assert (report.stop_reason, report.items) == ("quota reached", 17)
    assert len(rows(tmp_path / "items.jsonl")) == 17


@pytest.mark.parametrize("driver", ["http", "playwright"])
async def test_a_page_limit_is_exact(site: CrawlSite, tmp_path: Path, driver: str) -> None:
    report = await crawled(site.home, tmp_path, driver, scope={"pages": 20})
    assert (report.stop_reason, report.pages) == ("page limit", 20)
    assert (
        sum(
            times for path, times in site.times_asked().items() if path not in ("/robots.txt", "/favicon.ico", "/old/3")
        )
        == 20
    )


async def test_no_more_at_a_time_than_allowed(site: CrawlSite, tmp_path: Path) -> None:
    await crawled(site.home, tmp_path, polite={"per_host": 2})
    assert site.most_at_a_time == 2


async def test_depth(site: CrawlSite, tmp_path: Path) -> None:
    report = await crawled(site.home, tmp_path, scope={"depth": 1})
    assert report.pages == 1 + ITEMS // 6 + 1 + 1, "front, lists, one category, one item by its old address"
    assert report.stop_reason == "complete"


async def test_best_first_goes_where_the_words_of_the_script_lead(site: CrawlSite, tmp_path: Path) -> None:
    spec = spec_of_root(
        site.home, driver="http", order="best-first", best="items 8, categories", concurrency=1, scope={"pages": 3}
    )
    await crawl(CrawlScript(spec=spec), CrawlSettings(folder=tmp_path))
    assert [path for path in site.asked if path != "/robots.txt"] == ["/", "/category/0", "/item/8"]


async def test_a_job_that_is_done_asks_nothing_more(site: CrawlSite, tmp_path: Path) -> None:
    first = await crawled(site.home, tmp_path)
    asked = len(site.asked)
    again = await crawled(site.home, tmp_path)
    assert (again.pages, again.items, again.stop_reason) == (first.pages, first.items, "complete")
    assert len(site.asked) == asked


async def test_a_higher_limit_goes_on_in_a_new_job_only(site: CrawlSite, tmp_path: Path) -> None:
    await crawled(site.home, tmp_path, scope={"pages": 5})
    with pytest.raises(JobMismatch, match="another script"):
        await crawled(site.home, tmp_path, scope={"path": "/list"})
    fresh = await crawl(script_of(site.home, "http", scope={"pages": 7}), CrawlSettings(folder=tmp_path, fresh=True))
    assert fresh.pages == 7


def test_jobs_of_earlier_versions_can_be_resumed() -> None:
    # What version 0.1 wrote for this script.
    assert script_digest(spec_of_root("https://docs.example.org/")) == "ef2a2ea63a3b89f0fa1511889ba48b8b"
    pressed = spec_of_root("https://docs.example.org/", press=True)
    assert script_digest(pressed) != script_digest(spec_of_root("https://docs.example.org/"))


async def test_an_interrupted_crawl_goes_on(site: CrawlSite, tmp_path: Path) -> None:
    running = asyncio.ensure_future(crawled(site.home, tmp_path))
    await asyncio.to_thread(site.wait_for, 20)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    report = await crawled(site.home, tmp_path)
    assert (report.pages, report.items, report.stop_reason) == (PAGES + COPIES, ITEMS, "complete")
    assert all(times <= 2 for path, times in site.times_asked().items() if path.startswith("/list/"))


KILLS = {"http": 4, "playwright": 2}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("driver", ["http", "playwright"])
def test_killed_again_and_again_it_comes_to_the_same(tmp_path: Path, mode: str, driver: str) -> None:
    chance = random.Random(f"{mode} {driver}")
    with serve_crawl_site(delay=0.03) as site, Crawls() as crawls:
        script, job = write_script(tmp_path / "script.py", site.home, driver, mode), tmp_path / "job"
        kills = sum(crawls.run_killed(script, job, site, chance.randint(3, 30)) for _ in range(KILLS[driver]))
        assert crawls.run(script, job) == 0
        found = rows(job / "items.jsonl")
        expected = QUOTA if mode == "quota" else ITEMS
        assert len(found) == expected
        assert len({row["url"] for row in found}) == expected
        refetched = fetched_again(site.times_asked())
        in_flight = CONCURRENCY + 1  # a page that waits for a probe of its site lets another be asked for meanwhile
        assert refetched <= kills * in_flight + 1 + COPIES, "what was in flight, and what has two addresses"
        if mode != "quota":
            assert sum(page["state"] == "done" for page in rows(job / "pages.jsonl")) == PAGES + COPIES


async def test_a_crawl_leaves_a_record_that_readers_of_walks_read(site: CrawlSite, tmp_path: Path) -> None:
    await crawled(site.home, tmp_path, scope={"pages": 9})
    run = read_run(tmp_path / "trace")
    started, *pages, ended = run.events
    assert isinstance(started, WalkStarted)
    assert started.root_url == site.home
    assert sum(isinstance(event, PageOpened) for event in pages) == 9
    assert isinstance(ended, WalkEnded)
    assert (ended.stop_reason, ended.pages) == ("page limit", 9)
    assert ended.count["drivers"] == {"http": 9}


async def test_the_record_of_an_interrupted_crawl_goes_on(site: CrawlSite, tmp_path: Path) -> None:
    running = asyncio.ensure_future(crawled(site.home, tmp_path))
    await asyncio.to_thread(site.wait_for, 20)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    report = await crawled(site.home, tmp_path)
    events = read_run(tmp_path / "trace").events
    opened = [event.url for event in events if isinstance(event, PageOpened)]
    assert len(set(opened)) == len(opened) == report.pages
    assert sum(isinstance(event, WalkStarted) for event in events) == 1
    assert sum(isinstance(event, WalkEnded) for event in events) == 1
    assert [event.found for event in events if isinstance(event, CounterMoved)] == list(range(1, report.items + 1))


async def test_a_host_that_asks_for_patience_does_not_keep_the_crawl_from_ending(tmp_path: Path) -> None:
    with serve_crawl_site() as site:
        started = time.monotonic()
        report = await crawled(site.home, tmp_path, polite={"delay": 30}, scope={"seconds": 3})
        assert (report.stop_reason, report.pages) == ("time limit", 1)
        assert time.monotonic() - started < 25
