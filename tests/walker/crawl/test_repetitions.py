"""Crawls that are repeated ask for what changed only, and tell what is new, changed, unchanged and gone."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sqlite3
from collections import Counter
from email.utils import formatdate
from pathlib import Path
from typing import Any

import pytest
from warcio.archiveiterator import ArchiveIterator

from tests.sites.serving import Answer, Asked, LoopbackSite, moved, serving
from tests.sites.versioned import PAGES, Manner, VersionedSite, serve_versions
from tests.walker.crawl.killing import Crawls
from walker.crawl.crawl_report import CrawlReport
from walker.crawl.crawling import CrawlSettings, crawl
from walker.crawl.job.job_store import JobStore
from walker.crawl.script.spec_loader import CrawlScript, read_script, spec_of_root
from walker.library.filling import LibraryFiller
from walker.library.opening import opened_library
from walker.programs.shared_walker import crawl as walker_crawl

ITEMS = [{"match": "/page/*", "items": [{"fields": {"name": "h1", "price": ".price"}}]}]


async def crawled(home: str, folder: Path, driver: str = "http", *, again: bool = False, **parts: Any) -> CrawlReport:
    spec = spec_of_root(home, driver=driver, pages=parts.pop("pages", ITEMS), keep=["text"], **parts)
    return await crawl(CrawlScript(spec=spec), CrawlSettings(folder=folder, again=again))


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def by_change(path: Path, name: str = "url") -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for row in rows(path):
        found.setdefault(row["change"], []).append(row[name].partition("//")[2].partition("/")[2] or "/")
    return found


def edit(site: VersionedSite) -> None:
    """Three pages are changed (the front page and two), one is new, and one answers 404."""
    site.change(3, 4)
    site.gone.add(7)
    site.link(*range(PAGES - 1), PAGES)
    site.begin()


@pytest.mark.parametrize("manner", ["etag", "weak etag", "date", "neither"])
async def test_only_what_changed_is_fetched_and_given_out(tmp_path: Path, manner: Manner) -> None:
    with serve_versions(manner) as site:
        first = await crawled(site.home, tmp_path)
        whole = site.sent
        assert (first.pages, first.changes, first.repetition) == (PAGES, {}, 1)
        edit(site)
        again = await crawled(site.home, tmp_path, again=True, output={"changed_only": True})
        unasked = 0 if manner == "neither" else PAGES - 4
        assert again.changes == {
            "new": 1,
            "changed": 3,
            "unchanged": PAGES - 4,
            "not modified": unasked,
            "gone": 1,
        }
        assert again.gone == {"HTTP 404": 1}
        assert again.repetition == 2
        assert site.conditional == (0 if manner == "neither" else PAGES)
        assert site.statuses == {200: 4 + PAGES - 4 - unasked, 404: 1} | ({304: unasked} if unasked else {})
        assert sum(site.statuses.values()) == PAGES + 1
        if manner != "neither":
            assert site.sent < whole / 5
        assert again.bytes == sum(row["size"] for row in rows(tmp_path / "pages.jsonl") if "size" in row) or not unasked
        assert by_change(tmp_path / "pages.jsonl") == {
            "changed": ["/", "page/3", "page/4"],
            "new": [f"page/{PAGES}"],
            "gone": ["page/7"],
        }
        assert by_change(tmp_path / "items.jsonl", "page_url") == {
            "changed": ["page/3", "page/4"],
            "new": [f"page/{PAGES}"],
            "gone": ["page/7"],
        }


async def test_a_page_that_is_unchanged_is_there_whole_and_its_links_are_walked(tmp_path: Path) -> None:
    with serve_versions("etag") as site:
        await crawled(site.home, tmp_path)
        before = {row["url"]: row for row in rows(tmp_path / "pages.jsonl")}
        items = (tmp_path / "items.jsonl").read_text()
        site.begin()
        again = await crawled(site.home, tmp_path, again=True)
        assert site.statuses == {304: PAGES}
        assert (again.pages, again.items, again.bytes) == (PAGES, PAGES - 1, 0)
        after = {row["url"]: row for row in rows(tmp_path / "pages.jsonl")}
        assert after == {url: {**row, "change": "unchanged"} for url, row in before.items()}
        kept = [{key: value for key, value in row.items() if key != "change"} for row in rows(tmp_path / "items.jsonl")]
        assert kept == [json.loads(line) for line in items.splitlines()]


async def test_what_the_server_calls_unchanged_is_a_revisit_in_the_archive(tmp_path: Path) -> None:
    archive: dict[str, Any] = {"output": {"warc": str(tmp_path / "all.warc.gz")}}
    with serve_versions("etag", 5) as site:
        await crawled(site.home, tmp_path / "job", **archive)
        site.begin()
        await crawled(site.home, tmp_path / "job", again=True, **archive)
        unchanged = site.statuses[304]
        assert unchanged >= 5
    with (tmp_path / "all.warc.gz").open("rb") as file:
        kinds = Counter(one.rec_type for one in ArchiveIterator(file) if "robots" not in str(one.rec_headers))
    assert kinds == {"warcinfo": 2, "response": unchanged, "revisit": unchanged, "request": 2 * unchanged}


async def test_pages_that_nothing_leads_to_any_more_are_gone_in_a_whole_crawl_only(tmp_path: Path) -> None:
    with serve_versions("etag", 12) as site:
        part: dict[str, Any] = {"scope": {"pages": 8}, "order": "breadth-first"}
        await crawled(site.home, tmp_path, **part)
        site.link(*range(5, 12))
        second = await crawled(site.home, tmp_path, again=True, **part)
        assert (second.stop_reason, second.gone) == ("page limit", {})
        assert (second.changes["new"], second.changes["unchanged"]) == (5, 2)
        site.link(*range(7))
        third = await crawled(site.home, tmp_path, again=True, **part)
        assert (third.changes["new"], third.changes["not modified"]) == (0, 7), "what nobody came to is not forgotten"
    with serve_versions("etag", 12) as site:
        folder = tmp_path / "other"
        await crawled(site.home, folder)
        site.link(*range(10))
        again = await crawled(site.home, folder, again=True)
        assert again.gone == {"nothing leads to it any more": 2}
        assert by_change(folder / "pages.jsonl")["gone"] == ["page/10", "page/11"]
        assert by_change(folder / "items.jsonl", "page_url")["gone"] == ["page/10", "page/11"]
        third = await crawled(site.home, folder, again=True)
        assert (third.repetition, third.changes["gone"], third.changes["unchanged"]) == (3, 0, 11)


async def test_a_page_that_fails_once_is_neither_gone_nor_new_and_its_links_are_walked(tmp_path: Path) -> None:
    def answer(asked: Asked) -> Answer:
        if asked.path == asked.headers.get("If-None-Match", "").strip('"'):
            return Answer(status=500 if broken and asked.path == "/hall" else 304)
        match asked.path:
            case "/":
                return Answer("<h1>Front</h1><a href='/hall'>Hall</a>")
            case "/hall" if not broken:
                return Answer(
                    "<h1>Hall</h1><p>Through here.</p><a href='/room'>Room</a>", headers=(("ETag", '"/hall"'),)
                )
            case "/hall":
                return Answer("<h1>Out of order</h1>", 500)
            case "/room":
                return Answer("<h1>Room</h1><p>A table and a chair.</p>", headers=(("ETag", '"/room"'),))
        return Answer(status=404)

    broken = False
    with serving(LoopbackSite(answer)) as site:
        pace = {"retries": 0}
        await crawled(site.home, tmp_path, pages=[], polite=pace)
        broken = True
        second = await crawled(site.home, tmp_path, again=True, pages=[], polite=pace)
        assert (second.changes["unchanged"], second.changes["gone"], second.failed) == (2, 0, 1)
        broken = False
        third = await crawled(site.home, tmp_path, again=True, pages=[], polite=pace)
        assert (third.changes["unchanged"], third.changes["not modified"], third.changes["new"]) == (3, 2, 0)


async def test_an_item_that_moves_to_another_page_is_not_lost(tmp_path: Path) -> None:
    def answer(asked: Asked) -> Answer:
        item = "<li><a href='/thing'>Thing</a> of value</li>"
        if asked.path == "/":
            return Answer("<h1>Front</h1><a href='/a'>A</a> <a href='/b'>B</a>")
        if asked.path == "/a":
            return Answer(f"<h1>A</h1><p>The first of the lists.</p><ul>{item if is_on_a else ''}</ul>")
        if asked.path == "/b":
            tag = '"b"'
            if asked.headers.get("If-None-Match") == tag:
                return Answer(status=304)
            return Answer(f"<h1>B</h1><p>Quite another list.</p><ul>{item}</ul>", headers=(("ETag", tag),))
        return Answer(status=404)

    rule = [
        {"match": "/*", "items": [{"each": "li", "fields": {"link": {"select": "a", "attr": "href", "type": "url"}}}]}
    ]
    is_on_a = True
    with serving(LoopbackSite(answer)) as site:
        await crawled(site.home, tmp_path, pages=rule, concurrency=1)
        assert by_page(tmp_path) == ["a"]
        is_on_a = False
        again = await crawled(site.home, tmp_path, again=True, pages=rule, concurrency=1)
        assert again.items == 1
        assert by_page(tmp_path) == ["b"]


def by_page(folder: Path) -> list[str]:
    return [row["page_url"].rpartition("/")[2] for row in rows(folder / "items.jsonl")]


async def test_a_server_that_always_says_unchanged_is_not_believed(tmp_path: Path) -> None:
    with serve_versions("always 304", 3) as site:
        report = await crawled(site.home, tmp_path, polite={"retries": 0})
        assert (report.pages, report.failed) == (1, 3)
        assert any("304" in why for why in report.failures)
    with serve_versions("etag", 3) as site:
        folder = tmp_path / "later"
        await crawled(site.home, folder)
        moved_away = site.answer

        def answer(asked: Asked) -> Answer:
            if asked.path == "/page/1":
                return moved("/elsewhere")
            return Answer(status=304) if asked.path == "/elsewhere" else moved_away(asked)

        site.answer = answer  # type: ignore[method-assign]
        again = await crawled(site.home, folder, again=True, polite={"retries": 0})
        assert again.changes["not modified"] == 3
        assert again.failed == 1, "the 304 is of a page that was never kept"


async def test_a_date_within_a_second_of_the_answer_proves_nothing(tmp_path: Path) -> None:
    def answer(asked: Asked) -> Answer:
        if asked.path != "/":
            return Answer(status=404)
        conditions.append(asked.headers.get("If-Modified-Since", ""))
        now = formatdate(usegmt=True)
        return Answer("<h1>Now</h1><p>Written this moment.</p>", headers=(("Last-Modified", now),))

    conditions: list[str] = []
    with serving(LoopbackSite(answer)) as site:
        await crawled(site.home, tmp_path, pages=[])
        await crawled(site.home, tmp_path, again=True, pages=[])
    assert conditions == ["", ""]


async def test_files_that_are_unchanged_are_not_fetched_again(tmp_path: Path) -> None:
    def answer(asked: Asked) -> Answer:
        if asked.path == "/":
            return Answer("<h1>Files</h1><a href='/one.zip'>One</a> <a href='/two.zip'>Two</a>")
        if not asked.path.endswith(".zip"):
            return Answer(status=404)
        tag = f'"{asked.path}{versions.get(asked.path, 0)}"'
        if asked.headers.get("If-None-Match") == tag:
            statuses.append(304)
            return Answer(status=304)
        statuses.append(200)
        return Answer(tag.encode() * 100, kind="application/zip", headers=(("ETag", tag),))

    statuses: list[int] = []
    versions = {"/two.zip": 1}
    with serving(LoopbackSite(answer)) as site:
        spec = spec_of_root(site.home, driver="http", keep=["download"])
        script = CrawlScript(spec=spec)
        await crawl(script, CrawlSettings(folder=tmp_path))
        files = sorted(path.name for path in (tmp_path / "files").iterdir())
        versions["/two.zip"] = 2
        report = await crawl(script, CrawlSettings(folder=tmp_path, again=True))
        assert sorted(statuses[2:]) == [200, 304]
        assert (report.changes["changed"], report.changes["unchanged"]) == (1, 2)
        assert sorted(path.name for path in (tmp_path / "files").iterdir()) == files
        next((tmp_path / "files").glob("*one*")).unlink()
        await crawl(script, CrawlSettings(folder=tmp_path, again=True))
        assert sorted(path.name for path in (tmp_path / "files").iterdir()) == files


@pytest.mark.parametrize("driver", ["auto", "playwright", "selenium"])
async def test_rendered_pages_are_compared_and_those_of_auto_asked_for_where_their_source_is_the_page(
    tmp_path: Path, driver: str
) -> None:
    with serve_versions("etag", 8) as site:
        await crawled(site.home, tmp_path, driver, concurrency=1)
        site.change(3)
        site.begin()
        again = await crawled(site.home, tmp_path, driver, again=True, concurrency=1)
        assert (again.changes["changed"], again.changes["unchanged"]) == (1, 8)
        if driver == "auto":
            assert (site.statuses[304], again.changes["not modified"]) == (8, 8)
        else:
            assert again.changes["not modified"] == 0


async def test_a_library_that_is_new_gets_every_page_and_an_old_one_loses_what_is_gone(tmp_path: Path) -> None:
    with serve_versions("etag", 6) as site:
        script = CrawlScript(spec=spec_of_root(site.home, driver="http"))
        await crawl(script, CrawlSettings(folder=tmp_path / "job"))
        library = tmp_path / "site.library"
        await crawl(script, CrawlSettings(folder=tmp_path / "job", again=True, library=library))
        urls = [f"{site.home}page/{number}" for number in range(6)]
        assert held(library, urls) == urls
        site.gone.add(2)
        site.begin()
        await crawl(script, CrawlSettings(folder=tmp_path / "job", again=True, library=library))
        assert site.statuses == {304: 6, 404: 1}
        assert held(library, urls) == [url for url in urls if not url.endswith("/2")]


def held(library: Path, urls: list[str]) -> list[str]:
    with opened_library(library) as opened:
        return [url for url in urls if LibraryFiller(opened).has(url)]


async def test_robots_txt_is_obeyed_as_it_is_now(tmp_path: Path) -> None:
    with serve_versions("etag", 5) as site:
        await crawled(site.home, tmp_path)
        pages = site.answer

        def answer(asked: Asked) -> Answer:
            if asked.path == "/robots.txt":
                return Answer("User-agent: *\nDisallow: /page/3\n", kind="text/plain")
            return pages(asked)

        site.answer = answer  # type: ignore[method-assign]
        site.begin()
        again = await crawled(site.home, tmp_path, again=True)
        assert "/page/3" not in site.asked
        assert (again.skipped, again.changes["gone"], again.changes["not modified"]) == (1, 0, 5)


async def test_a_program_crawls_again_by_the_names_of_the_flags(tmp_path: Path) -> None:
    with serve_versions("etag", 5) as site:
        keys: list[str] = []
        pages = site.answer

        def answer(asked: Asked) -> Answer:
            keys.append(asked.headers.get("X-Key", ""))
            return pages(asked)

        site.answer = answer  # type: ignore[method-assign]
        await walker_crawl(site.home, driver="http", job=tmp_path)
        site.change(2)
        header = {"X-Key": "${KEY}"}
        again = await walker_crawl(
            site.home,
            driver="http",
            job=tmp_path,
            again=True,
            changed_only=True,
            header=header,
            environment={"KEY": "fig"},
        )
        assert (again.changes["changed"], again.changes["not modified"]) == (1, 5)
        assert by_change(tmp_path / "pages.jsonl") == {"changed": ["page/2"]}
        assert (keys[0], keys[-1]) == ("", "fig")


async def test_pages_are_read_anew_by_another_function(tmp_path: Path) -> None:
    def script(path: Path, text: str) -> CrawlScript:
        path.write_text(
            "from walker.crawl.script.spec import CrawlSpec\n"
            f"crawl = CrawlSpec(start=({site.home!r},), driver='http')\n"
            f"def items(page):\n    yield {{'url': page.url, 'said': {text!r}}}\n"
        )
        return read_script(path)

    path = tmp_path / "script.py"
    with serve_versions("etag", 3) as site:
        await crawl(script(path, "one"), CrawlSettings(folder=tmp_path / "job"))
        again = await crawl(script(path, "one"), CrawlSettings(folder=tmp_path / "job", again=True))
        assert (again.changes["not modified"], again.items) == (4, 4)
        again = await crawl(script(path, "two"), CrawlSettings(folder=tmp_path / "job", again=True))
        assert (again.changes["not modified"], again.changes["changed"]) == (0, 4)
        assert {row["said"] for row in rows(tmp_path / "job" / "items.jsonl")} == {"two"}
        again = await crawl(script(path, "two"), CrawlSettings(folder=tmp_path / "job", again=True))
        assert again.changes["not modified"] == 4


async def test_a_crawl_that_was_killed_at_its_very_end_can_be_repeated(tmp_path: Path) -> None:
    with serve_versions("etag", 3) as site:
        await crawled(site.home, tmp_path)
        with contextlib.closing(JobStore(tmp_path)) as store:
            store.keep_setting("stop", "")
        finished = await crawled(site.home, tmp_path, again=True)
        assert (finished.repetition, finished.stop_reason) == (1, "complete")
        again = await crawled(site.home, tmp_path, again=True)
        assert (again.repetition, again.changes["not modified"]) == (2, 4)


async def test_a_crawl_that_was_interrupted_is_resumed_by_again(tmp_path: Path) -> None:
    with serve_versions("etag") as site:
        site.seconds = 0.02
        running = asyncio.ensure_future(crawled(site.home, tmp_path))
        await asyncio.to_thread(site.wait_for, 15)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        report = await crawled(site.home, tmp_path, again=True)
        assert (report.repetition, report.pages, report.changes) == (1, PAGES, {})


def test_a_repetition_that_is_killed_goes_on_as_the_same_one(tmp_path: Path) -> None:
    with serve_versions("etag") as site, Crawls() as crawls:
        script, job = tmp_path / "script.yaml", tmp_path / "job"
        script.write_text(f"start: {site.home}\ndriver: http\n")
        assert crawls.run(script, job) == 0
        edit(site)
        site.seconds = 0.05
        assert crawls.run_killed(script, job, site, 15, "--again")
        assert crawls.run_killed(script, job, site, 10, "--again")
        assert crawls.run(script, job, "--again") == 0
        with contextlib.closing(JobStore(job)) as store:
            changes = store.contents.changes.counts()
            assert store.repetition == 2
        assert changes == {"new": 1, "changed": 3, "unchanged": PAGES - 4, "not modified": PAGES - 4, "gone": 1}
        in_flight = 4 + 1  # a page that waits for a probe of its site lets another be asked for meanwhile
        assert sum(site.statuses.values()) <= PAGES + 1 + 2 * in_flight
        assert crawls.run(script, job) == 0
        with sqlite3.connect(job / "job.sqlite") as base:
            assert base.execute("SELECT value FROM job WHERE name = 'repetition'").fetchone() == ("2",)
