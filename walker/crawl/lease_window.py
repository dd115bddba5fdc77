"""The pages that a crawl has leased, in the order in which it leased them: they are fetched side by side, and settled one by one.

What a page adds to the frontier, and whether its branch is cut, follows from the pages settled before it. Settled as they arrive,
two equal crawls would differ by what the network did; settled in the order of their leases, they come to the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from walker.crawl.job_records import Lease

AHEAD = 3
"""Pages leased for each that is fetched at a time, so that one which takes longer holds nobody up. Of four workers at exponential
times a page, 57 % would work with 1, 83 % with 2, 94 % with 3; more would lease further into branches that are about to be cut."""
SETTLED_FOR_ONE = 4
"""Settled pages after which one more is leased ahead: what comes next depends on each of the first pages, and a crawl of ten pages
in depth would take the first ten links."""
PATIENCE_SECONDS = 2.0
"""Seconds for which workers stand idle until a page that holds them up loses its turn: it is settled when it arrives."""

T = TypeVar("T")


class LeaseWindow(Generic[T]):
    """Leases, and what came of those that have arrived, a `T` each. Pure but for the order of the calls."""

    def __init__(self, concurrency: int, per_host: int) -> None:
        self._concurrency, self._per_host = concurrency, per_host
        self._settled = 0
        self._waiting: dict[int, Lease] = {}
        """By row; leased, and not being fetched yet."""
        self._turns: dict[int, Lease] = {}
        """All that have a turn, in its order."""
        self._late: set[int] = set()
        """Rows without a turn, because they held up the others."""
        self._arrived: dict[int, tuple[Lease, T]] = {}
        self._flying: dict[int, int] = {}
        """Number of pages being fetched, by host."""
        self._held_up = (0, 0.0)
        """The row that was waited for last, and since when."""

    @property
    def is_full(self) -> bool:
        """Whether no further page is to be leased now."""
        return len(self._turns) >= self._width

    @property
    def _width(self) -> int:
        if self._concurrency == 1:
            return 1
        return min(AHEAD * self._concurrency, self._concurrency + self._settled // SETTLED_FOR_ONE)

    def busy_hosts(self) -> frozenset[int]:
        """Hosts of which no further page is to be leased now."""
        counts: dict[int, int] = {}
        for lease in self._turns.values():
            counts[lease.host] = counts.get(lease.host, 0) + 1
        most = max(self._per_host, self._per_host * self._width // self._concurrency)
        return frozenset(host for host, count in counts.items() if count >= most)

    def add(self, lease: Lease) -> None:
        """A page was leased."""
        self._turns[lease.id] = self._waiting[lease.id] = lease

    def start(self) -> Lease | None:
        """The next page to fetch, None where there is none, or its host has enough to do."""
        for lease in self._waiting.values():
            if self._flying.get(lease.host, 0) < self._per_host:
                del self._waiting[lease.id]
                self._flying[lease.host] = self._flying.get(lease.host, 0) + 1
                return lease
        return None

    def land(self, lease: Lease) -> None:
        """The page is not being fetched any more."""
        self._flying[lease.host] -= 1

    def arrive(self, lease: Lease, outcome: T) -> bool:
        """The page has come to this; False where others have to be settled before it."""
        self._arrived[lease.id] = lease, outcome
        return lease.id in self._late or lease.id == next(iter(self._turns), 0)

    def settled(self) -> Iterator[tuple[Lease, T]]:
        """Takes out what can be settled now, one by one; what arrives meanwhile too."""
        while (row := self._due()) is not None:
            self._late.discard(row)
            self._turns.pop(row, None)
            self._settled += 1
            yield self._arrived.pop(row)

    def give_back(self, release: Callable[[Lease], None]) -> None:
        """Release all that nobody fetches yet."""
        for row, lease in self._waiting.items():
            del self._turns[row]
            release(lease)
        self._waiting.clear()

    def pass_over(self, now: float) -> bool:
        """Called by an idle worker; True if a page has just lost its turn, so that others can be settled. `now` in seconds."""
        first = next(iter(self._turns), 0)
        if not first or first in self._waiting or first in self._arrived or not self._arrived:
            self._held_up = (0, now)
        elif self._held_up[0] != first:
            self._held_up = (first, now)
        elif now - self._held_up[1] >= PATIENCE_SECONDS:
            del self._turns[first]
            self._late.add(first)
            return True
        return False

    def _due(self) -> int | None:
        first = next(iter(self._turns), 0)
        if first in self._arrived:
            return first
        return next((row for row in self._late if row in self._arrived), None)
