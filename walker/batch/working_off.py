"""Tasks worked off in a place: as many at a time as it has jobs, each told as it ends."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from walker.batch.places import Told, WalkPlace, WalkTask
from walker.batch.workers import run_workers


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
        await run_workers(go_on, min(place.jobs, len(tasks)))
