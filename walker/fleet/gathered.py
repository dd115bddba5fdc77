"""Requests that wait at the same time are answered together, and only so many may wait."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

Asked = TypeVar("Asked")
Answer = TypeVar("Answer")


class Full(Exception):
    """As many requests wait as may: ask again later."""


class Gathered(Generic[Asked, Answer]):
    """One batch at a time, in a thread; what arrives meanwhile makes the next."""

    def __init__(
        self, run: Callable[[Sequence[Asked]], Sequence[Answer]], *, at_once: int, most_waiting: int = 64
    ) -> None:
        """`run` answers a batch of at most `at_once` requests, in their order."""
        self._run, self._at_once, self._most_waiting = run, at_once, most_waiting
        self._waiting: list[tuple[Asked, asyncio.Future[Answer]]] = []
        self._work: asyncio.Task[None] | None = None
        self.batches = self.requests = 0
        """Those that were run so far, and what was in them."""

    @property
    def waiting(self) -> int:
        """Requests that are not in the batch that runs."""
        return len(self._waiting)

    async def answer(self, asked: Asked) -> Answer:
        """The answer to one request. Raises `Full`, and what `run` raises of its batch."""
        if len(self._waiting) >= self._most_waiting:
            raise Full
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting.append((asked, future))
        if self._work is None:
            self._work = asyncio.get_running_loop().create_task(self._run_batches())
        return await future

    async def _run_batches(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting[: self._at_once], self._waiting[self._at_once :]
            batch = [one for one in batch if not one[1].done()]  # the others have been given up
            if not batch:
                continue
            self.batches += 1
            self.requests += len(batch)
            run = asyncio.get_running_loop().create_task(asyncio.to_thread(self._run, [asked for asked, _ in batch]))
            await asyncio.wait([run])
            error = run.exception()
            for place, (_, future) in enumerate(batch):
                if future.done():
                    continue
                if error is not None:
                    future.set_exception(error)
                else:
                    future.set_result(run.result()[place])
        self._work = None
