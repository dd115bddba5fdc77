from __future__ import annotations

import asyncio

import pytest

from walker.batch.workers import run_workers
from walker.errors import EndpointUnusable


async def test_workers_empty_one_queue() -> None:
    queue, done = iter(range(9)), list[int]()

    async def work() -> None:
        for number in queue:
            await asyncio.sleep(0)
            done.append(number)

    await run_workers(work, 3)
    assert sorted(done) == list(range(9))
    await run_workers(work, 0)


async def test_an_error_with_a_name_is_raised_as_it_is() -> None:
    async def work() -> None:
        await asyncio.sleep(0)
        raise EndpointUnusable("the key is refused")

    with pytest.raises(EndpointUnusable, match="the key is refused"):
        await run_workers(work, 3)


async def test_a_fault_of_ours_is_not_dressed_up() -> None:
    async def work() -> None:
        raise ZeroDivisionError

    with pytest.raises(ExceptionGroup):
        await run_workers(work, 2)
