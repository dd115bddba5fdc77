"""Equal crawls fetch the same pages, however long each answer takes, and no worker stands idle for it."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from tests.sites.serving import Answer, Asked, LoopbackSite, serving
from tests.sites.traps import serve_traps
from tests.walker.crawl.killing import Crawls
from walker.crawl.crawling import CrawlSettings, crawl
from walker.crawl.job_records import Lease
from walker.crawl.lease_window import AHEAD, PATIENCE_SECONDS, LeaseWindow
from walker.crawl.script.spec_loader import CrawlScript, spec_of_root

RUNS = 5
TRAPS_HERE = ("calendar", "mirror")
SLOW_SECONDS = 12.0


async def fetched_of_traps(folder: Path, order: str) -> frozenset[str]:
    """Every path that a crawl with four workers asks for, where each answer takes a time of its own."""
    with serve_traps(traps=TRAPS_HERE) as site:
        site.pause = lambda: time.sleep(random.random() * 0.02)
        spec = spec_of_root(site.address + "/", driver="http", order=order, concurrency=4)
        report = await crawl(CrawlScript(spec=spec), CrawlSettings(folder=folder))
        assert report.cut > 0
        return frozenset(path for _, path in site.visits)


@pytest.mark.parametrize("order", ["depth-first", "breadth-first"])
async def test_equal_crawls_of_traps_fetch_the_same_pages(tmp_path: Path, order: str) -> None:
    first, *others = [await fetched_of_traps(tmp_path / str(run), order) for run in range(RUNS)]
    assert [sorted(first ^ other) for other in others] == [[]] * (RUNS - 1)


async def test_a_page_that_never_answers_holds_up_nobody_for_long(tmp_path: Path) -> None:
    def answer(asked: Asked) -> str:
        if asked.path == "/":
            return "<h1>All</h1>" + "".join(f"<a href='/page/{number}'>{number}</a>" for number in range(60))
        if asked.path == "/page/3":
            time.sleep(SLOW_SECONDS)
        elif len(asked.parts) == 2:
            answered.append(time.monotonic())
        return f"<h1>Page {asked.parts[-1]}</h1><p>{random.Random(asked.path).getrandbits(400):x}</p>"

    answered: list[float] = []
    with serving(LoopbackSite(answer)) as site:
        spec = spec_of_root(site.home, driver="http", concurrency=4)
        report = await crawl(CrawlScript(spec=spec), CrawlSettings(folder=tmp_path))
    assert report.pages == 61
    assert len(answered) == 59
    assert answered[-1] - answered[0] < SLOW_SECONDS - 1


def test_pages_that_wait_for_their_turn_are_not_fetched_again_after_a_kill(tmp_path: Path) -> None:
    def answer(asked: Asked) -> Answer | str | None:
        if asked.path == "/":
            return "<h1>All</h1>" + "".join(f"<a href='/page/{number}'>{number}</a>" for number in range(60))
        if len(asked.parts) < 2:
            return None
        if asked.path == "/page/40" and asked.time == 1:
            time.sleep(SLOW_SECONDS)
        return f"<h1>Page {asked.parts[1]}</h1><p>{random.Random(asked.path).getrandbits(400):x}</p>"

    with serving(LoopbackSite(answer)) as site, Crawls() as crawls:
        script, job = tmp_path / "script.yaml", tmp_path / "job"
        script.write_text(f"start: {site.home}\ndriver: http\n")
        # robots.txt, the front page, forty pages, the slow one, and those that are leased behind it.
        assert crawls.run_killed(script, job, site, 2 + 41 + 4 * (AHEAD - 1))
        assert (job / "arrived").is_dir()
        assert crawls.run(script, job) == 0
        again = {path: times for path, times in site.times_asked().items() if times > 1}
        assert again.pop("/robots.txt") == 2
        assert "/page/40" in again
        assert len(again) <= 4, "what was being fetched"
        assert len((job / "pages.jsonl").read_text().splitlines()) == 61
        assert not (job / "arrived").exists()


def lease(number: int, host: int = 1) -> Lease:
    return Lease(id=number, url=f"https://a.example/{number}", key=f"https://a.example/{number}", host=host)


def filled(concurrency: int = 4, per_host: int = 4) -> LeaseWindow[str]:
    """A window that has been at work for a while, full."""
    window: LeaseWindow[str] = LeaseWindow(concurrency, per_host)
    for number in range(100, 200):
        window.add(lease(number))
        started = window.start()
        assert started is not None
        window.land(started)
        window.arrive(started, "")
        list(window.settled())
    number = 0
    while not window.is_full and not window.busy_hosts():
        window.add(lease(number := number + 1))
    return window


def test_pages_are_settled_in_the_order_of_their_leases() -> None:
    window = filled()
    started = [window.start() for _ in range(4)]
    assert [one.id for one in started if one] == [1, 2, 3, 4]
    assert window.start() is None, "no more of a host at a time"
    settled = []
    for one in reversed(started):
        assert one is not None
        window.land(one)
        is_next = window.arrive(one, f"page {one.id}")
        assert is_next == (one.id == 1)
        settled.append([outcome for _, outcome in window.settled()])
    assert settled == [[], [], [], ["page 1", "page 2", "page 3", "page 4"]]


def test_what_nobody_fetches_yet_is_given_back() -> None:
    window = filled()
    one = window.start()
    released: list[int] = []
    window.give_back(lambda lease: released.append(lease.id))
    assert one is not None
    assert released == list(range(2, 4 * AHEAD + 1))
    window.land(one)
    assert window.arrive(one, "last")
    assert [lease.id for lease, _ in window.settled()] == [1]


def test_a_page_that_holds_up_the_others_loses_its_turn_and_is_settled_when_it_comes() -> None:
    window = filled()
    slow, quick = window.start(), window.start()
    assert slow is not None
    assert quick is not None
    assert not window.pass_over(0.0), "nobody waits for it"
    window.arrive(quick, "quick")
    assert [window.pass_over(now) for now in (1.0, 1.5, 1.0 + PATIENCE_SECONDS)] == [False, False, True]
    assert [outcome for _, outcome in window.settled()] == ["quick"]
    assert window.arrive(slow, "slow")
    assert [outcome for _, outcome in window.settled()] == ["slow"]


def test_the_first_pages_of_a_crawl_are_leased_as_they_are_fetched() -> None:
    window: LeaseWindow[str] = LeaseWindow(4, 4)
    leased = 0
    while not window.is_full:
        window.add(lease(leased := leased + 1))
    assert leased == 4


def test_one_worker_leases_nothing_ahead() -> None:
    window = filled(concurrency=1)
    assert window.is_full
    assert window.start() is not None
    assert window.start() is None
