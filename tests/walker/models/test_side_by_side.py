"""How many requests go side by side is what the server gains by."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from walker.models.side_by_side import MOST, Job, SideBySide

MANY = 40


class Server:
    """A server with so many places that takes a second for each request, and a clock of its own: no test waits."""

    def __init__(self, places: int, first: float = 0.0) -> None:
        self.now, self.most, self._running = 0.0, 0, 0
        self._places, self._first = places, first
        self._waiting: list[tuple[asyncio.Future[None], int]] = []
        self._asked = asyncio.Event()

    def clock(self) -> float:
        return self.now

    async def work(self, number: int) -> int:
        self._running += 1
        self.most = max(self.most, self._running)
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((done, number))
        self._asked.set()
        await done
        self._running -= 1
        return number

    async def serve(self) -> None:
        while True:
            if not self._waiting:
                self._asked.clear()
                await self._asked.wait()
            for _ in range(3):
                await asyncio.sleep(0)  # whoever asks beside it has come
            served, self._waiting = self._waiting[: self._places], self._waiting[self._places :]
            self.now += 1.0 + self._first
            self._first = 0.0
            for done, _ in served:
                if not done.done():
                    done.set_result(None)


def jobs(work: Callable[[int], Job[int]], many: int = MANY) -> list[Job[int]]:
    return [work(number) for number in range(many)]


async def run(server: Server, requests: SideBySide[int], many: int = MANY) -> list[int]:
    serving = asyncio.create_task(server.serve())
    try:
        return await requests.run(jobs(lambda number: lambda: server.work(number), many))
    finally:
        serving.cancel()


@pytest.mark.parametrize("first", [0.0, 60.0])
async def test_a_server_that_works_one_by_one_is_asked_so(first: float) -> None:
    """However long it takes to load its model first."""
    server = Server(places=1, first=first)
    requests = SideBySide[int](clock=server.clock)
    assert await run(server, requests) == list(range(MANY))
    assert (requests.at_once, server.most) == (1, 2), "two were tried, once"
    assert await run(server, requests) == list(range(MANY))
    assert server.most == 2


@pytest.mark.parametrize(("places", "wanted"), [(2, 2), (4, 4), (8, 8), (64, MOST)])
async def test_a_server_with_places_gets_as_many(places: int, wanted: int) -> None:
    server = Server(places=places)
    requests = SideBySide[int](clock=server.clock)
    assert await run(server, requests, 80) == list(range(80))
    assert requests.at_once == wanted


async def test_a_number_that_was_set_is_kept() -> None:
    server = Server(places=1)
    requests = SideBySide[int](5, clock=server.clock)
    assert await run(server, requests) == list(range(MANY))
    assert (requests.at_once, server.most) == (5, 5)


async def test_what_a_request_beside_broke_off_is_asked_again_alone() -> None:
    running = asked = 0

    async def one(number: int) -> int:
        nonlocal running, asked
        asked += 1
        running += 1
        await asyncio.sleep(0)
        beside = running > 1
        await asyncio.sleep(0)
        running -= 1
        return -1 if beside else number

    requests = SideBySide[int](is_lost=lambda given: given < 0)
    assert await requests.run(jobs(lambda number: lambda: one(number))) == list(range(MANY))
    assert (requests.at_once, asked) == (1, MANY + 2)


@pytest.mark.parametrize("bad", [0, 1, 3, 30])
async def test_a_failure_ends_all_and_begins_no_further_one(bad: int) -> None:
    begun: list[int] = []

    async def one(number: int) -> int:
        begun.append(number)
        await asyncio.sleep(0)
        if number == bad:
            raise ValueError(number)
        await asyncio.sleep(0.001)
        return number

    with pytest.raises(ValueError, match=str(bad)):
        await SideBySide[int]().run(jobs(lambda number: lambda: one(number)))
    assert max(begun) <= bad + MOST
