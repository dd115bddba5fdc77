"""Tables get rows, and prefixes of a store pages and passages, while a crawl runs, each once; what cannot is said at the start."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import time
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.loaded_program import run_code_loaded
from tests.fixtures.s3_server import S3Server
from tests.fixtures.written_records import DuckDbTables, Place, PostgresTables, Rows, S3Objects
from tests.sites.crawl_site import ITEMS, serve_crawl_site
from tests.walker.cli.program import walker_here
from tests.walker.crawl.killing import write_script
from tests.walker.crawl.output.test_early_parts import CRAWL_WITH_SMALL_PARTS, SECONDS, Items, crawl_killed, listed
from walker.crawl import crawling
from walker.crawl.crawling import CrawlSettings
from walker.crawl.output.early import early_records
from walker.crawl.output.early.early_pages import ComingPages, Stamp
from walker.crawl.output.early.early_records import Coming, ComingItems, kept_up, told_of_the_end
from walker.crawl.output.records import write_records
from walker.crawl.script.destination import Destination, destination_of
from walker.crawl.script.spec_loader import CrawlScript, spec_of_root

TABLES = ("duckdb", "postgres")


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("SOON_ROWS", 5), ("SOON_SECONDS", 0.0), ("POLL_SECONDS", 0.01)):
        monkeypatch.setattr(early_records, name, value)


@pytest.fixture
def parts(s3: S3Server, tmp_path: Path) -> S3Objects:
    return S3Objects(s3, f"b{uuid.uuid4().hex[:8]}", ".jsonl", tmp_path, parts=True)


def rows_in(place: Place) -> Rows:
    """What a table has now; nothing while it is not there, and where it changed between the looks at its columns and its rows."""
    with contextlib.suppress(KeyError, ValueError):
        return place.read("a")
    return [], []


async def shown(place: Place, wanted: list[tuple[Any, ...]]) -> None:
    until = time.monotonic() + SECONDS
    found: Rows = ([], [])
    while time.monotonic() < until:
        await asyncio.sleep(0.05)
        try:
            found = await asyncio.to_thread(rows_in, place)
        except Exception as error:
            # The writer has the file open: DuckDB says so in one way of another process, in another of this one.
            if not any(word in str(error) for word in ("lock", "conflict")):
                raise
        if found[1] == wanted:
            return
    raise AssertionError(f"never {wanted}, last {found}")


@pytest.mark.parametrize("place", TABLES, indirect=True)
async def test_a_table_has_what_came_so_far_whatever_changes(place: Place, tmp_path: Path) -> None:
    to, items = destination_of(place.address("a")), Items()
    async with kept_up(ComingItems(items), to, "job", ("n",), tmp_path / "early"):
        items.add(1, 8)
        await shown(place, [(n,) for n in range(1, 8)])
        items.add(8, 15)
        await shown(place, [(n,) for n in range(1, 15)])
        del items.rows[10]
        items.add(15, 21)
        await shown(place, [(n,) for n in range(1, 21) if n != 10])
        items.add(21, 28, more=0.5)
        await shown(place, [(n, 0.5 if n > 20 else None) for n in range(1, 28) if n != 10])
    async with kept_up(ComingItems(items), to, "job", ("n",), tmp_path / "early"):
        items.add(28, 35, more=0.5)
        await shown(place, [(n, 0.5 if n > 20 else None) for n in range(1, 35) if n != 10])
    write_records(to, [items.rows[row] for row in sorted(items.rows)], columns=("n",), job="job")
    assert len(place.read("a")[1]) == 33
    async with kept_up(ComingItems(items), to, "another job", ("n",), tmp_path / "early"):
        items.add(35, 50)
        await asyncio.sleep(0.3)
    assert len(place.read("a")[1]) == 33, "another crawl's rows stay until the end of this one"
    write_records(to, [{"n": 1}], columns=("n",))
    assert place.read("a")[1][0][0] == 1


@pytest.mark.parametrize("place", TABLES, indirect=True)
async def test_a_table_that_no_crawl_has_made_is_left(place: DuckDbTables | PostgresTables, tmp_path: Path) -> None:
    if isinstance(place, DuckDbTables):
        place.path.parent.mkdir(parents=True)
        with contextlib.closing(place.opened()) as base:
            base.execute("CREATE TABLE a AS SELECT 1 AS row, 2 AS own")
    else:
        place.server.ask(f'CREATE TABLE "{place.table("a")}" AS SELECT 1 AS row, 2 AS own')
    items = Items()
    items.add(1, 50)
    async with kept_up(ComingItems(items), destination_of(place.address("a")), "job", (), tmp_path / "early"):
        await asyncio.sleep(0.3)
    assert place.read("a")[1] == [(2,)]


@pytest.mark.parametrize("place", TABLES, indirect=True)
def test_rows_are_there_once_however_often_a_crawl_is_killed(place: Place, tmp_path: Path) -> None:
    seen = [0]
    with serve_crawl_site(delay=0.05) as site:
        script, job = write_script(tmp_path / "script.py", site.home, "http", "plain"), tmp_path / "job"
        given = [str(script), "--job", str(job), "-o", place.address("a"), "-q"]
        for pages in (25, 50):
            crawl_killed(site, pages, *given)
            rows = rows_in(place)[1]
            assert len(rows) == len(set(rows))
            seen.append(len(rows))
        with run_code_loaded(CRAWL_WITH_SMALL_PARTS, *given) as process:
            assert process.wait() == 0
    assert seen == sorted(seen)
    assert seen[-1] > 0
    rows = place.read("a")[1]
    assert len(rows) == len(set(rows)) == ITEMS


class Pages:
    """Stored pages that a test changes."""

    def __init__(self) -> None:
        self.rows: dict[int, float] = {}

    def count_pages(self) -> int:
        return len(self.rows)

    def stamps(self) -> dict[int, Stamp]:
        return {row: (2, fetched, 0) for row, fetched in sorted(self.rows.items())}

    def pages_of(self, rows: Sequence[int]) -> list[tuple[int, dict[str, Any]]]:
        return [(row, {"n": row, "at": self.rows[row]}) for row in rows]


async def sent(parts: S3Objects, wanted: list[tuple[int, float]]) -> None:
    until, found = time.monotonic() + SECONDS, []
    while time.monotonic() < until:
        await asyncio.sleep(0.02)
        with contextlib.suppress(KeyError):
            found = [(row["n"], row["at"]) for row in await asyncio.to_thread(listed, parts)]
        if found == wanted:
            return
    raise AssertionError(f"never {wanted}, last {found}")


async def test_pages_come_as_they_are_stored_and_again_when_they_change(parts: S3Objects, tmp_path: Path) -> None:
    pages, to = Pages(), destination_of(parts.address("a"))
    async with kept_up(ComingPages(pages, pages.count_pages), to, "job", (), tmp_path / "early"):
        pages.rows |= dict.fromkeys((2, 4, 6, 8, 10), 1.0)
        await sent(parts, [(row, 1.0) for row in (2, 4, 6, 8, 10)])
        pages.rows |= dict.fromkeys((1, 3, 5, 7, 9), 2.0)
        await sent(parts, [*((row, 1.0) for row in (2, 4, 6, 8, 10)), *((row, 2.0) for row in (1, 3, 5, 7, 9))])
        pages.rows[3] = 3.0
        pages.rows |= dict.fromkeys(range(11, 16), 3.0)
        then = [(1, 2.0), (3, 3.0), (5, 2.0), (7, 2.0), (9, 2.0), *((row, 3.0) for row in range(11, 16))]
        await sent(parts, [*((row, 1.0) for row in (2, 4, 6, 8, 10)), *then])
    async with kept_up(ComingPages(pages, pages.count_pages), to, "job", (), tmp_path / "early"):
        pages.rows |= dict.fromkeys(range(16, 21), 4.0)
        await sent(parts, sorted(pages.rows.items()))


async def test_each_place_of_pages_has_an_order_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    came = []

    def noted(coming: Coming, to: Destination, *_: object) -> contextlib.AbstractAsyncContextManager[None]:
        came.append((str(to), coming))
        return contextlib.nullcontext()

    monkeypatch.setattr(crawling, "kept_up", noted)
    with serve_crawl_site() as site:
        places = [str(tmp_path / f"{name}.jsonl") for name in "abc"]
        output = {"pages": places[:2], "chunks": places[2]}
        starts = [f"{site.home}nothing-is-here", site.home]
        spec = spec_of_root(
            site.home, driver="http", output=output, start=starts, scope={"pages": 1}, order="breadth-first"
        )
        await crawling.crawl(CrawlScript(spec=spec), CrawlSettings(folder=tmp_path / "job"))
    assert [to for to, _ in came] == places
    assert len({id(coming) for _, coming in came}) == 3, "what one was given is not what another was"
    written = await asyncio.to_thread(Path(places[0]).read_text, "utf-8")
    states = [json.loads(line)["state"] for line in written.splitlines()]
    assert set(states) == {"done", "failed"}
    assert {coming.waiting(0) for _, coming in came} == {len(states)}, "those that failed are records too"


def test_pages_and_passages_reach_a_store_while_a_crawl_runs(s3: S3Server, tmp_path: Path) -> None:
    bucket = f"b{uuid.uuid4().hex[:8]}"
    pages, chunks = (
        S3Objects(s3, bucket, ending, tmp_path, parts=True) for ending in (".pages.jsonl", ".chunks.jsonl")
    )
    chunks.bucket = bucket
    with serve_crawl_site(delay=0.05) as site:
        given = [site.home, "--job", str(tmp_path / "job"), "-q", "--driver", "http"]
        given += ["--out-pages", pages.address("a"), "--chunks", chunks.address("a")]
        until, early = time.monotonic() + SECONDS, (0, 0)
        with run_code_loaded(CRAWL_WITH_SMALL_PARTS, *given) as process:
            while process.poll() is None and not all(early) and time.monotonic() < until:
                time.sleep(0.02)
                with contextlib.suppress(KeyError):
                    early = (len(listed(pages)), len(listed(chunks)))
            os.killpg(process.pid, signal.SIGKILL)
        assert all(early), "some are there before the end"
        with run_code_loaded(CRAWL_WITH_SMALL_PARTS, *given) as process:
            assert process.wait() == 0
    assert [row["url"] for row in listed(pages)] == [
        json.loads(line)["url"] for line in (tmp_path / "job" / "pages.jsonl").read_text("utf-8").splitlines()
    ]
    assert len({(row["url"], row["number"]) for row in listed(chunks)}) == len(listed(chunks)) > early[1]


def test_what_is_written_at_the_end_is_said_at_the_start(tmp_path: Path) -> None:
    assert told_of_the_end([destination_of("s3://b/k.jsonl/"), destination_of("a.duckdb")], is_repetition=False) == ""
    assert told_of_the_end([destination_of("a.duckdb")], is_repetition=True)
    assert told_of_the_end([destination_of("s3://b/k.jsonl")], is_repetition=False) == (
        "written when the crawl ends: s3://b/k.jsonl"
        " (until then they are safe in the job; s3://b/k.jsonl/ would get parts as they come)"
    )
    with serve_crawl_site() as site:
        said = walker_here(
            "crawl", site.home, "--driver", "http", "--max-pages", "3", "-o", "a.csv", "--out-pages", "p.parquet",
            folder=tmp_path,
        )  # fmt: skip
    assert said.err.splitlines()[0] == (
        "written when the crawl ends: a.csv, p.parquet (until then they are safe in the job)"
    )
