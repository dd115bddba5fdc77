"""Work for the browser that nobody waits for, or not for long."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Coroutine
from typing import Any, TypeVar

from playwright.async_api import Error

T = TypeVar("T")


class Background:
    """What one walk's browser does while nobody waits for it. `finish` leaves no task behind."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Begin it. Its error is its caller's, or nobody's."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._forget)
        return task

    def answer(self, work: Awaitable[Any], seconds: float = 5.0) -> None:
        """Answer an event of the page without waiting; a page that is gone by then needs no answer."""
        self.start(bounded(work, seconds))

    async def finish(self) -> None:
        """End what still runs."""
        while self._tasks:
            tasks = tuple(self._tasks)
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
            # Their callbacks come in the next turn of the loop.
            await asyncio.sleep(0)

    def _forget(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()


async def bounded(work: Awaitable[Any], seconds: float) -> bool:
    """Whether it came to its end in time."""
    try:
        await asyncio.wait_for(work, seconds)
    except (Error, TimeoutError):
        return False
    return True
