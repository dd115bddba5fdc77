"""Prints what a crawl's own work costs as it grows: the store at 100,000 addresses, and a page at 20,000 pages beside one at 1,000.

Pages are made in this process, so that nothing is measured but Walker. The two crawls take turns, a few hundred pages each.
"""

from __future__ import annotations

import asyncio
import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial, wraps
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from figures import print_figure

from memory.url_key import key_of, origin_of
from perception.element_map import View
from perception.geometry import Box
from perception.snapshot import Snapshot
from walker.crawl.crawl_events import Silence
from walker.crawl.crawler import Crawler
from walker.crawl.fetch.fetching import Fetcher
from walker.crawl.fetch.politeness import Pace
from walker.crawl.fetch.retrying import Retries
from walker.crawl.fetch.robots import RobotsRules
from walker.crawl.job.job_store import JobStore
from walker.crawl.job_records import NewPage, ReadPage
from walker.crawl.pages.page_keeping import PageKeeper
from walker.crawl.script.spec import CrawlSpec
from walker.crawl.traps.branches import branch_of
from walker.seams.actions import Operate
from walker.seams.protocols import PageFailure

ORIGIN = "http://made.example"
ADDRESSES, AT_ONCE, TIMED = 100_000, 500, 2000
SMALL, LARGE, SLICE, SLICES = 1000, 20_000, 125, 8
AT_A_TIME = 4
_WORDS = [
    f"{first}{middle}{last}" for first in "bdfgklmnprst" for middle in ("a", "ei", "o", "u") for last in "lmnrstvz"
]
Spent = dict[str, float]


class MadeSite:
    """A `seams.Browser` whose pages lead to three others below them and to some that are known."""

    def __init__(self, root: str, spent: Spent) -> None:
        self._root, self._spent = root, spent

    async def open(self, url: str) -> Snapshot | PageFailure:
        """The page of a number; making it is not the crawl's cost."""
        started = time.thread_time()
        number = int(url.removeprefix(self._root).partition("/")[2].partition(".")[0] or 0)
        html = _page(number)
        snapshot = Snapshot(
            url=url, final_url=url, status=200, html=html, content_type="text/html", title=f"Page {number}"
        )
        self._spent["made"] += time.thread_time() - started
        return snapshot

    async def act(self, move: Operate) -> PageFailure:
        """There are no controls."""
        return PageFailure(url=self._root, kind="gone", message=f"{type(move).__name__}: nothing is there")

    async def see(self, *, whole: bool = False, box: Box | None = None, scale: float = 1.0) -> View | PageFailure:
        """There are no pictures."""
        del whole, box, scale
        return PageFailure(url=self._root, kind="other", message="there are no pictures")

    async def fetch_ahead(self, urls: tuple[str, ...]) -> None:
        """All is there."""

    async def close(self) -> None:
        """Nothing is open."""


class GrowingCrawl:
    """One job that is crawled further and further. No two of them share a site: what is remembered of an address would be there
    already."""

    def __init__(self, folder: Path) -> None:
        self._root = f"http://{folder.name}.example/"
        self.spent: Spent = dict.fromkeys(("made", "lease", "read", "commit", "links"), 0.0)
        self._spec = CrawlSpec(start=(self._root,), driver="http", order="breadth-first", concurrency=AT_A_TIME)
        self.store = JobStore(folder, order="breadth-first")
        self.store.offer([_new_page(self._root, "")])
        self._keeper = PageKeeper(self._spec, self.store)
        self._keeper.read = self._timed("read", self._keeper.read)  # type: ignore[method-assign]
        self.store.lease = self._timed("lease", self.store.lease)  # type: ignore[method-assign]
        self.store.commit = self._timed("commit", self.store.commit)  # type: ignore[method-assign]
        robots = RobotsRules(_no_file, "Walker", obey=True)
        self._fetcher = Fetcher(robots, Pace(self._spec.polite), Retries(3), environment={}, driver="made")

    async def go_on_to(self, pages: int) -> Spent:
        """Crawl until so many are done; CPU milliseconds a page, by stage and in all, without the making of pages."""
        before, done, started = dict(self.spent), self.store.done, time.process_time()
        scope = self._spec.scope.model_copy(update={"pages": pages})
        crawler = Crawler(
            self._spec.model_copy(update={"scope": scope}), self.store, self._fetcher, self._keeper, sink=Silence()
        )
        crawler._wanted_links = self._timed("links", crawler._wanted_links)  # type: ignore[method-assign]
        await crawler.run([MadeSite(self._root, self.spent) for _ in range(AT_A_TIME)])
        assert self.store.done == pages, f"{self.store.done} of {pages}, {self.store.counts}"
        spent = {stage: seconds - before[stage] for stage, seconds in self.spent.items()}
        spent["all"] = time.process_time() - started - spent.pop("made")
        spent["rest"] = 2 * spent["all"] - sum(spent.values())
        return {stage: 1000 * seconds / (pages - done) for stage, seconds in spent.items()}

    def _timed(self, stage: str, work: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(work)
        def timed(*given: Any, **named: Any) -> Any:
            started = time.thread_time()
            try:
                return work(*given, **named)
            finally:
                self.spent[stage] += time.thread_time() - started

        return timed


async def growth(folder: Path) -> None:
    """A page at 20,000 pages beside one at 1,000."""
    small, large = GrowingCrawl(folder / "small"), GrowingCrawl(folder / "large")
    half = SLICE * SLICES // 2
    await small.go_on_to(SMALL - half)
    await large.go_on_to(LARGE - half)
    early: list[Spent] = []
    late: list[Spent] = []
    for number in range(1, SLICES + 1):
        early.append(await small.go_on_to(SMALL - half + number * SLICE))
        late.append(await large.go_on_to(LARGE - half + number * SLICE))
    # Of all slices together: a single one may meet a checkpoint of the log.
    ratio = sum(spent["all"] for spent in late) / sum(spent["all"] for spent in early)
    print_figure(f"a page at {LARGE} pages / at {SMALL}", round(ratio, 2), "ratio", "<= 1.1", ratio <= 1.1)
    for stage in ("all", "lease", "read", "links", "commit", "rest"):
        cost = [round(statistics.median(spent[stage] for spent in spents), 3) for spents in (early, late)]
        print_figure(f"a page at {SMALL} and {LARGE} pages, {stage}", cost, "CPU ms", "", True)
    waiting = [small.store.waiting, large.store.waiting]
    print_figure("addresses that wait then", waiting, "", "", True)
    for crawl in (small, large):
        crawl.store.close()


def store_costs(folder: Path) -> None:
    """Pop and push with 100,000 addresses in the frontier, and the memory of it all."""
    empty = _resident()
    store = JobStore(folder / "store")
    for start in range(0, ADDRESSES, AT_ONCE):
        store.offer([_address(number) for number in range(start, start + AT_ONCE)])
    grown = _resident() - empty

    def push(number: int) -> None:
        store.offer([_address(number)])

    pushes = [_clocked(partial(push, n)) for n in range(ADDRESSES, ADDRESSES + TIMED)]
    leases = []
    pops = [_clocked(lambda: leases.append(store.lease(now=0.0))) for _ in range(TIMED)]
    pages = [
        (lease, ReadPage(final_url=lease.url, final_key=lease.key, final_origin=ORIGIN, size=1000))
        for lease in leases
        if lease is not None
    ]
    links = [[_address(number * 7 % ADDRESSES) for number in range(n * 30, n * 30 + 30)] for n in range(len(pages))]
    commits = [
        _clocked(partial(store.commit, lease, page, links=new)) for (lease, page), new in zip(pages, links, strict=True)
    ]
    store.close()
    assert len(pages) == TIMED
    for name, found in (("push", pushes), ("pop", pops)):
        cost = round(statistics.mean(cpu for cpu, _ in found), 3)
        print_figure(f"{name} at {ADDRESSES} addresses, mean of CPU", cost, "ms", "<= 1", cost <= 1)
        usual = round(statistics.median(clock for _, clock in found), 3)
        print_figure(f"{name} at {ADDRESSES} addresses, median by the clock", usual, "ms", "<= 1", usual <= 1)
    cost = round(statistics.mean(cpu for cpu, _ in commits), 3)
    print_figure(f"commit of a page with 30 known links at {ADDRESSES} addresses", cost, "CPU ms", "", True)
    whole = _resident()
    print_figure("memory of the process, store included", round(whole), "MB", "< 300", whole < 300)
    print_figure(f"memory that {ADDRESSES} addresses add", round(grown), "MB", "< 300", grown < 300)


def _clocked(work: Callable[[], object]) -> tuple[float, float]:
    """Milliseconds of CPU and by the clock."""
    cpu, clock = time.process_time(), time.perf_counter()
    work()
    return 1000 * (time.process_time() - cpu), 1000 * (time.perf_counter() - clock)


def _resident() -> float:
    """Peak megabytes of this process."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _address(number: int) -> NewPage:
    return _new_page(f"{ORIGIN}/shop/category-{number % 300}/item-{number}.html?ref=list", f"{ORIGIN}/")


def _new_page(url: str, parent: str) -> NewPage:
    return NewPage(
        url=url,
        key=key_of(url),
        origin=origin_of(url),
        label=f"A link to {url}",
        branch=branch_of(url, parent),
    )


def _page(number: int) -> str:
    luck = random.Random(number)
    known = [luck.randrange(number + 1) for _ in range(8)]
    below = range(3 * number + 1, 3 * number + 4)
    links = "".join(f'<li><a href="{_path(other)}">Page {other}</a></li>' for other in (*known, *below))
    text = "".join(f"<p>{' '.join(luck.choices(_WORDS, k=40))}</p>" for _ in range(5))
    return f"<html><head><title>Page {number}</title></head><body><h1>Page {number}</h1>{text}<ul>{links}</ul></body></html>"


def _path(number: int) -> str:
    return f"/{_WORDS[number % 40]}/{number}.html" if number else "/"


async def _no_file(url: str) -> tuple[int, str]:
    del url
    return 404, ""


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        store_costs(Path(name))
        asyncio.run(growth(Path(name)))
