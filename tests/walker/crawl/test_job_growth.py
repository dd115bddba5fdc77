"""A page of a large crawl costs the job's file what one of a small crawl does, counted in steps of SQLite's machine."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from walker.crawl.job.job_store import JobStore
from walker.crawl.job_records import Lease, NewPage, Order, ReadPage

HOME = "http://site.test"
FEW, MANY = 100, 5000
GROWTH = 1.5
"""Trees of an index become deeper by a level."""


class StepCounter:
    """Steps that SQLite's machine takes, of every connection that a job opens."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.taken = 0
        connect = sqlite3.connect

        def counted(path: Path, **options: Any) -> sqlite3.Connection:
            base: sqlite3.Connection = connect(path, **options)
            base.set_progress_handler(self._count, 1)
            return base

        monkeypatch.setattr(sqlite3, "connect", counted)

    def _count(self) -> int:
        self.taken += 1
        return 0

    def of(self, work: Callable[[], object]) -> int:
        """Steps of one piece of work."""
        before = self.taken
        work()
        return self.taken - before


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> StepCounter:
    return StepCounter(monkeypatch)


def pages(first: int, number: int) -> list[NewPage]:
    return [
        NewPage(url=f"{HOME}/{name}", key=f"{HOME}/{name}", origin=HOME, branch=f"/{name % 7}", score=name % 10 / 10)
        for name in range(first, first + number)
    ]


def read(lease: Lease) -> ReadPage:
    return ReadPage(final_url=lease.url, final_key=lease.key, final_origin=HOME, size=10)


@pytest.mark.parametrize("order", ["depth-first", "breadth-first", "best-first", "level-by-level"])
@pytest.mark.parametrize("limit", [0, 10 * MANY])
def test_pages_that_wait_do_not_make_a_page_dearer(
    steps: StepCounter, tmp_path: Path, order: Order, limit: int
) -> None:
    store = JobStore(tmp_path, order=order)
    costs: list[dict[str, int]] = []

    def lease(now: float = 0.0) -> Lease:
        taken = store.lease(now=now, most=limit)
        assert taken is not None
        return taken

    for waiting in (FEW, MANY):
        store.offer(pages(waiting, waiting))
        one, other = lease(), lease()
        cost = {"commit": steps.of(partial(store.commit, one, read(one), links=pages(one.id, 5)))}
        cost["rest"] = steps.of(partial(store.rest, other, 5.0, "HTTP 503"))
        store.reopen([one.url])
        cost["lease once more"] = steps.of(partial(lease, now=6.0))
        cost["lease"] = steps.of(lease)
        costs.append(cost)
    store.close()
    few, many = costs
    assert {work: (number, many[work]) for work, number in few.items() if many[work] > GROWTH * number} == {}
