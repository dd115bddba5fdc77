"""Records reach an S3 store while a crawl runs, each once, whenever it is killed."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import signal
import time
import uuid
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.loaded_program import run_code_loaded
from tests.fixtures.s3_server import S3Server
from tests.fixtures.written_records import S3Objects
from tests.sites.crawl_site import ITEMS, CrawlSite, serve_crawl_site
from tests.walker.crawl.killing import write_script
from walker.crawl.output.early import early_records
from walker.crawl.output.early.early_parts import EarlyParts
from walker.crawl.output.early.early_records import ComingItems, kept_up
from walker.crawl.output.records import write_records
from walker.crawl.script.destination import S3Parts, destination_of

CRAWL_WITH_SMALL_PARTS = """
import sys
from walker.crawl.output.early import early_records
early_records.SOON_ROWS, early_records.SOON_SECONDS, early_records.POLL_SECONDS = 5, 0.0, 0.02
sys.argv = ["walker", "crawl", *sys.argv[1:]]
from walker.cli import main
main()
"""
SECONDS = 60.0


@pytest.fixture
def parts(s3: S3Server, tmp_path: Path) -> S3Objects:
    return S3Objects(s3, f"b{uuid.uuid4().hex[:8]}", ".jsonl", tmp_path, parts=True)


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A part has five records at least, and is written at once."""
    for name, value in (("SOON_ROWS", 5), ("SOON_SECONDS", 0.0), ("POLL_SECONDS", 0.01)):
        monkeypatch.setattr(early_records, name, value)


def listed(parts: S3Objects) -> list[dict[str, Any]]:
    """The records that the manifest vouches for, in order."""
    found = []
    for part in parts.manifest("a")["parts"]:
        if part.get("sha256"):
            data = parts.server.read(parts.bucket, f"{parts.key('a')}/{part['name']}")
            found += [json.loads(line) for line in data.splitlines()]
    return found


def crawl_killed(site: CrawlSite, pages: int, *given: str) -> None:
    """A crawl with small parts, killed once so many pages were asked for."""
    with run_code_loaded(CRAWL_WITH_SMALL_PARTS, *given) as process:
        until = time.monotonic() + SECONDS
        while len(site.asked) < pages and process.poll() is None and time.monotonic() < until:
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGKILL)


def test_a_crawl_that_is_killed_again_and_again_has_sent_each_record_once(parts: S3Objects, tmp_path: Path) -> None:
    seen: list[list[dict[str, Any]]] = [[]]
    with serve_crawl_site(delay=0.05) as site:
        script, job = write_script(tmp_path / "script.py", site.home, "http", "plain"), tmp_path / "job"
        given = [str(script), "--job", str(job), "-o", parts.address("a"), "-q"]
        for pages in (25, 50):
            crawl_killed(site, pages, *given)
            seen.append(listed(parts))
            assert not parts.manifest("a")["complete"]
        with run_code_loaded(CRAWL_WITH_SMALL_PARTS, *given) as process:
            assert process.wait() == 0
    assert [len(rows) for rows in seen] == sorted({len(rows) for rows in seen}), "more each time"
    columns, rows = parts.read("a")
    everything = listed(parts)
    assert len(rows) == len(everything) == len({row["url"] for row in everything}) == ITEMS
    for rows_then in seen:
        assert everything[: len(rows_then)] == rows_then
    assert columns == ["title", "url", "page_url"]


class Items:
    """Stored items that a test changes."""

    def __init__(self) -> None:
        self.rows: dict[int, dict[str, Any]] = {}

    def items_after(self, row: int, most: int) -> list[tuple[int, dict[str, Any]]]:
        """See `StoredItems`."""
        return list(itertools.islice(((at, item) for at, item in sorted(self.rows.items()) if at > row), most))

    def count_items(self, after: int, until: int) -> int:
        """See `StoredItems`."""
        return sum(after < at <= until for at in self.rows)

    def add(self, first: int, end: int, **more: Any) -> None:
        """Items of these rows."""
        self.rows |= {row: {"n": row, **more} for row in range(first, end)}


async def arrived(parts: S3Objects, count: int) -> list[int]:
    """The numbers in the store, as soon as there are so many."""
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        await asyncio.sleep(0.02)
        try:
            if len(rows := await asyncio.to_thread(listed, parts)) == count:
                return [row["n"] for row in rows]
        except KeyError:
            continue
    raise AssertionError(f"there are never {count} records")


def place_of(parts: S3Objects) -> S3Parts:
    to = destination_of(parts.address("a"))
    assert isinstance(to, S3Parts)
    return to


async def test_a_page_that_was_read_again_leaves_none_of_its_first_records(parts: S3Objects, tmp_path: Path) -> None:
    items = Items()
    async with kept_up(ComingItems(items), place_of(parts), "job", ("n",), tmp_path / "early"):
        items.add(1, 8)
        assert await arrived(parts, 7) == list(range(1, 8))
        items.add(8, 15)
        await arrived(parts, 14)
        first = parts.manifest("a")["parts"][0]
        del items.rows[10], items.rows[11]
        items.add(15, 21)
        assert await arrived(parts, 18) == [n for n in range(1, 21) if n not in (10, 11)]
        assert parts.manifest("a")["parts"][0] == first
    kept = parts.manifest("a")["parts"]
    assert (
        write_records(place_of(parts), [items.rows[row] for row in sorted(items.rows)], columns=("n",), job="job") == 18
    )
    assert parts.manifest("a")["parts"] == kept, "what is right is not sent again"
    parts.read("a")


async def test_what_another_crawl_has_written_stays_until_the_end(parts: S3Objects, tmp_path: Path) -> None:
    write_records(place_of(parts), [{"n": 100}], job="of yesterday")
    before, items = parts.manifest("a"), Items()
    async with kept_up(ComingItems(items), place_of(parts), "of today", ("n",), tmp_path / "early"):
        items.add(1, 50)
        await asyncio.sleep(0.3)
    assert parts.manifest("a") == before
    write_records(place_of(parts), list(items.rows.values()), job="of today")
    assert [row[0] for row in parts.read("a")[1]] == list(range(1, 50))


async def test_a_store_that_does_not_answer_holds_nothing_up(
    parts: S3Objects, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def hang(_writer: EarlyParts) -> bool:
        time.sleep(SECONDS)
        return True

    monkeypatch.setattr(EarlyParts, "begin", hang)
    began = time.monotonic()
    with pytest.raises(asyncio.CancelledError):
        async with kept_up(ComingItems(Items()), place_of(parts), "job", ("n",), tmp_path / "early"):
            raise asyncio.CancelledError
    assert time.monotonic() - began < SECONDS / 2
