"""Prints how fast the viewer is: a run of 5,000 steps in a real Chromium, and a run of 1,000 as one file.

Wall time is what a person waits, and counts only on a machine that does nothing else; the processor time beside it is what
the viewer takes of a machine that others share. The run is written by the recorder, as a walk writes it.

The first view is timed from the address to the step on the screen, with nothing of the run in memory; a step change from the
key to the frame that shows the step, by the page's own clock.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from figures import print_figure
from playwright.async_api import CDPSession, Page, async_playwright

from tests.traces.viewer.walks import made_run
from traces.viewer.export import write_page
from traces.viewer.library import Library
from traces.viewer.opened_run import OpenedRun
from traces.viewer.server import serve_runs
from walker.browser.launch.find_chromium import find_browser
from walker.runs.viewer_tools import WalkTools

STEPS, TRIES, CHANGES = 5_000, 5, 60
FIRST_VIEW_SECONDS, CHANGE_MILLISECONDS, SEARCH_SECONDS = 1.0, 100.0, 2.0

SHOWN = """step => new Promise(done => {
    const look = () => document.querySelector('h2')?.textContent === `Harbour ${step}` && document.querySelector(`#step-${step}`)
        ? requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now()))) : setTimeout(look, 1);
    look();
})"""
PRESSED = """([key, step]) => new Promise(done => {
    const began = performance.now();
    const look = () => document.querySelector('h2')?.textContent === `Harbour ${step}`
        ? requestAnimationFrame(() => setTimeout(() => done(performance.now() - began))) : setTimeout(look);
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    look();
})"""


async def first_view(page: Page, session: CDPSession, run: Path) -> tuple[float, float]:
    """Wall and processor seconds until step 2,500 is on the screen; the page's clock starts with the navigation."""
    with serve_runs(Library(run)) as server:
        before, began = await processor(session), time.process_time()
        await page.goto(f"{server.url}#step=2500", wait_until="commit")
        shown: float = await page.evaluate(SHOWN, 2500)
        used = await processor(session) - before + time.process_time() - began
        await page.goto("about:blank")
        return shown / 1000, used


async def processor(session: CDPSession) -> float:
    """Processor seconds of the page's main thread since the session was opened."""
    metrics = (await session.send("Performance.getMetrics"))["metrics"]
    return float(next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration"))


async def changes(page: Page, session: CDPSession, run: Path) -> tuple[list[float], float]:
    """Milliseconds of single steps forward, then of jumps to the ends; and processor milliseconds of one change."""
    with serve_runs(Library(run)) as server:
        await page.goto(f"{server.url}#step=100")
        await page.evaluate(SHOWN, 100)
        before = await processor(session)
        took = [await page.evaluate(PRESSED, ["j", step]) for step in range(101, 101 + CHANGES)]
        for _ in range(5):
            took.append(await page.evaluate(PRESSED, ["End", STEPS]))
            took.append(await page.evaluate(PRESSED, ["Home", 1]))
        return took, (await processor(session) - before) * 1000 / len(took)


def computed(run: Path) -> None:
    """Processor time of what the server computes when it is asked: search, other thresholds, two walks beside each other."""
    library = Library(run, tools=WalkTools())
    name = library.single
    library.answer(f"{name}/overview")
    began = time.process_time()
    while not json.loads(library.answer(f"{name}/search/=harbour%20number")[0])["is_done"]:
        continue
    used = time.process_time() - began
    want = f"<= {SEARCH_SECONDS}"
    print_figure(
        f"processor time of the first search in {STEPS} steps", round(used, 2), "s", want, used <= SEARCH_SECONDS
    )
    for what, asked in (
        ("a search once it was read", "search/=berths%20night"),
        ("the gate's decisions for the slider", "gate"),
        ("the same with other weights", "gate/0.5,3,4,-5,-1"),
        ("comparing the walk with itself", f"diff/{name}"),
    ):
        began = time.process_time()
        library.answer(f"{name}/{asked}")
        print_figure(f"processor time of {what}, {STEPS} steps", round(time.process_time() - began, 2), "s", "", True)


async def main() -> None:
    """All figures."""
    with tempfile.TemporaryDirectory() as folder:
        run = made_run(Path(folder) / "long", STEPS)
        began = time.perf_counter()
        OpenedRun(run).overview()
        index = time.perf_counter() - began
        print_figure(f"index of {STEPS} steps", round(index, 3), "s", "", True)
        computed(run)
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=find_browser().path, args=["--no-sandbox"])
            page = await browser.new_page(viewport={"width": 1360, "height": 860})
            session = await page.context.new_cdp_session(page)
            await session.send("Performance.enable", {"timeDomain": "threadTicks"})
            views = [await first_view(page, session, run) for _ in range(TRIES)]
            took, used = await changes(page, session, run)
            await browser.close()
        view, view_used = (statistics.median(column) for column in zip(*views, strict=True))
        middle, slow = statistics.median(took), sorted(took)[int(len(took) * 0.95)]
        name = f"first view of {STEPS} steps, median of {TRIES}"
        print_figure(name, round(view, 3), "s", f"<= {FIRST_VIEW_SECONDS}", view <= FIRST_VIEW_SECONDS)
        print_figure("processor time of it, server and page", round(view_used, 3), "s", "", True)
        print_figure("change of step, median", round(middle, 1), "ms", "", True)
        want = f"<= {CHANGE_MILLISECONDS:.0f}"
        print_figure("change of step, 95 of 100", round(slow, 1), "ms", want, slow <= CHANGE_MILLISECONDS)
        print_figure("processor time of a change, page", round(used, 1), "ms", "", True)
        short = made_run(Path(folder) / "short", 1000)
        began = time.perf_counter()
        write_page(Library(short), Path(folder) / "report.html")
        print_figure("export of 1,000 steps", round(time.perf_counter() - began, 2), "s", "", True)
        size = (Path(folder) / "report.html").stat().st_size
        print_figure("size of the export of 1,000 steps", round(size / 1e6, 2), "MB", "", True)


if __name__ == "__main__":
    asyncio.run(main())
