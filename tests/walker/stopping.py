"""Work that is cancelled before it is done."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Coroutine
from typing import Any


async def stop_after(turns: int, work: Coroutine[Any, Any, object]) -> bool:
    """Begin work and cancel it after so many turns of the loop; whether that stopped it."""
    task = asyncio.ensure_future(work)
    for _ in range(turns):
        await asyncio.sleep(0)
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
    return task.cancelled()
