"""Tasks worked off in a place: as many at a time as it has jobs, each told as it ends."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from walker.batch.places import Told, WalkPlace, WalkTask
from walker.errors import WalkerError


async def work_off(
    place: WalkPlace,
    tasks: Sequence[WalkTask[Told]],
    ended: Callable[[int, Told], None],
    given_up: Callable[[int], None] = lambda _: None,
) -> None:
    """Do all tasks. `ended` is called with the number of the task, from 1, and what it came to, when it ends; `given_up` with the
    number of one that is cancelled. Without tasks the place is not entered. Raises what the place raises, once."""
    if not tasks:
        return
    queue = iter(enumerate(tasks, start=1))

    async def go_on() -> None:
        for number, task in queue:
            try:
                told = await place.do(task)
            except asyncio.CancelledError:
                given_up(number)
                raise
            ended(number, told)

    async with place:
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(min(place.jobs, len(tasks))):
                    group.create_task(go_on())
        except BaseExceptionGroup as several:
            named, others = several.split(WalkerError)
            if named is None or others is not None:
                raise
            raise _first(named) from None


def _first(several: BaseExceptionGroup[WalkerError]) -> WalkerError:
    """The error that ended it; concurrent walks usually hit the same one."""
    error = several.exceptions[0]
    return _first(error) if isinstance(error, BaseExceptionGroup) else error
