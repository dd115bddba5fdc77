"""Several workers on one queue."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from walker.errors import WalkerError


async def work_side_by_side(work: Callable[[], Coroutine[Any, Any, None]], workers: int) -> None:
    """Run `work` so many times at once, to the end. An error that Walker names ends all of them and is raised as it is, once:
    workers side by side meet the same trouble."""
    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(workers):
                group.create_task(work())
    except BaseExceptionGroup as several:
        named, others = several.split(WalkerError)
        if named is None or others is not None:
            raise
        raise _first(named) from None


def _first(several: BaseExceptionGroup[WalkerError]) -> WalkerError:
    error = several.exceptions[0]
    return _first(error) if isinstance(error, BaseExceptionGroup) else error
