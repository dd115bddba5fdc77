"""How many requests suit a server side by side, found out while it is asked: one that works them off one by one, or interrupts one for
the next, gains nothing by having several and answers each of them later."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Generic, TypeVar

T = TypeVar("T")

MOST = 8
GAIN = 1.25
"""Requests a second against half as many side by side, from which the greater number is kept: 1.0 is a server that works one by one
(llama-cpp-python, Ollama with one slot), 2.0 one that batches without loss. Tests hold 1.0 and 2.0 on either side of it."""

Job = Callable[[], Coroutine[Any, Any, T]]


class SideBySide(Generic[T]):
    """Works off requests to one server. The first goes alone, since a server may have to load its model; then one is timed, two at
    once, four, as long as each step gains enough."""

    def __init__(
        self,
        fixed: int = 0,
        *,
        is_lost: Callable[[T], bool] = lambda _: False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`fixed`: so many side by side, whatever the server gains; 0 to find it out. `is_lost`: whether the server gave nothing, as
        one does that breaks off a request for the next: while it is tried, that is asked once more alone."""
        self.at_once = fixed or 1
        self._is_settled, self._clock = fixed > 0, clock
        self._is_warm, self._is_lost = False, is_lost
        self._rate = 0.0
        """Requests a second with half as many at once."""

    async def run(self, jobs: Sequence[Job[T]]) -> list[T]:
        """What all jobs give, in their order; where one fails, the others are cancelled, and those to come are not begun."""
        given: list[T] = []
        while not self._is_settled and len(given) < len(jobs):
            given += await self._round(jobs[len(given) : len(given) + self.at_once])
        turn = asyncio.Semaphore(self.at_once)

        async def in_turn(job: Job[T]) -> T:
            async with turn:
                return await job()

        return given + await _all([in_turn(job) for job in jobs[len(given) :]])

    async def _round(self, jobs: Sequence[Job[T]]) -> list[T]:
        """As many at once as are tried now; what they took decides about the next."""
        began = self._clock()
        given = await _all([job() for job in jobs])
        seconds = max(self._clock() - began, 1e-6)
        lost = [place for place, one in enumerate(given) if self._is_lost(one)] if len(jobs) > 1 else []
        if lost:
            self.at_once, self._is_settled = self.at_once // 2, True
            for place in lost:
                given[place] = await jobs[place]()
        elif not self._is_warm:
            self._is_warm = True
        elif len(jobs) == self.at_once:
            self._learn(len(jobs) / seconds)
        return given

    def _learn(self, rate: float) -> None:
        if rate < GAIN * self._rate:
            self.at_once, self._is_settled = self.at_once // 2, True
        elif self.at_once >= MOST:
            self._is_settled = True
        else:
            self.at_once, self._rate = min(2 * self.at_once, MOST), rate


async def _all(jobs: Sequence[Coroutine[Any, Any, T]]) -> list[T]:
    """What all jobs give; where one fails, the others are cancelled."""
    tasks = [asyncio.create_task(job) for job in jobs]
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
