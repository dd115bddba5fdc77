"""A crawl that is repeated visits the same pages, whatever a site writes by chance and however long its answers take."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from tests.sites.serving import Asked, LoopbackSite, serving
from walker.crawl.crawling import CrawlSettings, crawl
from walker.crawl.script.spec_loader import CrawlScript, spec_of_root

LISTED, ROWS = 40, 6
RUNS = 3
SYLLABLES = "ba ce dor fin go hum ja kel lom mu ne pir qua ros sul tam ven wi yor zan".split()
MOST_OF_A_TRAP = 60


def words(number: int, chance: random.Random) -> str:
    return " ".join("".join(chance.choices(SYLLABLES, k=3)) for _ in range(number))


def rows_of(kind: str, page: int) -> str:
    items = range((page - 1) * ROWS, page * ROWS)
    if kind == "names":
        return "".join(f"<li>{words(2, random.Random(item))}</li>" for item in items)
    if kind == "figures":
        return "".join(f"<tr><td>{item}</td><td>{item * 7 % 1009}</td></tr>" for item in items)
    return "<li>Nothing was found here.</li>"


def answer_of(kind: str, asked: Asked) -> str | None:
    """A list of forty pages, or one that never ends, with a saying on each page that is another each time."""
    time.sleep(random.random() * 0.01)
    if asked.path != "/":
        return None
    page = int(asked.query.get("page", "1"))
    last = page + 2 if kind == "nothing" else min(LISTED, page + 2)
    pager = " ".join(f"<a href='/?page={one}'>{one}</a>" for one in range(max(1, page - 2), last + 1))
    saying = words(random.randint(4, 20), random.Random())
    return (
        f"<!doctype html><title>List</title><h1>List</h1><ul>{rows_of(kind, page)}</ul><p>Pages: {pager}</p>"
        f"<h2>A saying</h2><p>{saying}</p><p>Open from nine to five on all days but Sunday.</p>"
    )


async def crawled(kind: str, folder: Path, order: str) -> tuple[frozenset[str], int]:
    with serving(LoopbackSite(lambda asked: answer_of(kind, asked), keep_alive=True)) as site:
        spec = spec_of_root(site.home, driver="http", order=order, scope={"pages": 200})
        report = await crawl(CrawlScript(spec=spec), CrawlSettings(folder=folder))
        return frozenset(one for one in site.asked if "page=" in one), report.cut


@pytest.mark.parametrize("order", ["depth-first", "breadth-first"])
@pytest.mark.parametrize("kind", ["names", "figures"])
async def test_a_list_is_crawled_whole_each_time(tmp_path: Path, kind: str, order: str) -> None:
    for run in range(RUNS):
        pages, cut = await crawled(kind, tmp_path / str(run), order)
        assert pages == {f"/?page={page}" for page in range(1, LISTED + 1)}
        assert cut == 0


async def test_a_trap_is_cut_each_time_whatever_it_says(tmp_path: Path) -> None:
    for run in range(RUNS):
        pages, cut = await crawled("nothing", tmp_path / str(run), "depth-first")
        assert len(pages) <= MOST_OF_A_TRAP
        assert cut > 0


def calendar(asked: Asked) -> str | None:
    """Months without end, of which the first say much and the others little; beside them a saying that is another each time."""
    if asked.path == "/":
        return "<h1>Front</h1><a href='/month/1'>Events</a>"
    if asked.parts[0] != "month":
        return None
    month = int(asked.parts[1])
    events = f"<p>{words(30, random.Random(month))}</p>" if month < 6 else ""
    saying = " ".join(random.choices(SYLLABLES, k=14))
    return (
        f"<!doctype html><title>Month {month}</title><h1>Month {month}</h1><aside>Saying: {saying}. "
        f"Visitors: {random.randrange(10**6)}</aside><p>No more events.</p><a href='/month/{month + 1}'>next</a>{events}"
    )


async def test_a_saying_in_the_margin_speaks_for_no_page_that_has_nothing_else(tmp_path: Path) -> None:
    fetched = []
    for run in range(RUNS):
        with serving(LoopbackSite(calendar)) as site:
            spec = spec_of_root(site.home, driver="http", scope={"pages": 200})
            report = await crawl(CrawlScript(spec=spec), CrawlSettings(folder=tmp_path / str(run)))
        assert report.cut > 0
        fetched.append(frozenset(one for one in site.asked if "/month/" in one))
    assert max(map(len, fetched)) <= MOST_OF_A_TRAP
    assert len(set(fetched)) == 1


async def test_the_address_of_a_probe_is_the_same_each_time_and_may_be_left_out(tmp_path: Path) -> None:
    def answer(asked: Asked) -> str:
        if asked.path == "/":
            return "<h1>Front</h1>" + "".join(f"<a href='/gone/{name}'>{name}</a>" for name in "abcd")
        return "<h1>Sorry</h1><p>We looked for it everywhere, and it is not with us any more.</p>"

    strange = []
    with serving(LoopbackSite(answer, keep_alive=True)) as site:
        for run, probe in enumerate((True, True, False)):
            spec = spec_of_root(site.home, driver="http", polite={"probe": probe})
            before = len(site.asked)
            await crawl(CrawlScript(spec=spec), CrawlSettings(folder=tmp_path / str(run)))
            known = {"/", "/robots.txt", *(f"/gone/{name}" for name in "abcd")}
            strange.append([one for one in site.asked[before:] if one not in known])
    assert len(strange[0]) == 1
    assert strange[0] == strange[1]
    assert strange[2] == []
