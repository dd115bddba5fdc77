"""Figures of the tools that read recorded walks: how fast they answer, and what recording the network costs.

Walks the bundled site, with the network recorded and without, and asks each tool of the runs. `python bench/trace_tools.py`
"""

from __future__ import annotations

import asyncio
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from figures import print_figure

from traces.compare.alignment import align
from traces.reading.catalogue import describe_run, find_runs
from traces.reading.leaks import scan_run
from traces.reading.reader import read_run
from traces.reading.steps import Step
from traces.store.packing import pack_run
from walker.asking import ask
from walker.demo.server import serve_institute
from walker.runs.browser_replay import replay_in_browser
from walker.runs.compare import diff_runs
from walker.runs.export import FORMATS, Grades, export_runs
from walker.runs.replay import replay_run
from walker.runs.threshold_whatif import imagine, read_cases
from walker.runs.verification import verify_run
from walker.settings import Settings

QUESTIONS = (
    "What is the greatest depth of water in the tidal flume?",
    "Name three members of staff.",
    "How many courses are listed on the 'Courses' page?",
)


def median_ms(work: Callable[[], Any], times: int = 5) -> float:
    spent = []
    for _ in range(times):
        started = time.perf_counter()
        work()
        spent.append(1000 * (time.perf_counter() - started))
    return round(statistics.median(spent), 2)


async def walk_all(folder: Path, *, network: bool) -> tuple[list[Path], float]:
    settings = Settings(runs_folder=folder, network=network, chromium=os.environ.get("WALKER_CHROMIUM", ""))
    started = time.perf_counter()
    with serve_institute() as root:
        outcomes = [await ask(root, question, settings=settings) for question in QUESTIONS]
    return [Path(outcome.trace) for outcome in outcomes], time.perf_counter() - started


async def measure(folder: Path) -> None:
    runs, plain_seconds = await walk_all(folder / "plain", network=False)
    recorded, network_seconds = await walk_all(folder / "network", network=True)
    verified = [await verify_run(run) for run in runs + recorded]
    per_step = [result.milliseconds / max(1, read_run(Path(result.run)).events[-1].step) for result in verified]
    equal = sum(result.is_equal for result in verified)
    print_figure("runs that verify as equal", f"{equal} of {len(verified)}", "runs", "all", equal == len(verified))
    value = round(statistics.median(per_step), 2)
    print_figure("verifying a step, blobs and decisions", value, "ms", "<= 50", value <= 50)
    replays = [await replay_run(run) for run in runs]
    faster = round(min(report.walk_seconds / report.seconds for report in replays), 1)
    print_figure("exact replay against the walk, the slowest", faster, "times as fast", ">= 50", faster >= 50)
    extra = round(100 * (network_seconds - plain_seconds) / plain_seconds, 1)
    print_figure("recording the network, wall time of three walks", extra, "% more", "<= 15 (opt-in)", extra <= 15)
    pages = [page for run in recorded for page in (await replay_in_browser(run, Settings())).pages]
    exact = sum(page.rung == "exact" for page in pages)
    print_figure(
        "pages that a browser shows again as they were", f"{exact} of {len(pages)}", "pages", "all", exact == len(pages)
    )
    tell_tools(runs, folder)


def tell_tools(runs: list[Path], folder: Path) -> None:
    tell_list(runs, folder / "many")
    value = median_ms(lambda: diff_runs(runs[0], runs[1]))
    print_figure("walker diff of two walks", value, "ms", "<= 500", value <= 500)
    cases = tuple(case for run in runs for case in read_cases(run))
    value = median_ms(lambda: [imagine(cases, tau=float(tau)) for tau in range(40, 81)])
    print_figure(f"41 thresholds over {len(cases)} decisions", value, "ms", "<= 200", value <= 200)
    value = median_ms(lambda: scan_run(read_run(runs[0]), ["hunter2-canary"]), 3)
    print_figure("leak test of a run", value, "ms", "<= 2000", value <= 2000)
    value = median_ms(lambda: [pack_run(runs[0], folder / f"{time.monotonic_ns()}.zip")], 3)
    print_figure("packing a run", value, "ms", "<= 500", value <= 500)
    for to in FORMATS:
        value = median_ms(lambda to=to: export_runs(runs[:1], to, Grades(is_off=True)), 3)  # type: ignore[misc]
        print_figure(f"export to {to}", value, "ms", "<= 3000", value <= 3000)
    one = [Step(number=n, key=f"p{n}", path=(f"p{n}",)) for n in range(1000)]
    other = [step for step in one if step.number % 7] + one[:50]
    value = median_ms(lambda: align(one, other), 3)
    print_figure("aligning 1,000 steps with 900", value, "ms", "<= 2000", value <= 2000)


def tell_list(runs: list[Path], folder: Path) -> None:
    """What a line costs where there are a thousand. By the clock it is the disk's time too, and that of whoever shares the machine."""
    for number in range(1000):
        run = runs[number % len(runs)]
        shutil.copytree(run, folder / f"{number:04}-{run.name}", copy_function=os.link)
    wall = median_ms(lambda: [describe_run(run) for run in find_runs([folder])], 3) / 1000
    started = time.process_time()
    lines = [describe_run(run) for run in find_runs([folder])]
    spent = 1000 * (time.process_time() - started) / len(lines)
    print_figure("a line of walker runs, of 1,000", round(wall, 2), "ms", "<= 10", wall <= 10)
    print_figure("the same in processor time", round(spent, 2), "ms", "<= 2", spent <= 2)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(Path(folder)))


if __name__ == "__main__":
    main()
