"""Background tasks of a browser."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Coroutine
from typing import Any, TypeVar

from playwright.async_api import Error

T = TypeVar("T")


class Background:
    """The background tasks of one walk's browser. `finish` cancels all of them."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Start a task. Its exception is retrieved by the caller, or ignored."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._forget)
        return task

    def answer(self, work: Awaitable[Any], seconds: float = 5.0) -> None:
        """Handle an event of the page in the background; failures because the page is gone are ignored."""
        self.start(bounded(work, seconds))

    async def finish(self) -> None:
        """Cancel all running tasks."""
        while self._tasks:
            tasks = tuple(self._tasks)
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
            # Their callbacks run in the next iteration of the event loop.
            await asyncio.sleep(0)

    def _forget(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()


async def bounded(work: Awaitable[Any], seconds: float) -> bool:
    """Wait at most `seconds`; whether it finished in time."""
    try:
        async with asyncio.timeout(seconds):
            await work
    except (Error, TimeoutError):
        return False
    return True
