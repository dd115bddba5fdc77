"""A crawl job: frontier, pages, items and counter in one database, with one transaction per page.

Once a method has returned, its effect survives kill -9.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol, cast

import msgspec

from memory.near_duplicates import TextMark
from memory.url_key import key_of
from walker.crawl.job.frontier import Frontier, Row, WhyClosed, no_reason
from walker.crawl.job.job_base import JobBase
from walker.crawl.job.job_contents import JobContents
from walker.crawl.job.job_schema import (
    DONE,
    FAILED,
    KEEP_BRANCH,
    KEEP_SETTING,
    LEASED,
    REPETITION,
    RESTING,
    SKIPPED,
    STATE_NAMES,
    WAITING,
)
from walker.crawl.job.stored_pages import store_page, store_record
from walker.crawl.job_records import Arrived, BranchVerdict, CrawlItem, EarlierPage, Lease, NewPage, ReadPage

_JSON = msgspec.json.Encoder(order="deterministic")


class Committed(msgspec.Struct, frozen=True, kw_only=True):
    """The effect of a commit."""

    accepted: bool = True
    """False if the page had become an alias meanwhile (two URLs redirected to one page): nothing was stored."""
    pages: int = 0
    items: int = 0
    cut: int = 0
    """Number of waiting pages dropped with their branches."""
    why_cut: str = ""


class Judge(Protocol):
    """Decides which branches are cut, within the transaction of a page."""

    def weigh(self, arrived: Arrived) -> BranchVerdict:
        """The branch records that a page changes, and whether a branch is cut. Must not access the store. Raises nothing."""
        ...

    def why_closed(self, branch: str) -> str:
        """Why pages of a branch are not fetched, "" if they are."""
        ...

    def learn(self, branches: Iterable[bytes]) -> None:
        """Take in records of branches that others have written."""


class StoredJob:
    """An open job. Not thread-safe. `JobStore` is one in a file, `SharedJob` one in a database of many workers."""

    def __init__(self, folder: Path, base: JobBase, frontier: Frontier, *, quota: int = 0) -> None:
        """`folder` is for what is no row of a table; `quota` is the number of items to be found, 0 for no limit."""
        self.folder, self._quota = folder, quota
        self._base, self._frontier = base, frontier
        self.contents = JobContents(base)

    def close(self) -> None:
        """Let go of the job."""
        self._base.close()

    @property
    def counts(self) -> dict[str, int]:
        """Number of pages by state."""
        return dict(zip(STATE_NAMES, self._frontier.counts, strict=True))

    @property
    def waiting(self) -> int:
        """Number of pages to be fetched, now or later."""
        return self._frontier.counts[WAITING] + self._frontier.counts[RESTING]

    @property
    def in_flight(self) -> int:
        """Number of pages being fetched."""
        return self._frontier.counts[LEASED]

    @property
    def done(self) -> int:
        """Number of stored pages."""
        return self._frontier.counts[DONE]

    @property
    def items(self) -> int:
        """Number of distinct items."""
        return self._items

    @property
    def size(self) -> int:
        """Total bytes of all stored pages."""
        return self._size

    @property
    def is_full(self) -> bool:
        """Whether the quota of items is met."""
        return 0 < self._quota <= self._items

    @property
    def origins(self) -> dict[int, str]:
        """All origins, by row."""
        return self._frontier.origins

    def setting(self, name: str) -> str:
        """A setting of the job, "" if it is not set."""
        row = self._base.execute("SELECT value FROM job WHERE name = ?", (name,)).fetchone()
        return cast("str", row[0]) if row else ""

    def keep_setting(self, name: str, value: str) -> None:
        """Store a setting of the job."""
        self._base.execute(KEEP_SETTING, (name, value))

    @property
    def repetition(self) -> int:
        """Which crawl of the job this is, from 1."""
        return int(self.setting(REPETITION) or 1)

    def repeat(self) -> None:
        """Begin the next crawl of the job: what is stored becomes the record of the crawl before."""
        with self._transaction():
            self._frontier.earlier.begin()
            self._begin_numbers()
            self._read_numbers()

    def earlier(self, lease: Lease) -> EarlierPage | None:
        """The page as the crawl before has stored it, None if it is new."""
        return self._frontier.earlier.of(lease.id, lease.url)

    def is_stored(self, lease: Lease) -> bool:
        """Whether this crawl has stored the page already, and fetches it once more."""
        return self._base.execute("SELECT 1 FROM contents WHERE page = ?", (lease.id,)).fetchone() is not None

    def offer(
        self,
        pages: Sequence[NewPage],
        *,
        parent: int = 0,
        depth: int = 0,
        why_closed: WhyClosed = no_reason,
    ) -> int:
        """Add new pages to the frontier and return their number."""
        with self._transaction():
            return self._frontier.enter(pages, self._known(pages), parent, depth, why_closed)

    def lease(self, busy: frozenset[int] = frozenset(), *, now: float, most: int = 0) -> Lease | None:
        """Lease the next page in order, except of hosts in `busy`; None if there is none, or `most` pages are done or in flight
        already (0 for no limit)."""
        if not self._has_room(most):
            return None
        with self._transaction():
            return self._next(busy, now, most)

    def _has_room(self, most: int) -> bool:
        return not self.is_full and (most == 0 or most > self.done + self.in_flight)

    def _next(self, busy: frozenset[int], now: float, most: int) -> Lease | None:
        """The next page, within a transaction."""
        if not self._has_room(most):
            return None
        again = self._frontier.count_again() if most else 0
        if self._frontier.counts[RESTING]:
            self._frontier.wake(now)
        found = self._frontier.next_page(busy, most)
        if found is None:
            return None
        if most and most - self.done - self.in_flight <= again and not self._frontier.is_again(found[0]):
            # The remaining room is reserved for refetches.
            return None
        return self._frontier.take(*found)

    def reopen(self, urls: Iterable[str]) -> tuple[str, ...]:
        """Enqueue stored pages for a refetch, given by final URL; returns those still in flight, for which this must be repeated.
        The stored content is kept until the refetch."""
        with self._transaction():
            left = [url for url in urls if not self._frontier.reopen(key_of(url), url)]
        return tuple(left)

    def commit(
        self,
        lease: Lease,
        page: ReadPage,
        *,
        links: Sequence[NewPage] = (),
        items: Iterable[CrawlItem] = (),
        judge: Judge | None = None,
    ) -> Committed:
        """Store a page with its links, items and branch records, in one transaction."""
        with self._transaction():
            if not self._frontier.is_leased(lease):
                return Committed(accepted=False)
            if page.final_key != lease.key and not self._frontier.take_target(lease, page):
                return Committed(accepted=False)
            was_kept = self._keep_page(lease.id, page)
            self._frontier.settle(lease, DONE)
            new_items, elsewhere = self._keep_items(lease.id, items, anew=was_kept)
            store_record(self._base, lease.id, page.record, elsewhere)
            known = self._known(links)
            if judge is not None:
                judge.learn(self._branches_of_others())
            if judge is None or was_kept:
                # A refetched page was weighed already.
                closed = judge.why_closed if judge is not None else no_reason
                entered = self._frontier.enter(links, known, lease.id, lease.depth + 1, closed)
                return Committed(pages=entered, items=new_items)
            verdict = judge.weigh(_arrived(links, known, new_items))
            self._base.executemany(KEEP_BRANCH, [(one.name, one.facts) for one in verdict.changed])
            cut = 0
            if verdict.cut:
                cut, known = self._frontier.close_branches(judge.why_closed), self._known(links)
            entered = self._frontier.enter(links, known, lease.id, lease.depth + 1, judge.why_closed)
            if verdict.probe:
                self._frontier.bring_forward(verdict.probe)
            return Committed(pages=entered, items=new_items, cut=cut, why_cut=verdict.cut)

    def fail(self, lease: Lease, why: str) -> None:
        """Record that the page could not be fetched."""
        self._settle(lease, FAILED, why)

    def skip(self, lease: Lease, why: str) -> None:
        """Record that the page must not be fetched."""
        self._settle(lease, SKIPPED, why)

    def rest(self, lease: Lease, until: float, why: str, *, tried: bool = True) -> None:
        """Postpone the page to `until`, seconds since the epoch."""
        self._settle(lease, RESTING, why, not_before=until, tried=tried)

    def release(self, lease: Lease) -> None:
        """Return a leased page to the queue, as if it had not been leased."""
        self._settle(lease, WAITING, tried=False)

    def revoke(self, page: int, why: str) -> None:
        """Discard a stored page, given by row, that turned out not to be one."""
        with self._transaction():
            row = self._base.execute("SELECT state, host FROM pages WHERE id = ?", (page,)).fetchone()
            if row is not None and row[0] == DONE:
                self._base.execute("UPDATE pages SET state = ?, why = ? WHERE id = ?", (FAILED, why, page))
                self._base.execute("UPDATE contents SET same_as = 0 WHERE same_as = ?", (page,))
                self._frontier.count(DONE, FAILED, row[1])

    def _known(self, links: Sequence[NewPage]) -> dict[str, Row]:
        return self._frontier.known(links)

    def _settle(self, lease: Lease, state: int, why: str = "", *, not_before: float = 0.0, tried: bool = True) -> None:
        with self._transaction():
            if self._frontier.is_leased(lease):
                self._frontier.settle(lease, state, why, not_before=not_before, tried=tried)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._base.begin()
        try:
            self._see_others()
            yield
            self._tell_others()
            self._base.execute("COMMIT")
        finally:
            if self._base.in_transaction:
                self._base.execute("ROLLBACK")
                self._read_numbers()

    def marks_of_others(self) -> Iterable[tuple[int, TextMark]]:
        """(row, fingerprint) of pages that others have stored since this was last asked."""
        return ()

    def _branches_of_others(self) -> Iterable[bytes]:
        """Records of branches that others have written since this was last asked; within a transaction."""
        return ()

    def _see_others(self) -> None:
        """At the beginning of a transaction: take in what others have done to the job."""

    def _begin_numbers(self) -> None:
        """Set to nothing what is kept of numbers beside the rows themselves; within the transaction that makes the tables anew."""

    def _tell_others(self) -> None:
        """At the end of one: leave them what they need to know beside the rows themselves."""

    def _keep_page(self, row: int, page: ReadPage) -> bool:
        """Store the page; True if it was stored before."""
        before = store_page(self._base, row, page)
        self._size += (0 if page.record.not_modified else page.size) - (before or 0)
        return before is not None

    def _keep_items(self, page: int, items: Iterable[CrawlItem], *, anew: bool) -> tuple[int, list[CrawlItem]]:
        """The number of new items, and those that are not stored with this page."""
        kept, elsewhere = 0, []
        if anew:
            gone = self._base.execute("DELETE FROM items WHERE page = ?", (page,)).rowcount
            self._items -= gone
            kept -= gone
        for item in items:
            new = 0
            if not self.is_full:
                new = self._base.execute(
                    "INSERT INTO items (identity, page, fields) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                    (item.identity, page, _JSON.encode(item.fields)),
                ).rowcount
            if not new:
                elsewhere.append(item)
            kept += new
            self._items += new
        return kept, elsewhere

    def _read_numbers(self) -> None:
        self._frontier.read_numbers()
        self._items: int = self._base.execute("SELECT COUNT(*) FROM items").fetchone()[0]
        unasked = "SELECT page FROM records WHERE not_modified"
        self._size: int = self._base.execute(
            f"SELECT COALESCE(SUM(size), 0) FROM contents WHERE page NOT IN ({unasked})"
        ).fetchone()[0]


def _arrived(links: Sequence[NewPage], known: Collection[str], items: int) -> Arrived:
    return Arrived(
        new=tuple(link for link in links if link.key not in known),
        known=tuple(link for link in links if link.key in known),
        items=items,
    )
