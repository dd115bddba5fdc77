"""The frontier of a job that many workers take pages from."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from walker.crawl.job.frontier import Frontier, Row
from walker.crawl.job.job_base import JobBase
from walker.crawl.job.job_schema import LEASED, STATE_NAMES, WAITING
from walker.crawl.job_records import Lease, NewPage, Order

FRONT = 32
"""Waiting pages, the first in order, among which one of a host that is due is looked for."""
HOSTS_TRIED = 8
"""Hosts that are tried after that, wherever their pages stand in the order."""
_TAKEN = "SELECT * FROM lease_page(?, ?::bigint[], ?, ?, ?)"
"""The next page, taken, and the worker's own tally, in one journey."""
_KNOWN = """
SELECT asked.key, found.id, found.depth, found.state, found.host
FROM unnest(?::text[], ?::text[]) AS asked (key, origin) JOIN hosts ON hosts.origin = asked.origin
CROSS JOIN LATERAL (SELECT id, depth, state, host FROM pages WHERE host = hosts.id AND pages.key = asked.key OFFSET 0) AS found
"""
"""Each is looked for in the part of its host only; the offset keeps the server from joining the tables otherwise."""
_NEW = """
INSERT INTO pages (id, key, url, state, host, place, depth, parent, branch, label, why) SELECT * FROM unnest(?::bigint[],
    ?::text[], ?::text[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::text[], ?::text[], ?::text[])
"""
"""All new rows in one statement, which finds the parts once."""
_NUMBERS = """
SELECT (SELECT COALESCE(MAX(id), 0) FROM pages), COALESCE(SUM(items), 0), COALESCE(SUM(bytes), 0), {states} FROM tallies
"""


class SharedFrontier(Frontier):
    """Of one worker. Its numbers are those of the job when it last looked (`refresh`)."""

    def __init__(self, base: JobBase, worker: Callable[[], int], *, order: Order, depth: int) -> None:
        super().__init__(base, order=order, depth=depth)
        self._worker = worker
        self._seen = [0] * len(STATE_NAMES)
        """The numbers by state when it last looked."""
        self._rounds = 0

    def refresh(self) -> tuple[int, int]:
        """Look at the numbers of the job; the number of its items and of its bytes. Exact within a transaction."""
        self._new = []  # of a transaction that the server did not live to see the end of
        states = ", ".join(f"COALESCE(SUM(states[{place + 1}]), 0)" for place in range(len(STATE_NAMES)))
        last_row, items, size, *counts = self._base.execute(_NUMBERS.format(states=states)).fetchone()
        self.counts, self._seen = [int(count) for count in counts], [int(count) for count in counts]
        self._entered = sum(self.counts)
        self._last_row = max(int(last_row), self.earlier.last_row)
        if self._levels is not None:
            self._levels.read_numbers()
        return int(items), int(size)

    def read_numbers(self) -> None:
        """Look at everything anew: at the start, and after a rollback."""
        self.earlier.read_numbers()
        self.origins = dict(self._base.execute("SELECT id, origin FROM hosts").fetchall())
        self._hosts = {origin: host for host, origin in self.origins.items()}
        self.refresh()

    def changes(self) -> list[int]:
        """By how much the numbers by state have changed since it last looked."""
        return [now - before for now, before in zip(self.counts, self._seen, strict=True)]

    def known(self, pages: Sequence[NewPage]) -> dict[str, Row]:
        """Existing rows of these pages, by key."""
        if not pages:
            return {}
        asked = ([page.key for page in pages], [page.origin for page in pages])
        rows = self._base.execute(_KNOWN, asked).fetchall()
        return {key: (row, depth, state, host) for key, row, depth, state, host in rows}

    def _write_new(self) -> None:
        if self._new:
            self._base.execute(_NEW, tuple(list(column) for column in zip(*self._new, strict=True)))
        self._new = []

    def take_back(self) -> None:
        """Nothing: what a worker had that is no more is returned by `take_back_from`, with the tallies."""

    def take_back_from(self, workers: list[int], *, but: Collection[int] = ()) -> int:
        """Return the pages that these workers had in flight to the queue, `but` some, within a transaction; their number."""
        rows = self._base.execute(
            f"UPDATE pages SET state = {WAITING}, worker = 0 WHERE state = {LEASED} AND worker = ANY (?::bigint[])"
            " AND id <> ALL (?::bigint[]) RETURNING host",
            (workers, sorted(but)),
        ).fetchall()
        for (host,) in rows:
            self.count(LEASED, WAITING, host)
        return len(rows)

    def take_quickly(self, busy: frozenset[int]) -> Lease | None:
        """The next page in order, marked as in flight, without a transaction of its own."""
        row = self._base.execute(_TAKEN, (self._worker(), *self._choice(busy))).fetchone()
        if row is None:
            return None
        page, url, key, depth, tries, parent, branch, host = row
        self.count(WAITING, LEASED, host)
        self._seen[WAITING] -= 1
        self._seen[LEASED] += 1
        return Lease(id=page, url=url, key=key, depth=depth, tries=tries - 1, parent=parent, branch=branch, host=host)

    def take(self, page: int, host: int) -> Lease:
        """Mark a page as in flight with this worker."""
        lease = super().take(page, host)
        self._base.execute("UPDATE pages SET worker = ? WHERE id = ? AND host = ?", (self._worker(), page, host))
        return lease

    def is_leased(self, lease: Lease) -> bool:
        """Whether the page is still in flight with this worker, and was not taken back meanwhile."""
        row = self._base.execute(
            "SELECT state, worker, tries FROM pages WHERE id = ? AND host = ?", (lease.id, lease.host)
        ).fetchone()
        return bool(row == (LEASED, self._worker(), lease.tries + 1))

    def count(self, before: int | None, after: int, host: int) -> None:  # noqa: ARG002 - hosts are not counted here
        """Update the counters for a page that changed its state."""
        if before is not None:
            self.counts[before] -= 1
        self.counts[after] += 1

    def _first_waiting(self, busy: frozenset[int]) -> tuple[int, int, int] | None:
        if not self.has_levels:
            chosen = self._base.execute("SELECT page_to_lease(?::bigint[], ?, ?, ?)", self._choice(busy)).fetchone()[0]
            which, values = "id = ? AND host = ?", tuple(chosen or (0, 0))
        else:
            which, values = f"state = {WAITING} AND host <> ALL (?::bigint[])", (sorted(busy),)
        found = self._base.execute(
            f"SELECT place, id, host FROM pages WHERE {which} ORDER BY place, id LIMIT 1 FOR UPDATE SKIP LOCKED", values
        ).fetchone()
        return (int(found[0]), int(found[1]), int(found[2])) if found is not None else None

    def _choice(self, busy: frozenset[int]) -> tuple[object, ...]:
        """What `page_to_lease` chooses by: each worker begins the round of hosts elsewhere, and goes on."""
        self._rounds += HOSTS_TRIED
        begins = (self._worker() * 7919 + self._rounds) % max(1, len(self.origins))
        return sorted(busy), begins, FRONT, HOSTS_TRIED

    @property
    def has_levels(self) -> bool:
        """Whether each depth has its share, which is worked out anew for every page."""
        return self._levels is not None
