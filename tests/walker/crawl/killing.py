"""Crawls in processes of their own that are killed with all that they started, at a point that the site tells."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from functools import cache
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
import json, os, runpy, sys
import walker.crawl.crawling, walker.cli.walks.crawl
print("ready", flush=True)
for line in sys.stdin:
    arguments, environment = json.loads(line)
    child = os.fork()
    if not child:
        os.setsid()
        os.environ.clear()
        os.environ.update(environment)
        nothing = os.open(os.devnull, os.O_RDWR)
        for number in range(3):
            os.dup2(nothing, number)
        sys.argv = ["walker", "crawl", *arguments]
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


class Mother:
    """The process above."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", MOTHER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self.read() == "ready"

    def write(self, arguments: tuple[str, ...]) -> None:
        """Start a crawl with these arguments, in this process' environment of now."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps((arguments, dict(os.environ))) + "\n")
        self._process.stdin.flush()

    def read(self) -> str:
        """A line that it has written."""
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def end(self) -> None:
        """Once it has no child any more."""
        self._process.communicate()


@cache
def shared_mother() -> Mother:
    """Of all crawls of this process."""
    return Mother()


def end_shared_mother() -> None:
    """At the end of all tests."""
    if shared_mother.cache_info().currsize:
        shared_mother().end()


def write_script(path: Path, home: str, driver: str, mode: str) -> Path:
    """The script of a whole crawl of the site; its path."""
    path.write_text(SCRIPT.format(home=home, driver=driver, concurrency=CONCURRENCY, parts=MODES[mode]))
    return path


def fetched_again(asked: Counter[str]) -> int:
    """Requests for pages that were asked for before."""
    return sum(times - 1 for path, times in asked.items() if path.startswith(("/item", "/list", "/category")))


class Crawls:
    """Runs crawls one after the other; `with` waits for the end of the last."""

    def __init__(self) -> None:
        self.library: Path | None = None
        """Of the crawls to come."""
        self.more: tuple[str, ...] = ()
        """Further arguments of the crawls to come."""
        self._mother = shared_mother()
        self._running = False

    def __enter__(self) -> Crawls:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._running:  # a test has failed on the way
            self._end()

    def run(self, script: Path, job: Path, *flags: str) -> int:
        """Crawl to the end; the exit code."""
        self._start(script, job, *flags)
        return self._end()

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
            self._end()
            return False
        return self._end() == -signal.SIGKILL

    def _start(self, script: Path, job: Path, *flags: str) -> int:
        library = ("--library", str(self.library)) if self.library is not None else ()
        self._mother.write((str(script), "--job", str(job), "-q", *library, *self.more, *flags))
        self._running = True
        return int(self._mother.read())

    def _end(self) -> int:
        code = int(self._mother.read())
        self._running = False
        return code


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
