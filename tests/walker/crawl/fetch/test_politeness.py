from __future__ import annotations

import asyncio
import heapq
from collections.abc import Coroutine, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from walker.crawl.fetch.politeness import ANSWERS_A_CHANGE, LONGEST_PAUSE_SECONDS, Pace
from walker.crawl.fetch.retrying import LONGEST_RETRY_AFTER_SECONDS, Retries, retry_after_seconds
from walker.crawl.fetch.user_agent import agent_of
from walker.crawl.script.polite import Polite

HOST = "example.org"


class Time:
    """A clock that stands still until everybody sleeps."""

    def __init__(self) -> None:
        self.now = 100.0
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self._count = 0

    def clock(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._count += 1
        heapq.heappush(self._sleepers, (self.now + seconds, self._count, future))
        await future

    async def run(self, *work: Coroutine[Any, Any, Any]) -> None:
        tasks = [asyncio.ensure_future(one) for one in work]
        while not all(task.done() for task in tasks):
            for _ in range(30):
                await asyncio.sleep(0)
            if self._sleepers:
                self.now, _, future = heapq.heappop(self._sleepers)
                if not future.done():
                    future.set_result(None)
        await asyncio.gather(*tasks)


class Host:
    """Fetches that take `seconds` each; notes when they began and how many ran at a time."""

    def __init__(self, time: Time, **polite: Any) -> None:
        self.time = time
        self.pace = Pace(Polite(**polite), clock=time.clock, sleep=time.sleep)
        self.starts: list[float] = []
        self.running = self.most = 0
        self.statuses: Iterator[tuple[int, float | None]] = iter(())

    async def fetch(self, seconds: float = 1.0, host: str = HOST) -> None:
        async with self.pace.slot(host):
            self.starts.append(round(self.time.now - 100, 3))
            self.running += 1
            self.most = max(self.most, self.running)
            await self.time.sleep(seconds)
            self.running -= 1
        self.pace.answered(host, *self._answer(seconds))

    def _answer(self, seconds: float) -> tuple[int, float, float | None]:
        status, retry_after = next(self.statuses, (200, None))
        return status, seconds, retry_after


async def test_a_host_is_asked_so_many_things_at_a_time() -> None:
    host = Host(Time(), per_host=3)
    await host.time.run(*(host.fetch(0.1) for _ in range(10)))
    assert host.most == 3
    assert host.starts == [0, 0, 0, 0.1, 0.1, 0.1, 0.2, 0.2, 0.2, 0.3]


async def test_hosts_do_not_wait_for_each_other() -> None:
    host = Host(Time(), per_host=1)
    await host.time.run(*(host.fetch(1, f"{number}.org") for number in range(5)))
    assert host.starts == [0] * 5


async def test_a_delay_lies_between_two_starts() -> None:
    host = Host(Time(), per_host=4, delay=0.5)
    await host.time.run(*(host.fetch(0.1) for _ in range(4)))
    assert host.starts == [0, 0.5, 1, 1.5]
    host.pace.ask_for_delay(HOST, 2)
    assert host.pace.next_free(HOST) == pytest.approx(0.4)
    await host.time.run(*(host.fetch(0.1) for _ in range(2)))
    assert host.starts[4:] == [2, 4]
    host.pace.ask_for_delay(HOST, 0.1)
    await host.time.run(*(host.fetch(0.1) for _ in range(2)))
    assert host.starts[6:] == [6, 6.5]


@pytest.mark.parametrize("status", [429, 503])
async def test_a_refusal_halves_the_window_once_and_pauses(status: int) -> None:
    host = Host(Time(), per_host=4)
    host.statuses = iter([(status, 30.0)] * 4)
    await host.time.run(*(host.fetch(1) for _ in range(8)))
    assert host.pace.window(HOST) == 2
    assert host.starts == [0, 0, 0, 0, 31, 31, 32, 32]


async def test_without_retry_after_pauses_double() -> None:
    host = Host(Time(), per_host=1)
    host.statuses = iter([(429, None)] * 4)
    await host.time.run(*(host.fetch(0) for _ in range(5)))
    assert host.starts == [0, 1, 3, 7, 15]


async def test_those_who_already_wait_heed_the_refusal_of_another() -> None:
    host = Host(Time(), per_host=4, delay=1)
    host.statuses = iter([(429, 100.0)])
    await host.time.run(*(host.fetch(0.5) for _ in range(4)))
    assert host.starts[0] == 0
    assert host.starts[1] >= 100.5
    assert [round(b - a, 3) for a, b in zip(host.starts[1:], host.starts[2:], strict=False)] == [1, 1]


async def test_a_host_that_refuses_one_at_a_time_gets_a_gap_that_shrinks() -> None:
    host = Host(Time(), per_host=1)
    host.statuses = iter([(429, 0.0)] * 3)
    await host.time.run(*(host.fetch(0.01) for _ in range(60)))
    gaps = [b - a for a, b in zip(host.starts, host.starts[1:], strict=False)]
    assert max(gaps) == pytest.approx(2)
    assert gaps[-1] < 0.1


async def test_the_window_recovers_slowly() -> None:
    host = Host(Time(), per_host=4)
    host.statuses = iter([(429, 1.0)] * 4)
    await host.time.run(*(host.fetch(0.1) for _ in range(4)))
    assert host.pace.window(HOST) == 2
    await host.time.run(*(host.fetch(0.1) for _ in range(ANSWERS_A_CHANGE)))
    assert host.pace.window(HOST) == 3
    await host.time.run(*(host.fetch(0.1) for _ in range(ANSWERS_A_CHANGE)))
    assert host.pace.window(HOST) == 4
    await host.time.run(*(host.fetch(0.1) for _ in range(50)))
    assert host.pace.window(HOST) == 4


async def test_a_server_that_serves_one_after_the_other_is_asked_less() -> None:
    """One second of work a page, no matter how many ask: eight at a time only wait for each other."""
    time = Time()
    host = Host(time, per_host=8)
    free_at = 100.0

    async def fetch() -> None:
        nonlocal free_at
        async with host.pace.slot(HOST):
            began = time.now
            free_at = max(free_at, began) + 1
            await time.sleep(free_at - began)
        host.pace.answered(HOST, 200, time.now - began)

    await time.run(*(fetch() for _ in range(200)))
    assert host.pace.window(HOST) <= 3
    assert time.now == 300


async def test_quick_answers_never_shrink_the_window() -> None:
    pace = Pace(Polite(per_host=4))
    for number in range(200):
        pace.answered(HOST, 200, 0.001 if number == 0 else 0.2)
    assert pace.window(HOST) == 4


async def test_who_gives_up_waiting_leaves_no_hole() -> None:
    host = Host(Time(), per_host=1, delay=5)
    first = asyncio.ensure_future(host.fetch(1))
    await asyncio.sleep(0)
    second, third = asyncio.ensure_future(host.fetch(1)), asyncio.ensure_future(host.fetch(1))
    await asyncio.sleep(0)
    second.cancel()
    await host.time.run(first, third)  # type: ignore[arg-type]
    assert host.starts == [0, 5]
    fourth = asyncio.ensure_future(host.fetch(1))
    for _ in range(5):
        await asyncio.sleep(0)
    fourth.cancel()  # while it waits for the delay
    await asyncio.sleep(0)
    await host.time.run(host.fetch(1))
    assert host.pace.next_free(HOST) > 0
    assert len(host.starts) == 3


async def test_when_a_host_is_free_next() -> None:
    time = Time()
    pace = Pace(Polite(per_host=1), clock=time.clock, sleep=time.sleep)
    assert pace.next_free() == pace.next_free(HOST) == 0
    async with pace.slot(HOST):
        assert pace.next_free(HOST) > 0
    pace.answered(HOST, 429, 1, 1e9)
    assert pace.next_free(HOST) == LONGEST_PAUSE_SECONDS
    pace.answered("other.org", 200, 1)
    assert pace.next_free() == 0


@pytest.mark.parametrize("problem", [429, 500, 503, 408, "timeout", "refused", "empty", "crashed"])
def test_what_may_pass_is_tried_again_with_longer_and_longer_waits(problem: int | str) -> None:
    retries = Retries(3, chance=lambda: 0.5)
    assert [retries.retry_in(problem, tries) for tries in (1, 2, 3, 4)] == [1, 2, 4, None]


@pytest.mark.parametrize(
    "problem", [200, 301, 400, 401, 403, 404, 410, 501, "unknown_host", "tls", "blocked_address", "download"]
)
def test_what_stays_is_not(problem: int | str) -> None:
    assert Retries(3).retry_in(problem, 1) is None


def test_chance_spreads_the_waits_and_retry_after_stands() -> None:
    assert Retries(20, chance=lambda: 0.0).retry_in(503, 1) == 0.5
    assert Retries(20, chance=lambda: 1.0).retry_in(503, 1) == 1.5
    assert Retries(20, chance=lambda: 0.5).retry_in(503, 20) == 120
    assert Retries(3).retry_in(503, 1, 77.0) == 77
    assert Retries(3).retry_in(503, 1, LONGEST_RETRY_AFTER_SECONDS + 1) is None
    assert Retries(0).retry_in(503, 1) is None


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("120", 120),
        (" 0 ", 0),
        ("1.5", 1.5),
        ("Sun, 09 Sep 2001 01:47:40 GMT", 60),
        ("Sunday, 09-Sep-01 01:47:40 GMT", 60),
        ("Sun Sep  9 01:47:40 2001", 60),
        ("Sun, 09 Sep 2001 01:00:00 GMT", 0),
        ("-5", None),
        ("soon", None),
        ("", None),
        ("٣", None),
        ("Sun, 99 Sep 2001 01:47:40 GMT", None),
    ],
)
def test_both_forms_of_retry_after_are_read(header: str, seconds: float | None) -> None:
    assert retry_after_seconds(header, now=1_000_000_000) == seconds


def test_a_crawl_says_who_it_is() -> None:
    assert agent_of(Polite(contact="ann@example.org")).endswith("; +ann@example.org)")
    assert "Walker/" in agent_of(Polite())
    assert agent_of(Polite(user_agent="Own/1")) == "Own/1"


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from([200, 404, 429, 503, 500, 0]), st.sampled_from([None, 0.0, 7.0])), max_size=30),
    st.integers(1, 5),
    st.sampled_from([0.0, 0.3, 2.0]),
    st.lists(st.sampled_from([0.0, 0.2, 1.0, 5.0]), min_size=1, max_size=25),
)
def test_whatever_a_host_answers_its_limits_hold_and_everybody_gets_a_turn(
    answers: list[tuple[int, float | None]], per_host: int, delay: float, work: list[float]
) -> None:
    async def crawl() -> Host:
        host = Host(Time(), per_host=per_host, delay=delay)
        host.statuses = iter(answers)
        await host.time.run(*(host.fetch(seconds) for seconds in work))
        return host

    host = asyncio.run(crawl())
    assert len(host.starts) == len(work)
    assert host.running == 0
    assert host.most <= per_host
    assert 1 <= host.pace.window(HOST) <= per_host
    assert all(later - earlier >= delay - 0.01 for earlier, later in zip(host.starts, host.starts[1:], strict=False))
