"""Prints how fast the viewer is: a run of 5,000 steps in a real Chromium, and a run of 1,000 as one file.

The run is written by the recorder, as a walk writes it. The first view is timed from the address to the step on the screen, with
nothing of the run in memory; a step change from the key to the frame that shows the step, by the page's own clock.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from pathlib import Path

from figures import print_figure
from playwright.async_api import Page, async_playwright

from tests.traces.viewer.walks import made_run
from traces.viewer.export import write_page
from traces.viewer.library import Library
from traces.viewer.opened_run import OpenedRun
from traces.viewer.server import serve_runs
from walker.browser.finding import find_browser

STEPS, TRIES, CHANGES = 5_000, 5, 60
FIRST_VIEW_SECONDS, CHANGE_MILLISECONDS = 1.0, 100.0

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


async def first_view(page: Page, run: Path) -> float:
    """Seconds until step 2,500 is on the screen, by the page's clock, which starts with the navigation."""
    with serve_runs(Library(run)) as server:
        await page.goto(f"{server.url}#step=2500", wait_until="commit")
        shown: float = await page.evaluate(SHOWN, 2500)
        await page.goto("about:blank")
        return shown / 1000


async def changes(page: Page, run: Path) -> list[float]:
    """Milliseconds of single steps forward, then of jumps to the ends."""
    with serve_runs(Library(run)) as server:
        await page.goto(f"{server.url}#step=100")
        await page.evaluate(SHOWN, 100)
        took = [await page.evaluate(PRESSED, ["j", step]) for step in range(101, 101 + CHANGES)]
        for _ in range(5):
            took.append(await page.evaluate(PRESSED, ["End", STEPS]))
            took.append(await page.evaluate(PRESSED, ["Home", 1]))
        return took


async def main() -> None:
    """All figures."""
    with tempfile.TemporaryDirectory() as folder:
        run = made_run(Path(folder) / "long", STEPS)
        began = time.perf_counter()
        OpenedRun(run).overview()
        index = time.perf_counter() - began
        print_figure(f"index of {STEPS} steps", round(index, 3), "s", "", True)
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=find_browser().path, args=["--no-sandbox"])
            page = await browser.new_page(viewport={"width": 1360, "height": 860})
            views = [await first_view(page, run) for _ in range(TRIES)]
            took = await changes(page, run)
            await browser.close()
        view, middle, slow = statistics.median(views), statistics.median(took), sorted(took)[int(len(took) * 0.95)]
        name = f"first view of {STEPS} steps, median of {TRIES}"
        print_figure(name, round(view, 3), "s", f"<= {FIRST_VIEW_SECONDS}", view <= FIRST_VIEW_SECONDS)
        print_figure("change of step, median", round(middle, 1), "ms", "", True)
        want = f"<= {CHANGE_MILLISECONDS:.0f}"
        print_figure("change of step, 95 of 100", round(slow, 1), "ms", want, slow <= CHANGE_MILLISECONDS)
        short = made_run(Path(folder) / "short", 1000)
        began = time.perf_counter()
        write_page(Library(short), Path(folder) / "report.html")
        print_figure("export of 1,000 steps", round(time.perf_counter() - began, 2), "s", "", True)
        size = (Path(folder) / "report.html").stat().st_size
        print_figure("size of the export of 1,000 steps", round(size / 1e6, 2), "MB", "", True)


if __name__ == "__main__":
    asyncio.run(main())
