"""Prints what a walk costs beside a bare Playwright loop over the same pages, and what its record costs.

All arms run in one process on one machine in turn, CPU seconds of the whole process tree (browser included).
"""

from __future__ import annotations

import asyncio
import inspect
import shutil
import statistics
import sys
import time
from collections.abc import Callable, Coroutine, Generator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
import msgspec
from figures import print_figure
from playwright.async_api import async_playwright
from process_tree import ProcessTree
from testbeds import SITES, serve_or_skip

from perception.ocr.ocr import NoReader
from traces.events import EdgeCall, PageOpened
from traces.reading.reader import Run, read_run
from walker.asking import ask_in
from walker.assembly import WalkResources, make_rules
from walker.browser.launch.chromium import FLAGS
from walker.browser.launch.find_chromium import find_browser
from walker.browser.page.live_reader import LiveReader
from walker.recording.recorded_pages import load_page
from walker.recording.recording import Recording
from walker.recording.recording_proxies import RecordingSink, with_recording
from walker.run_setup import new_recorder
from walker.runs.replay import replay_run, task_of
from walker.seams.protocols import Edges, PageFailure
from walker.settings import Limits, Settings
from walker.testing.fakes import EventList
from walker.vision.builtin_vision import BuiltinVision
from walker.walk.loop import walk

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
            if isinstance(event, EdgeCall) and event.seam == "browser" and event.method == "open":
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


class Clock:
    """Seconds of the event loop's thread that are spent inside calls."""

    def __init__(self) -> None:
        self.loop = 0.0

    def of(self, part: object) -> Any:
        """The part; its calls are timed from now on."""
        return _Clocked(part, self)

    def timed(self, work: Callable[..., Any], *given: Any, **named: Any) -> Any:
        """What a call gives."""
        started = time.thread_time()
        try:
            return work(*given, **named)
        finally:
            self.loop += time.thread_time() - started


class _Driven(Coroutine[Any, Any, Any]):
    """A coroutine, each of its turns timed."""

    def __init__(self, work: Coroutine[Any, Any, Any], clock: Clock) -> None:
        self._work, self._clock = work, clock

    def __iter__(self) -> _Driven:
        return self

    def __await__(self) -> Generator[Any, Any, Any]:
        return self

    def __next__(self) -> Any:
        return self.send(None)

    def send(self, value: Any) -> Any:
        return self._clock.timed(self._work.send, value)

    def throw(self, *error: Any) -> Any:
        return self._clock.timed(self._work.throw, *error)

    def close(self) -> None:
        self._work.close()


class _Clocked:
    def __init__(self, part: object, clock: Clock) -> None:
        self._part, self._clock = part, clock

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._part, name)
        if not callable(found):
            return found

        def call(*given: Any, **named: Any) -> Any:
            made = self._clock.timed(found, *given, **named)
            return _Driven(made, self._clock) if inspect.iscoroutine(made) else made

        return call


class Added(msgspec.Struct, frozen=True, kw_only=True):
    """Seconds that recording adds to a walk."""

    wall: float
    loop: float
    """Of the event loop's thread."""
    cpu: float


async def recording_cost(trace: str) -> Added:
    """What recording adds to a walk over recorded pages, in medians: seconds and CPU of walks with a recorder less those of walks
    without. Of the event loop's thread what is recorded is timed from without and from within: the difference is the record's."""
    run = read_run(Path(trace))
    task = task_of(run)
    wall: dict[bool, list[float]] = {False: [], True: []}
    cpu: dict[bool, list[float]] = {False: [], True: []}
    loops = []
    async with WalkResources(Settings(limits=Limits(pages=PAGES), scout_pages=0)) as resources:
        for turn in range(2 * ROUNDS + 2):
            record = turn % 2 == 1
            explorer, critic = resources.strategies()
            parts = {
                "browser": RecordedSite(run),
                "reader": LiveReader(),
                "vision": BuiltinVision(NoReader),
                "explorer": explorer,
                "critic": critic,
            }
            rules = make_rules(task, resources.settings, resources)
            within, without = Clock(), Clock()
            began = time.perf_counter(), time.process_time()
            if record:
                recorder = new_recorder(task, Settings(runs_folder=OUT / "cost"))
                recording = Recording(recorder=recorder)
                taped = with_recording(Edges(**{name: within.of(part) for name, part in parts.items()}), recording)
                edges = Edges(**{name: without.of(getattr(taped, name)) for name in parts})
                await walk(task, edges, rules, without.of(RecordingSink(recorder, recording)))
                recorder.close()
            else:
                await walk(task, Edges(**parts), rules, EventList())  # type: ignore[arg-type]
            if turn > 1:
                wall[record].append(time.perf_counter() - began[0])
                cpu[record].append(time.process_time() - began[1])
            if turn > 1 and record:
                loops.append(without.loop - within.loop)
    return Added(
        wall=statistics.median(wall[True]) - statistics.median(wall[False]),
        cpu=statistics.median(cpu[True]) - statistics.median(cpu[False]),
        loop=statistics.median(loops),
    )


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
    """CPU a page of a walk without a scout, its wall seconds, and its run folder. The browser and the models are warm."""
    settings = Settings(runs_folder=OUT / "runs", record=record, limits=Limits(pages=PAGES), scout_pages=0)
    async with WalkResources(settings) as resources:
        await ask_in(resources, SITES[site] + "index.html", "What is this?", language="en")
        before, started = tree_cpu(), time.perf_counter()
        outcome = await ask_in(resources, SITES[site] + "index.html", QUESTIONS[site], language="en")
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
            sizes.append(kept / 1024 / sum(isinstance(e, EdgeCall) and e.seam == "browser" for e in run.events))
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
