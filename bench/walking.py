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

import psutil

sys.path.insert(0, str(Path(__file__).parent))
from figures import print_figure
from playwright.async_api import async_playwright
from testbeds import SITES, serve_or_skip

from traces.events import Called, PageOpened
from traces.reader import read_run
from walker.asking import ask_in
from walker.assembly import Workshop
from walker.browser.chromium import FLAGS
from walker.browser.finding import find_browser
from walker.replaying import replay_run
from walker.settings import Limits, Settings

OUT = Path(__file__).parent / "out" / "walking"
PAGES = 25
QUESTIONS = {
    "python": "Which instrument accompanies the anthem of the lighthouse keepers in the regular expression library?",
    "sqlite": "Which instrument accompanies the anthem of the lighthouse keepers in the virtual table module?",
}
ROUNDS = 3
LINKS = "() => JSON.stringify([...document.links].map((a) => [a.href, a.innerText]))"


def tree_cpu() -> float:
    """CPU seconds of this process and everything below it."""
    total = 0.0
    for process in [psutil.Process(), *psutil.Process().children(recursive=True)]:
        try:
            times = process.cpu_times()
        except psutil.NoSuchProcess:
            continue
        total += times.user + times.system
    return total


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
    bare, plain, recorded, ratios, sizes = [], [], [], [], []
    for site in SITES:
        for _ in range(ROUNDS):
            cpu, wall, trace = await walked(site, record=True)
            recorded.append(cpu)
            plain.append((await walked(site, record=False))[0])
            run = read_run(Path(trace))
            urls = [event.url for event in run.events if isinstance(event, PageOpened)]
            bare.append(await bare_loop(urls))
            await replay_run(Path(trace))
            report = await replay_run(Path(trace))
            ratios.append(wall / report.seconds)
            kept = sum(path.stat().st_size for path in Path(trace).rglob("*") if path.is_file())
            sizes.append(kept / 1024 / sum(isinstance(e, Called) and e.seam == "browser" for e in run.events))
    overhead = statistics.median(plain) / statistics.median(bare)
    print_figure("walk CPU a page / bare Playwright loop", round(overhead, 2), "ratio", "<= 1.3", overhead <= 1.3)
    print_figure("bare Playwright loop", round(1000 * statistics.median(bare), 1), "CPU ms a page", "", True)
    cost = 100 * (statistics.median(recorded) / statistics.median(plain) - 1)
    print_figure("recording, share of a walk's CPU", round(cost, 1), "%", "<= 5", cost <= 5)
    speed = statistics.median(ratios)
    print_figure("replay, times faster than the walk", round(speed, 1), "times", ">= 50", speed >= 50)
    size = statistics.mean(sizes)
    print_figure("trace without screenshots", round(size, 1), "KB a page", "<= 40", size <= 40)


if __name__ == "__main__":
    asyncio.run(main())
