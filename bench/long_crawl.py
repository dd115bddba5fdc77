"""Prints whether a long crawl stays as quick and as small as it began: CPU of a page and memory, by tenths of 20,000 pages.

    python bench/long_crawl.py [--pages 20000] [--driver http|auto]

The site is generated and served on loopback by a process of its own; the crawl is a process too, with all that it starts.
"""

from __future__ import annotations

import argparse
import itertools
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).parent))
from crawl_sites import generated_site
from figures import print_figure
from process_tree import ProcessTree

from walker.crawl.job.job_store import FILE_NAME

TENTHS = 10
CPU_GROWTH, MEMORY_GROWTH = 1.25, 1.25
"""Most that the last fifth may cost of what the second tenth did; the first holds the start."""
LOOK_SECONDS = 0.5


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """How far a crawl was, and what it had taken."""

    pages: int
    cpu: float
    """Seconds of the process and all below it."""
    rss: int
    """Bytes of the process alone."""


def main() -> None:
    """One crawl, looked at while it goes on."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--driver", default="http", choices=["http", "auto"])
    options = parser.parse_args()
    with generated_site(options.pages) as root, tempfile.TemporaryDirectory() as folder:
        command = ["-m", "walker", "crawl", root, "--driver", options.driver, "--max-pages", str(options.pages)]
        began = time.monotonic()
        crawl = subprocess.Popen(
            [sys.executable, *command, "--job", folder, "--fresh", "-q"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        with ProcessTree(crawl.pid) as tree:
            marks = watched(crawl, Path(folder) / FILE_NAME, tree, max(1, options.pages // TENTHS))
        seconds = time.monotonic() - began
    if crawl.returncode or len(marks) < TENTHS // 2:
        print_figure("a long crawl", None, f"ended with {crawl.returncode} after {len(marks)} tenths", "to run", False)
        return
    report(marks, options.pages, seconds)


def watched(crawl: subprocess.Popen[bytes], job: Path, tree: ProcessTree, every: int) -> list[Mark]:
    """A mark each time that so many pages more are kept."""
    marks: list[Mark] = []
    while crawl.poll() is None:
        time.sleep(LOOK_SECONDS)
        pages = kept(job)
        if pages >= every * (len(marks) + 1) and (rss := rss_of(crawl.pid)):
            marks.append(Mark(pages=pages, cpu=tree.cpu(), rss=rss))
    return marks


def kept(job: Path) -> int:
    """Pages in the job's file, 0 while there is none."""
    try:
        with closing(sqlite3.connect(f"file:{job}?mode=ro", uri=True)) as store:
            return int(store.execute("SELECT count(*) FROM contents").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


def rss_of(process: int) -> int:
    """Bytes in memory, 0 of a process that has ended."""
    try:
        lines = Path(f"/proc/{process}/status").read_text(encoding="utf-8").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS")), 0)


def report(marks: list[Mark], pages: int, seconds: float) -> None:
    """The figures of each part, and how the last compare with the first."""
    costs = [
        1000 * (after.cpu - before.cpu) / max(1, after.pages - before.pages)
        for before, after in itertools.pairwise(marks)
    ]
    print_figure("pages a second", round(marks[-1].pages / seconds, 1), "1/s", "", True)
    print_figure(f"CPU of a page, by tenths of {pages} pages", [round(cost, 1) for cost in costs], "ms", "", True)
    print_figure("memory of the crawl by tenths", [round(mark.rss / 1e6) for mark in marks], "MB", "", True)
    cost, size = sum(costs[-2:]) / 2 / costs[0], marks[-1].rss / marks[1].rss
    print_figure(
        "CPU of the last pages / of the first", round(cost, 2), "ratio", f"<= {CPU_GROWTH}", cost <= CPU_GROWTH
    )
    print_figure(
        "memory at the end / in the beginning", round(size, 2), "ratio", f"<= {MEMORY_GROWTH}", size <= MEMORY_GROWTH
    )


if __name__ == "__main__":
    main()
