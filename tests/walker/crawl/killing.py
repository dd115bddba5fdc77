"""Crawls in processes of their own that are killed with all that they started, at a point that the site tells."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from types import TracebackType
from typing import Any

from tests.sites.serving import LoopbackSite

CONCURRENCY = 4
QUOTA = 41
MODES: dict[str, dict[str, Any]] = {
    "plain": {"counter": {"mode": "none"}},
    "quota": {"counter": {"mode": "quota", "target": QUOTA}},
    "exhaustive": {"counter": {"mode": "exhaustive"}},
}
SCRIPT = """
from walker.crawl.script.spec import CrawlSpec
crawl = CrawlSpec(start=({home!r},), driver={driver!r}, concurrency={concurrency}, **{parts!r})
def items(page, html):
    return [{{"url": page.url, "title": page.title}}] if "/item/" in page.url else []
"""
MOTHER = """
import os, runpy, sys
import walker.crawl.crawling, walker.cli.walks.crawl
print("ready", flush=True)
for line in sys.stdin:
    script, job, *more = line.rstrip("\\n").split("\\t")
    child = os.fork()
    if not child:
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDWR)
        for number in range(3):
            os.dup2(nothing, number)
        sys.argv = ["walker", "crawl", script, "--job", job, "-q", *more]
        code = 1
        try:
            runpy.run_module("walker", run_name="__main__")
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1 if end.code else 0
        finally:
            os._exit(code)
    print(child, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
"""Has loaded the program, and makes a process of it for each line: a start of its own would cost seconds."""


def write_script(path: Path, home: str, driver: str, mode: str) -> Path:
    """The script of a whole crawl of the site; its path."""
    path.write_text(SCRIPT.format(home=home, driver=driver, concurrency=CONCURRENCY, parts=MODES[mode]))
    return path


def fetched_again(asked: Counter[str]) -> int:
    """Requests for pages that were asked for before."""
    return sum(times - 1 for path, times in asked.items() if path.startswith(("/item", "/list", "/category")))


class Crawls:
    """Runs crawls one after the other; `with` ends what is left."""

    def __init__(self) -> None:
        self.library: Path | None = None
        """Of the crawls to come."""
        self.more: tuple[str, ...] = ()
        """Further arguments of the crawls to come."""
        self._mother = subprocess.Popen(
            [sys.executable, "-c", MOTHER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self._read() == "ready"

    def __enter__(self) -> Crawls:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._mother.communicate()

    def run(self, script: Path, job: Path, *flags: str) -> int:
        """Crawl to the end; the exit code."""
        self._start(script, job, *flags)
        return int(self._read())

    def run_killed(self, script: Path, job: Path, site: LoopbackSite, more: int, *flags: str) -> bool:
        """Crawl, and kill the whole tree when the site was asked so many times more; False where it ended before."""
        asked = len(site.asked)
        process = self._start(script, job, *flags)
        while _is_running(process) and len(site.asked) - asked < more:
            time.sleep(0.002)
        time.sleep(0.001 * (more % 7))
        try:
            os.killpg(process, signal.SIGKILL)
        except ProcessLookupError:
            self._read()
            return False
        return int(self._read()) == -signal.SIGKILL

    def _start(self, script: Path, job: Path, *flags: str) -> int:
        assert self._mother.stdin is not None
        library = ("--library", str(self.library)) if self.library is not None else ()
        self._mother.stdin.write("\t".join((str(script), str(job), *library, *self.more, *flags)) + "\n")
        self._mother.stdin.flush()
        return int(self._read())

    def _read(self) -> str:
        assert self._mother.stdout is not None
        return self._mother.stdout.readline().strip()


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
