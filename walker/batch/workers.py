"""Runs concurrent workers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from walker.errors import WalkerError


async def run_workers(work: Callable[[], Coroutine[Any, Any, None]], workers: int) -> None:
    """Run `workers` copies of `work` concurrently. A `WalkerError` in one of them cancels all and is raised once, unwrapped, as
    concurrent workers meet the same error."""
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
