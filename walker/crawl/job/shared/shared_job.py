"""A crawl job in Postgres: many workers, on any machines, take its pages.

What changes the job as a whole is a transaction that holds the job's lock, so quota, limits and traps are judged over all
workers. Pages are leased without it. A worker that is gone, by its connection or its heartbeat, loses its leases to the others;
were it to come back, what it fetched for them is not accepted. Times are the server's: clocks of workers may differ.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from memory.near_duplicates import TextMark
from walker.crawl.errors import JobLocked
from walker.crawl.job.frontier import WhyClosed, no_reason
from walker.crawl.job.job_schema import LEASED, RESTING, STATE_NAMES
from walker.crawl.job.shared.heartbeat import DEAD_SECONDS, GONE_SECONDS, Heartbeat
from walker.crawl.job.shared.postgres_base import PostgresBase, without_password
from walker.crawl.job.shared.shared_frontier import SharedFrontier
from walker.crawl.job.shared.worker_report import WorkerReport
from walker.crawl.job.stored_job import Committed, Judge, StoredJob
from walker.crawl.job_records import CrawlItem, Lease, NewPage, Order, ReadPage

LOOK_SECONDS = 0.5
"""Seconds after which a worker that leases pages looks at the job's numbers again."""
ROUND_SECONDS = 3.0
"""Seconds after which it looks for workers that are gone, and for postponed pages that are due."""
_GONE = f"""
SELECT id FROM workers
WHERE id IN (SELECT worker FROM pages WHERE state = {LEASED} UNION SELECT worker FROM fetches) AND id <> ?
AND (beat_at < now() - ? * interval '1 second' OR beat_at < now() - ? * interval '1 second' AND NOT EXISTS (
    SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND classid = ? AND objid = workers.id
))
"""
"""Workers that have something in flight and are no more."""
_Result = TypeVar("_Result")


class SharedJob(StoredJob):
    """A worker's view of a job. Not thread-safe, but for its heartbeat."""

    _frontier: SharedFrontier
    _base: PostgresBase

    def __init__(
        self,
        folder: Path,
        address: str,
        *,
        order: Order = "depth-first",
        depth: int = 0,
        quota: int = 0,
        fresh: bool = False,
    ) -> None:
        """Join the job at an address (`postgresql://host/database?job=NAME`), or make it. `folder` is this worker's own, for what is
        no row of a table; `fresh` removes an earlier job first.

        Raises:
            BadJob: the server cannot be had, or the job is of another version.
        """
        folder.mkdir(parents=True, exist_ok=True)
        self._leased: set[int] = set()
        """Rows that this worker was told it has leased."""
        self._has_lost_answers = False
        base = PostgresBase(address)
        base.connected = self._came_back
        if fresh:
            try:
                _check_alone(base, "start it over")
            except JobLocked:
                base.close()
                raise
            base.drop()
        self.worker = self._join(base)
        """Number of this worker."""
        super().__init__(folder, base, SharedFrontier(base, lambda: self.worker, order=order, depth=depth), quota=quota)
        self._heart = Heartbeat(address, self.worker)
        self._branch_version = self._arrival = 0
        self._own: set[int] = set()
        """Rows that this worker stored since it last asked what others did."""
        self._looked = self._went_round = float("-inf")
        self._later = self._clock_difference()
        self._read_numbers()
        # Whoever reads pages loads what is stored so far at its start, and is told what comes then.
        self._arrival, self._branch_version = self._base.execute(
            "SELECT (SELECT COALESCE(MAX(arrival), 0) FROM contents), (SELECT COALESCE(MAX(version), 0) FROM branches)"
        ).fetchone()

    def close(self) -> None:
        """Leave the job: what this worker has in flight is returned to the queue. May be called again."""
        self._heart.stop()
        with suppress(Exception), self._transaction():
            self._frontier.take_back_from([self.worker])
            self._base.execute("DELETE FROM fetches WHERE worker = ?", (self.worker,))
            self._base.execute(
                "UPDATE workers SET beat_at = '-infinity', left_at = clock_timestamp() WHERE id = ?", (self.worker,)
            )
        super().close()

    def report_from(self, take: Callable[[], WorkerReport]) -> None:
        """Tell the job every few seconds what this worker did, for those who look at the fleet. `take` gives what was done since it
        was last called, and is called in another thread."""
        self._heart.take_report = take

    def repeat(self) -> None:
        """As in `StoredJob`. Raises `JobLocked` while other workers are on the job."""
        _check_alone(self._base, "crawl it again", but=self.worker)
        super().repeat()
        self._arrival = 0  # the pages of a repetition are numbered anew

    def offer(
        self, pages: Sequence[NewPage], *, parent: int = 0, depth: int = 0, why_closed: WhyClosed = no_reason
    ) -> int:
        """As in `StoredJob`."""
        return self._again(
            lambda: super(SharedJob, self).offer(pages, parent=parent, depth=depth, why_closed=why_closed)
        )

    def lease(self, busy: frozenset[int] = frozenset(), *, now: float, most: int = 0) -> Lease | None:
        """As in `StoredJob`; without a limit of pages no worker waits for another."""
        lease = self._again(lambda: self._lease(busy, now + self._later, most))
        if lease is not None:
            self._leased.add(lease.id)
        return lease

    def reopen(self, urls: Iterable[str]) -> tuple[str, ...]:
        """As in `StoredJob`."""
        held = tuple(urls)
        return self._again(lambda: super(SharedJob, self).reopen(held))

    def commit(
        self,
        lease: Lease,
        page: ReadPage,
        *,
        links: Sequence[NewPage] = (),
        items: Iterable[CrawlItem] = (),
        judge: Judge | None = None,
    ) -> Committed:
        """As in `StoredJob`. Not accepted too where the page was given to another worker, since this one seemed to be gone."""
        held = tuple(items)
        done = self._again(lambda: super(SharedJob, self).commit(lease, page, links=links, items=held, judge=judge))
        self._leased.discard(lease.id)
        if done.accepted:
            self._own.add(lease.id)
        return done

    def rest(self, lease: Lease, until: float, why: str, *, tried: bool = True) -> None:
        """As in `StoredJob`; `until` by this worker's clock."""
        super().rest(lease, until + self._later, why, tried=tried)

    def revoke(self, page: int, why: str) -> None:
        """As in `StoredJob`."""
        self._again(lambda: super(SharedJob, self).revoke(page, why))

    def begin_fetch(self, host: str, most: int, gap: float, *, turn: int = 0) -> float:
        """Begin a fetch from a host, of which all workers together have `most` at once, and none within `gap` seconds of another: 0 if
        it may begin, else the seconds to wait before this is asked again. `turn` is this worker's own number of it: one that is under
        way has begun already."""
        given = (host, self.worker, turn, most, float(gap))
        wait = float(self._base.execute("SELECT begin_fetch(?, ?, ?, ?, ?)", given).fetchone()[0])
        if wait:
            # What is waited for may be a worker's that is gone, and nobody leases while all wait.
            self._again(lambda: self._go_round_if_due(time.time() + self._later))
        return wait

    def end_fetch(self, host: str, *, turn: int = 0) -> None:
        """End a fetch that has begun."""
        self._base.execute(
            "DELETE FROM fetches WHERE worker = ? AND origin = ? AND turn = ?", (self.worker, host, turn)
        )

    def pause_host(self, host: str, seconds: float) -> None:
        """Let no worker begin a fetch from a host for a while."""
        self._base.execute(
            "UPDATE paces SET paused_until = GREATEST(paused_until, clock_timestamp() + ? * interval '1 second') WHERE origin = ?",
            (float(seconds), host),
        )

    def robots_text(self, url: str) -> tuple[int, str] | None:
        """Status and text of a robots.txt that a worker has read within a day, None for none."""
        row = self._base.execute(
            "SELECT status, text FROM robots WHERE url = ? AND read_at > now() - interval '1 day'", (url,)
        ).fetchone()
        return (int(row[0]), str(row[1])) if row is not None else None

    def keep_robots_text(self, url: str, status: int, text: str) -> None:
        """Keep a robots.txt for the other workers."""
        self._base.execute(
            "INSERT INTO robots (url, status, text) VALUES (?, ?, ?) "
            "ON CONFLICT (url) DO UPDATE SET status = excluded.status, text = excluded.text, read_at = now()",
            (url, status, text),
        )

    def marks_of_others(self) -> Iterator[tuple[int, TextMark]]:
        """(row, fingerprint) of pages that others have stored since this was last asked."""
        rows = self._base.execute(
            "SELECT arrival, page, fingerprint, details, sketch, text_size FROM contents "
            "WHERE arrival > ? AND same_as = 0 AND fingerprint <> 0 ORDER BY arrival",
            (self._arrival,),
        ).fetchall()
        for arrival, page, fingerprint, details, sketch, size in rows:
            self._arrival = arrival
            if page in self._own:
                continue
            yield page, TextMark(fingerprint=fingerprint % (1 << 64), details=details, sketch=sketch, size=size)
        self._own.clear()

    def _branches_of_others(self) -> list[bytes]:
        rows = self._base.execute(
            "SELECT version, facts FROM branches WHERE version > ? ORDER BY version", (self._branch_version,)
        ).fetchall()
        self._branch_version = rows[-1][0] if rows else self._branch_version
        return [facts for _, facts in rows]

    def _join(self, base: PostgresBase) -> int:
        (worker,) = base.execute(
            "INSERT INTO workers (name) VALUES (?) RETURNING id", (f"{socket.gethostname()}:{os.getpid()}",)
        ).fetchone()
        base.execute("INSERT INTO tallies VALUES (?, ?, 0, 0)", (worker, [0] * len(STATE_NAMES)))
        return int(worker)

    def _again(self, run: Callable[[], _Result]) -> _Result:
        return self._base.again_if_away(run)

    def _settle(self, lease: Lease, state: int, why: str = "", *, not_before: float = 0.0, tried: bool = True) -> None:
        self._again(lambda: super(SharedJob, self)._settle(lease, state, why, not_before=not_before, tried=tried))
        self._leased.discard(lease.id)

    def _came_back(self) -> None:
        self._has_lost_answers = True

    def _return_unheard(self) -> None:
        """Return pages to the queue that were leased to this worker, and of which the answer was lost with a connection."""
        with self._transaction():
            self._frontier.take_back_from([self.worker], but=self._leased)
        self._has_lost_answers = False

    def _lease(self, busy: frozenset[int], now: float, most: int) -> Lease | None:
        if self._has_lost_answers:
            self._return_unheard()
        moment = time.monotonic()
        self._go_round_if_due(now)
        if most or self._frontier.has_levels:
            with self._transaction():
                return self._next(busy, now, most)
        if self.is_full:
            return None
        lease = self._frontier.take_quickly(busy)
        if lease is None or moment > self._looked + LOOK_SECONDS:
            self._read_totals()
            self._looked = moment
        if lease is None and self._frontier.counts[RESTING]:
            with self._transaction():
                self._frontier.wake(now)
            lease = self._frontier.take_quickly(busy)
        return lease

    def _go_round_if_due(self, now: float) -> None:
        moment = time.monotonic()
        if moment > self._went_round + ROUND_SECONDS:
            self._go_round(now)
            self._went_round = moment

    def _go_round(self, now: float) -> None:
        """Return pages of workers that are gone, and postponed ones that are due, to the queue."""
        self._later = self._clock_difference()
        gone = [
            worker
            for (worker,) in self._base.execute(
                _GONE,
                (self.worker, DEAD_SECONDS, GONE_SECONDS, self._base.key),
            ).fetchall()
        ]
        if not gone and not self._frontier.counts[RESTING]:
            return
        with self._transaction():
            if gone:
                self._frontier.take_back_from(gone)
                self._base.executemany("DELETE FROM fetches WHERE worker = ?", [(worker,) for worker in gone])
            self._frontier.wake(now)

    def _clock_difference(self) -> float:
        """Seconds that the server's clock is ahead of this one's."""
        (there,) = self._base.execute("SELECT EXTRACT(EPOCH FROM clock_timestamp())::double precision").fetchone()
        return float(there) - time.time()

    def _see_others(self) -> None:
        self._read_totals()
        self._held = (self._items, self._size)

    def _begin_numbers(self) -> None:
        none = [0] * len(STATE_NAMES)
        self._base.execute("UPDATE tallies SET states = ?::bigint[], items = 0, bytes = 0", (none,))

    def _tell_others(self) -> None:
        changes = self._frontier.changes()
        items, size = self._items - self._held[0], self._size - self._held[1]
        if any(changes) or items or size:
            states = ", ".join(f"states[{place + 1}] + ?" for place in range(len(changes)))
            self._base.execute(
                f"UPDATE tallies SET states = ARRAY[{states}], items = items + ?, bytes = bytes + ? WHERE worker = ?",
                (*changes, items, size, self.worker),
            )

    def _read_totals(self) -> None:
        self._items, self._size = self._frontier.refresh()

    def _read_numbers(self) -> None:
        self._frontier.read_numbers()
        self._see_others()


def _check_alone(base: PostgresBase, what: str, *, but: int = 0) -> None:
    """Raise `JobLocked` if other workers are on the job now."""
    (others,) = base.execute(
        "SELECT COUNT(*) FROM workers WHERE id <> ? AND beat_at > now() - ? * interval '1 second'", (but, DEAD_SECONDS)
    ).fetchone()
    if others:
        raise JobLocked(
            f"{others} worker{'s are' if others > 1 else ' is'} on the job",
            where=without_password(base.address),
            advice=f"Stop them, then {what}; one that was killed is forgotten after {DEAD_SECONDS:.0f} s",
        )
