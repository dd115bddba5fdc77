"""One pace of a host for all workers of a job: a fetch begins once the job's database says so."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from walker.crawl.fetch.politeness import REFUSING, Pace
from walker.crawl.job.shared.shared_job import SharedJob
from walker.crawl.script.polite import Polite

LONGEST_WAIT_SECONDS = 1.0
"""Seconds after which a worker asks again for a host, however long it was told to wait: others may have given up."""


class SharedPace(Pace):
    """As `Pace`, which each worker keeps for itself, and on top of it over all workers: no more fetches at once from a host than
    the script allows, no two closer together than its delay, and none while it has asked any of them to wait."""

    def __init__(
        self,
        polite: Polite,
        job: SharedJob,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        super().__init__(polite, clock=clock, sleep=sleep)
        self._job = job
        self._turns = itertools.count(1)

    @asynccontextmanager
    async def slot(self, host: str) -> AsyncIterator[None]:
        """Wait for a slot in the host's window, and for the other workers."""
        async with super().slot(host):
            turn = next(self._turns)
            while (wait := self._job.begin_fetch(host, self._polite.per_host, self.gap(host), turn=turn)) > 0:
                await self._sleep(min(wait, LONGEST_WAIT_SECONDS))
            try:
                yield
            finally:
                self._job.end_fetch(host, turn=turn)

    def answered(self, host: str, status: int, seconds: float, retry_after: float | None = None) -> None:
        """Report the result of a fetch; a host that refuses is left alone by all workers."""
        super().answered(host, status, seconds, retry_after)
        if (status in REFUSING or retry_after) and (pause := self.pause(host)) > 0:
            self._job.pause_host(host, pause)
