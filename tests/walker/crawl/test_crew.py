"""The number of a crawl's further workers, kept while they die, and their end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import TracebackType

import pytest

from walker.crawl.fleet import crew as crew_module
from walker.crawl.fleet.crew import QUICK_DEATHS, Crew, HelperLost
from walker.errors import UsageError, WalkerError


class Place:
    """Workers that do what they are told: each an error to raise, or None to work until the crawl has ended."""

    def __init__(self, *does: Callable[[], WalkerError | None]) -> None:
        self.does = list(does)
        self.started = self.working = 0
        self.is_open = False

    async def __aenter__(self) -> Place:
        self.is_open = True
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.is_open = False

    async def help(self) -> None:
        assert self.is_open
        self.started += 1
        error = self.does[min(self.started, len(self.does)) - 1]()
        if error is not None:
            raise error
        self.working += 1
        try:
            await asyncio.Event().wait()
        finally:
            self.working -= 1


def works() -> None:
    return None


def dies() -> HelperLost:
    return HelperLost("signal 9", where="here")


async def until(reached: Callable[[], bool]) -> None:
    for _ in range(1000):
        if reached():
            return
        await asyncio.sleep(0)
    raise AssertionError


async def test_each_that_dies_is_replaced_and_all_are_ended_before_the_outputs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crew_module, "ENDING_SECONDS", 0.01)
    place, told = Place(dies, works, dies, works), list[str]()
    crew = Crew(place, 2, told.append)

    async def crawl() -> str:
        crew.begin()
        await until(lambda: place.working == 2)
        await crew.end()
        return f"{place.working} at the end"

    assert await crew.working(crawl()) == "0 at the end"
    assert told == ["a worker was lost (signal 9); another takes its place"] * 2
    assert not place.is_open


async def test_what_keeps_all_workers_from_working_ends_the_crawl() -> None:
    place = Place(lambda: UsageError("the environment variable DB is not set on a worker"))
    crew = Crew(place, 1, lambda _: None)
    ended = list[str]()

    async def crawl() -> None:
        try:
            crew.begin()
            await asyncio.Event().wait()
        finally:
            ended.append("the crawl")

    with pytest.raises(UsageError, match="DB is not set"):
        await crew.working(crawl())
    assert ended == ["the crawl"]


async def test_workers_that_die_as_they_start_end_the_crawl_too() -> None:
    place = Place(dies)
    crew = Crew(place, 1, lambda _: None)

    async def crawl() -> None:
        crew.begin()
        await asyncio.Event().wait()

    with pytest.raises(WalkerError, match=r"workers die as they start \(signal 9\)"):
        await crew.working(crawl())
    assert place.started == QUICK_DEATHS


async def test_an_error_of_the_crawl_ends_the_workers() -> None:
    place = Place(works)
    crew = Crew(place, 3, lambda _: None)

    async def crawl() -> None:
        crew.begin()
        await until(lambda: place.working == 3)
        raise UsageError("the disk is full")

    with pytest.raises(UsageError, match="the disk is full"):
        await crew.working(crawl())
    assert (place.working, place.is_open) == (0, False)


async def test_a_place_that_cannot_be_reached_begins_no_crawl() -> None:
    class Away(Place):
        async def __aenter__(self) -> Place:
            raise WalkerError("no Ray cluster answers")

    async def crawl() -> None:
        raise AssertionError("it began")

    with pytest.raises(WalkerError, match="no Ray cluster answers"):
        await Crew(Away(), 1, lambda _: None).working(crawl())
