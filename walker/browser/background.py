"""Work for the browser that nobody waits for, or not for long."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any

from playwright.async_api import Error

_background: set[asyncio.Task[Any]] = set()


def in_background(work: Awaitable[Any], seconds: float = 5.0) -> None:
    """Answer an event of the page without waiting; a page that is gone by then needs no answer."""

    async def quietly() -> None:
        await bounded(work, seconds)

    task = asyncio.ensure_future(quietly())
    _background.add(task)
    task.add_done_callback(_background.discard)


async def bounded(work: Awaitable[Any], seconds: float) -> bool:
    """Whether it came to its end in time."""
    try:
        await asyncio.wait_for(work, seconds)
    except (Error, TimeoutError):
        return False
    return True
