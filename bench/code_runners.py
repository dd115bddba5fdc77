"""Prints what the interpreters for a model's code are worth: tasks solved, hostile snippets kept in, seconds, memory, processes left.

`python bench/code_runners.py` measures Monty; `--code pyodide:FOLDER` that one, which is loaded again after each run that had to
be ended (`--most 9` takes one snippet of each kind).
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import re
import sys
import tempfile
import time
from pathlib import Path
from platform import node

import psutil

sys.path.insert(0, str(Path(__file__).parents[1]))
from figures import print_figure

from tests.walker.code.code_sets import Hostile, code_tasks, has_escaped, hostile_snippets
from walker.browser.launch.chromium import Chromium, ContextOptions
from walker.browser.launch.find_chromium import find_browser
from walker.code.runners import runner_of
from walker.seams.code_runner import CodeRunner, Ran

RIGHT, MOST_SECONDS, MOST_MEGABYTES = 0.95, 1.5, 200
MEGABYTE = 1_000_000
SAMPLE_SECONDS = 0.01
ENDS_WITHIN = 1.0
"""Seconds after the runner is closed, in which its worker has to have ended."""


async def main() -> int:
    """Measure one interpreter; 1 where a figure is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--code", default="monty", help="monty, pyodide:FOLDER or the address of a sandbox server")
    parser.add_argument("--most", type=int, default=60, help="hostile snippets to run, the first of each kind in turn")
    given = parser.parse_args()
    async with Chromium(find_browser()) as browser:
        runner = runner_of(given.code, lambda: browser.new_context(ContextOptions()))
        began = time.perf_counter()
        await runner.run("1", {})
        print_figure("first run", round(time.perf_counter() - began, 3), "s", "no target", True)
        results = [await solved(runner), *await kept_in(runner, given.most, in_process=given.code == "monty")]
        await runner.close()
        # A worker that was told to end does so a moment after the runner is closed.
        _, left = psutil.wait_procs(workers(), timeout=ENDS_WITHIN)
        print_figure("processes left", len(left), "processes", "0", not left)
    return 0 if all(results) and not left else 1


async def solved(runner: CodeRunner) -> bool:
    """Tasks whose scripted code gives the right output."""
    tasks, right, took = code_tasks(), 0, []
    for task in tasks:
        ran = await runner.run(task.code, task.inputs)
        right += ran.value == task.value
        took.append(ran.seconds)
        if ran.value != task.value:
            print(f"{task.name}: {ran}", file=sys.stderr)
    share = right / len(tasks)
    print_figure("median of a run", round(sorted(took)[len(took) // 2] * 1000, 2), "ms", "no target", True)
    print_figure(f"tasks right, of {len(tasks)}", round(share, 3), "share", f">= {RIGHT}", share >= RIGHT)
    return share >= RIGHT


async def kept_in(runner: CodeRunner, most: int, *, in_process: bool) -> list[bool]:
    """Hostile snippets: escapes, the longest run, and the most memory of the worker (of Monty alone: Chromium's is the walk's)."""
    snippets = in_turn(hostile_snippets())[:most]
    escapes, longest, memory = 0, 0.0, 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for snippet in snippets:
            running = asyncio.ensure_future(runner.run(snippet.code, {}))
            while not running.done():
                memory = max(memory, worker_bytes())
                await asyncio.wait((running,), timeout=SAMPLE_SECONDS)
            ran = running.result()
            longest = max(longest, ran.seconds)
            if has_escaped(snippet, ran) if in_process else shows_machine(ran):
                escapes += 1
                print(f"{snippet.kind}, {snippet.name}: {ran}", file=sys.stderr)
        written = files_in(folder)
        os.chdir(Path(__file__).parents[1])
    ok = [escapes == 0 and not written, longest <= MOST_SECONDS, memory <= MOST_MEGABYTES * MEGABYTE]
    print_figure(f"escapes, of {len(snippets)}", escapes + len(written), "escapes", "0", ok[0])
    print_figure("longest hostile run", round(longest, 3), "s", f"<= {MOST_SECONDS}", ok[1])
    if in_process:
        print_figure("most memory of a worker", round(memory / MEGABYTE, 1), "MB", f"<= {MOST_MEGABYTES}", ok[2])
    return ok


def shows_machine(ran: Ran) -> bool:
    """Whether the output holds something of this machine: an interpreter with a world of its own may show that."""
    said = ran.value + ran.printed
    facts = (Path("/etc/passwd").read_text()[:30], os.environ.get("PATH", ""), node())
    # As a word of its own: the name of a machine may be two letters long.
    return any(fact and re.search(rf"(?<!\w){re.escape(fact)}(?!\w)", said) for fact in facts)


def files_in(folder: str) -> list[Path]:
    """What lies there."""
    return list(Path(folder).iterdir())


def in_turn(snippets: tuple[Hostile, ...]) -> list[Hostile]:
    """The first of each kind, then the second of each, so that few are of all kinds."""
    place: dict[str, int] = {}
    ranked = []
    for snippet in snippets:
        place[snippet.kind] = place.get(snippet.kind, 0) + 1
        ranked.append((place[snippet.kind], snippet))
    return [snippet for _, snippet in sorted(ranked, key=lambda pair: pair[0])]


def workers() -> list[psutil.Process]:
    """Monty's, of this process."""
    found = []
    for child in psutil.Process().children():
        with contextlib.suppress(psutil.Error):
            found += [child] if "monty" in child.name() else []
    return found


def worker_bytes() -> int:
    """Resident memory of Monty's worker, 0 without one."""
    most = 0
    for worker in workers():
        with contextlib.suppress(psutil.Error):
            most = max(most, worker.memory_info().rss)
    return most


if __name__ == "__main__":
    raise SystemExit(asyncio.run(main()))
