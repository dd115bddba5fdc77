"""Prints what a walk costs beside a bare Playwright loop over the same pages, and what its record costs.

All arms run in one process on one machine in turn, CPU seconds of the whole process tree (browser included).
"""

from __future__ import annotations

import asyncio
import shutil
import statistics
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
import msgspec
from figures import print_figure
from playwright.async_api import async_playwright
from process_tree import ProcessTree
from testbeds import SITES, serve_or_skip

from perception.ocr import NoReader
from traces.events import Called, PageOpened
from traces.reader import Run, read_run
from walker.asking import ask_in
from walker.assembly import LiveReader, Workshop, make_rules
from walker.browser.chromium import FLAGS
from walker.browser.finding import find_browser
from walker.builtin_eye import BuiltinEye
from walker.loop import walk
from walker.recorded_pages import load_page
from walker.replay import RecordingSink, on_tape
from walker.replaying import replay_run, task_of
from walker.running import new_recorder
from walker.seams import Crew, PageFailure
from walker.settings import Limits, Settings
from walker.tape import Tape
from walker.testing import EventList

OUT = Path(__file__).parent / "out" / "walking"
PAGES = 25
QUESTIONS = {
    "python": "Which instrument accompanies the anthem of the lighthouse keepers in the regular expression library?",
    "sqlite": "Which instrument accompanies the anthem of the lighthouse keepers in the virtual table module?",
}
ROUNDS = 3
LINKS = "() => JSON.stringify([...document.links].map((a) => [a.href, a.innerText]))"


def tree_cpu() -> float:
    """CPU seconds of the process tree, ended processes included."""
    return CPU.cpu()


CPU = ProcessTree()


class RecordedSite:
    """A browser that shows the pages of a record, so that two walks differ in nothing but their recording."""

    def __init__(self, run: Run) -> None:
        self._pages: dict[str, Any] = {}
        for event in run.events:
            if isinstance(event, Called) and event.seam == "browser" and event.method == "open":
                self._pages[event.request["url"]] = load_page(event.outcome, run.blobs.get)

    async def open(self, url: str) -> Any:
        """The page as it was recorded."""
        return self._pages.get(url) or PageFailure(url=url, kind="other", message="not in the record")

    async def see(self, **_: object) -> PageFailure:
        """Pictures are left out of both walks."""
        return PageFailure(url="", kind="other", message="not in the record")

    async def act(self, move: Any) -> PageFailure:
        """Paper has no controls."""
        return PageFailure(url="", kind="gone", message=f"{type(move).__name__} is not in the record")

    async def fetch_ahead(self, urls: tuple[str, ...]) -> None:
        """All is there."""

    async def close(self) -> None:
        """Nothing is open."""


class Spent(msgspec.Struct, frozen=True, kw_only=True):
    """Seconds of a walk over recorded pages, the browser's share left out; `loop` is CPU of the event loop's thread."""

    wall: float
    cpu: float
    loop: float


async def recording_cost(trace: str) -> Spent:
    """What recording adds to the walk: medians with a recorder less medians without."""
    run = read_run(Path(trace))
    task = task_of(run)
    spent: dict[bool, list[Spent]] = {False: [], True: []}
    async with Workshop(Settings(limits=Limits(pages=PAGES))) as workshop:
        for turn in range(2 * ROUNDS + 2):
            record = turn % 2 == 1
            explorer, critic = workshop.minds()
            crew = Crew(
                browser=RecordedSite(run),
                reader=LiveReader(),
                vision=BuiltinEye(NoReader),
                explorer=explorer,
                critic=critic,
            )  # type: ignore[arg-type]
            rules = make_rules(task, workshop.settings, workshop)
            began = time.perf_counter(), time.process_time(), time.thread_time()
            if record:
                recorder = new_recorder(task, Settings(runs_folder=OUT / "cost"))
                tape = Tape(recorder=recorder)
                await walk(task, on_tape(crew, tape), rules, RecordingSink(recorder, tape))
                recorder.close()
            else:
                await walk(task, crew, rules, EventList())
            ended = time.perf_counter(), time.process_time(), time.thread_time()
            if turn > 1:
                wall, cpu, loop = (end - start for start, end in zip(began, ended, strict=True))
                spent[record].append(Spent(wall=wall, cpu=cpu, loop=loop))
    return Spent(**{name: _added(spent, name) for name in Spent.__struct_fields__})


def _added(spent: dict[bool, list[Spent]], name: str) -> float:
    without, with_recorder = (
        statistics.median(getattr(one, name) for one in spent[record]) for record in (False, True)
    )
    return with_recorder - without


async def bare_loop(urls: list[str]) -> float:
    """CPU a page of opening the pages and reading their links, nothing else."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=find_browser().path, args=[*FLAGS, "--no-sandbox"])
        page = await (await browser.new_context(viewport={"width": 1280, "height": 800})).new_page()
        await page.goto(urls[0])
        before = tree_cpu()
        for url in urls:
            await page.goto(url, wait_until="domcontentloaded")
            await page.evaluate(LINKS)
        spent = tree_cpu() - before
        await browser.close()
    return spent / len(urls)


async def walked(site: str, *, record: bool) -> tuple[float, float, str]:
    """CPU a page of a walk, its wall seconds, and its run folder. The browser and the models are warm."""
    settings = Settings(runs_folder=OUT / "runs", record=record, limits=Limits(pages=PAGES))
    async with Workshop(settings) as workshop:
        await ask_in(workshop, SITES[site] + "index.html", "What is this?", language="en")
        before, started = tree_cpu(), time.perf_counter()
        outcome = await ask_in(workshop, SITES[site] + "index.html", QUESTIONS[site], language="en")
        return (tree_cpu() - before) / outcome.pages, time.perf_counter() - started, outcome.trace


async def main() -> None:
    """Interleave the arms, print ratios of medians."""
    serve_or_skip()
    shutil.rmtree(OUT, ignore_errors=True)
    bare, plain, ratios, sizes, costs, walls, loops = [], [], [], [], [], [], []
    for site in SITES:
        for _ in range(ROUNDS):
            _, wall, trace = await walked(site, record=True)
            plain.append((await walked(site, record=False))[0])
            run = read_run(Path(trace))
            urls = [event.url for event in run.events if isinstance(event, PageOpened)]
            bare.append(await bare_loop(urls))
            await replay_run(Path(trace))
            report = await replay_run(Path(trace))
            ratios.append(wall / report.seconds)
            kept = _bytes_in(Path(trace))
            added = await recording_cost(trace)
            costs.append(added.cpu / report.pages / plain[-1])
            walls.append(added.wall / wall)
            loops.append(added.loop / report.pages)
            sizes.append(kept / 1024 / sum(isinstance(e, Called) and e.seam == "browser" for e in run.events))
    overhead = statistics.median(plain) / statistics.median(bare)
    print_figure("walk CPU a page / bare Playwright loop", round(overhead, 2), "ratio", "<= 1.3", overhead <= 1.3)
    print_figure("bare Playwright loop", round(1000 * statistics.median(bare), 1), "CPU ms a page", "", True)
    cost = 100 * statistics.median(costs)
    print_figure("recording, share of a walk's CPU", round(cost, 1), "%", "<= 5", cost <= 5)
    share = 100 * statistics.median(walls)
    print_figure("recording, share of a walk's wall time", round(share, 1), "%", "<= 3", share <= 3)
    held = 1000 * statistics.median(loops)
    print_figure("recording, on the event loop", round(held, 2), "ms a step", "<= 2", held <= 2)
    speed = statistics.median(ratios)
    print_figure("replay, times faster than the walk", round(speed, 1), "times", ">= 50", speed >= 50)
    size = statistics.mean(sizes)
    print_figure("trace without screenshots", round(size, 1), "KB a page", "<= 40", size <= 40)


def _bytes_in(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


if __name__ == "__main__":
    with CPU:
        asyncio.run(main())
