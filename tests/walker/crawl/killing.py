"""Crawls in processes of their own that are killed with all that they started, at a point that the site tells."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections import Counter
from pathlib import Path
from types import TracebackType
from typing import Any

from tests.fixtures.loaded_program import LoadedProgram, shared_mother
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
        self._running: LoadedProgram | None = None

    def __enter__(self) -> Crawls:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._running is not None:  # a test has failed on the way
            self._end(self._running)

    def run(self, script: Path, job: Path, *flags: str) -> int:
        """Crawl to the end; the exit code."""
        return self._end(self._start(script, job, *flags))

    def run_killed(self, script: Path, job: Path, site: LoopbackSite, more: int, *flags: str) -> bool:
        """Crawl, and kill the whole tree when the site was asked so many times more; False where it ended before."""
        asked = len(site.asked)
        process = self._start(script, job, *flags)
        while process.poll() is None and len(site.asked) - asked < more:
            time.sleep(0.002)
        time.sleep(0.001 * (more % 7))
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        return self._end(process) == -signal.SIGKILL

    def _start(self, script: Path, job: Path, *flags: str) -> LoadedProgram:
        library = ("--library", str(self.library)) if self.library is not None else ()
        command = ("walker", "crawl", str(script), "--job", str(job), "-q", *library, *self.more, *flags)
        self._running = shared_mother().start(*command, folder=Path.cwd(), environment=dict(os.environ), is_heard=False)
        return self._running

    def _end(self, process: LoadedProgram) -> int:
        with process:
            self._running = None
            return process.wait()
