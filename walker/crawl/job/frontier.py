"""The frontier of a job: states and order of its pages. Runs inside the store's transactions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from walker.crawl.job.earlier_pages import EarlierPages
from walker.crawl.job.job_base import JobBase
from walker.crawl.job.job_schema import (
    AGAIN,
    ALIAS,
    CUT,
    DONE,
    LEASED,
    NEVER_AGAIN,
    RESTING,
    SKIPPED,
    STATE_NAMES,
    WAITING,
    WAITS_AGAIN,
)
from walker.crawl.job.levels import A_LEVEL, BEYOND_SHARE, Levels, place_in_level
from walker.crawl.job_records import Lease, NewPage, Order, ReadPage

Row = tuple[int, int, int, int]
"""A known page: row id, depth, state and host."""
WhyClosed = Callable[[str], str]
"""Branch -> why its pages are not fetched, "" if they are."""


def no_reason(branch: str) -> str:  # noqa: ARG001
    """The default: every branch is open."""
    return ""


LINKS_A_PAGE = 1 << 20
"""Range of order positions for the links of one page, between its own position and the next page's."""
ONCE_MORE = "was read over HTTP, and is to be read once more: another of its kind differs in a browser"
BEYOND_DEPTH = "beyond the depth limit"


class Frontier:
    """The table of pages. Counters that are needed for every page (waiting, done) are cached in memory."""

    def __init__(self, base: JobBase, *, order: Order, depth: int) -> None:
        self._base, self._order, self._depth = base, order, depth
        self.earlier = EarlierPages(base)
        self._levels = Levels(base, depth) if order == "level-by-level" else None
        self._entered = 0
        """Number of pages so far, which orders the lists of links."""
        self._new: list[tuple[object, ...]] = []
        """Rows that are still to be written."""
        self._last_row = 0
        self.counts = [0] * len(STATE_NAMES)
        self.waiting_by_host: dict[int, int] = {}
        self.origins: dict[int, str] = {}
        self._hosts: dict[str, int] = {}

    def read_numbers(self) -> None:
        """Reload the counters: at the start, and after a rollback."""
        self._new = []
        self.counts = [0] * len(STATE_NAMES)
        for state, number in self._base.execute("SELECT state, COUNT(*) FROM pages GROUP BY state"):
            self.counts[state] = number
        self.waiting_by_host = dict(
            self._base.execute(f"SELECT host, COUNT(*) FROM pages WHERE state = {WAITING} GROUP BY host").fetchall()
        )
        self.origins = dict(self._base.execute("SELECT id, origin FROM hosts").fetchall())
        self._hosts = {origin: host for host, origin in self.origins.items()}
        self._entered = sum(self.counts)
        self.earlier.read_numbers()
        last_row = self._base.execute("SELECT COALESCE(MAX(id), 0) FROM pages").fetchone()[0]
        self._last_row = max(last_row, self.earlier.last_row)
        if self._levels is not None:
            self._levels.read_numbers()

    def take_back(self) -> None:
        """Return pages that an earlier process had in flight to the queue; their tries are kept, so that a page that crashes the
        process is eventually given up."""
        self._base.execute("UPDATE pages SET state = ? WHERE state = ?", (WAITING, LEASED))

    def next_page(self, busy: frozenset[int], most: int = 0) -> tuple[int, int] | None:
        """Row and host of the first page in order, except of hosts in `busy`. `most`: page limit of the crawl, 0 for none; with a
        level order, pages beyond their level's share are skipped."""
        if self._levels is not None and not self._open_level(self._levels, most):
            return None
        best = self._first_waiting(busy)
        return best[1:] if best is not None else None

    def _open_level(self, levels: Levels, most: int) -> bool:
        """Whether the first page in order may be fetched; levels that used up their share are closed."""
        while True:
            first = self._first_waiting(frozenset())
            if first is None:
                if not levels.begins_round(most):
                    return False
                freed = self._base.execute(
                    f"UPDATE pages SET state = {WAITING}, why = '' WHERE state = ? AND why = ? RETURNING host",
                    (SKIPPED, BEYOND_SHARE),
                )
                for (host,) in freed.fetchall():
                    self.count(SKIPPED, WAITING, host)
                continue
            level = first[0] // A_LEVEL
            standing = levels.standing(level, most)
            if standing != "closed":
                return standing == "open"
            closed = self._base.execute(
                f"UPDATE pages SET state = ?, why = ? WHERE state = {WAITING} AND place < ? RETURNING host",
                (SKIPPED, BEYOND_SHARE, (level + 1) * A_LEVEL),
            )
            for (host,) in closed.fetchall():
                self.count(WAITING, SKIPPED, host)

    def _first_waiting(self, busy: frozenset[int]) -> tuple[int, int, int] | None:
        """Order position, row and host of the first page in order, except of hosts in `busy`."""
        best: tuple[int, int, int] | None = None
        for host, waiting in self.waiting_by_host.items():
            if waiting <= 0 or host in busy:
                continue
            place, page = self._base.execute(
                f"SELECT place, id FROM pages WHERE state = {WAITING} AND host = ? ORDER BY place LIMIT 1", (host,)
            ).fetchone()
            if best is None or (place, page) < best[:2]:
                best = (place, page, host)
        return best

    def take(self, page: int, host: int) -> Lease:
        """Mark a page as in flight."""
        row = self._base.execute(
            "UPDATE pages SET state = ?, tries = tries + 1 WHERE id = ? AND host = ? "
            "RETURNING url, key, depth, tries, parent, branch",
            (LEASED, page, host),
        ).fetchone()
        self.count(WAITING, LEASED, host)
        url, key, depth, tries, parent, branch = row
        if self._levels is not None:
            self._levels.count(depth, 1)
        return Lease(id=page, url=url, key=key, depth=depth, tries=tries - 1, parent=parent, branch=branch, host=host)

    def is_leased(self, lease: Lease) -> bool:
        """Whether the page is still in flight."""
        row = self._base.execute("SELECT state FROM pages WHERE id = ? AND host = ?", (lease.id, lease.host)).fetchone()
        return row is not None and row[0] == LEASED

    def settle(self, lease: Lease, state: int, why: str = "", *, not_before: float = 0.0, tried: bool = True) -> None:
        """Set the new state of a page in flight."""
        self._base.execute(
            "UPDATE pages SET state = ?, why = ?, not_before = ?, tries = tries - ? WHERE id = ? AND host = ?",
            (state, why, not_before, 0 if tried else 1, lease.id, lease.host),
        )
        self.count(LEASED, state, lease.host)
        if self._levels is not None and state != DONE:
            self._levels.count(lease.depth, -1)

    def take_target(self, lease: Lease, page: ReadPage) -> bool:
        """Handle a redirect to another URL; True if the content is new, which completes the target too. The target's own row
        becomes an alias of this one, or the reverse, whichever was read first."""
        row = self._base.execute(
            "SELECT id, state, host, why, parent FROM pages WHERE key = ?", (page.final_key,)
        ).fetchone()
        if row is None:
            self._insert(
                NewPage(url=page.final_url, key=page.final_key, origin=page.final_origin), ALIAS, lease.id, lease.depth
            )
            self._write_new()
            return True
        other, state, host, why, parent = row
        if state == ALIAS and (why == lease.url or (not why and parent == lease.id)):
            # The page is being refetched.
            return True
        if state in (DONE, ALIAS):
            self.settle(lease, ALIAS, page.final_url)
            return False
        self._base.execute(
            "UPDATE pages SET state = ?, why = ? WHERE id = ? AND host = ?", (ALIAS, lease.url, other, host)
        )
        self.count(state, ALIAS, host)
        return True

    def enter(
        self,
        pages: Sequence[NewPage],
        known: dict[str, Row],
        parent: int,
        depth: int,
        why_closed: WhyClosed = no_reason,
    ) -> int:
        """Enqueue new pages and return their number. `known` has the existing rows of these pages, and gets the new ones. Pages
        beyond the depth limit are stored and enqueued when a shorter path is found; those of a closed branch when an open branch
        links to them."""
        entered = 0
        before = self._entered
        edges: list[tuple[int, int]] = []
        for number, page in enumerate(pages):
            place = self._place(page, depth, before, number)
            why = why_closed(page.branch)
            row = known.get(page.key)
            if row is None:
                beyond = 0 < self._depth < depth
                state, why = (SKIPPED, BEYOND_DEPTH) if beyond else (CUT, why) if why else (WAITING, "")
                child = self._insert(page, state, parent, depth, place=place, why=why)
                known[page.key] = (child, depth, state, self._host(page.origin))
                entered += state == WAITING
            else:
                child, known_depth, state, host = row
                if self._depth and depth < known_depth:
                    self._write_new()
                    self._bring_nearer(child, depth)
                if state == CUT and not why:
                    self._write_new()
                    self._base.execute(
                        f"UPDATE pages SET state = {WAITING}, why = '', branch = ?, place = ? WHERE id = ? AND host = ?",
                        (page.branch, place, child, host),
                    )
                    self.count(CUT, WAITING, host)
                    known[page.key] = (child, known_depth, WAITING, host)
                    entered += 1
                elif state == WAITING and self._levels is not None:
                    self._write_new()
                    self._base.execute(
                        "UPDATE pages SET place = ? WHERE id = ? AND host = ? AND place > ?",
                        (place, child, host, place),
                    )
            if self._depth and parent:
                edges.append((parent, child))
        self._write_new()
        self._base.executemany("INSERT INTO edges VALUES (?, ?) ON CONFLICT DO NOTHING", edges)
        return entered

    def wake(self, now: float) -> None:
        """Enqueue postponed pages that are due."""
        rows = self._base.execute(
            f"UPDATE pages SET state = {WAITING} WHERE state = ? AND not_before <= ? RETURNING host", (RESTING, now)
        ).fetchall()
        for (host,) in rows:
            self.count(RESTING, WAITING, host)

    def close_branches(self, why_closed: WhyClosed) -> int:
        """Drop waiting pages of closed branches and return their number."""
        given_up = 0
        for (branch,) in self._base.execute(f"SELECT DISTINCT branch FROM pages WHERE state = {WAITING}").fetchall():
            if why := why_closed(branch):
                rows = self._base.execute(
                    f"UPDATE pages SET state = ?, why = ? WHERE state = {WAITING} AND branch = ? AND place > ? RETURNING host",
                    (CUT, why, branch, NEVER_AGAIN),
                ).fetchall()
                for (host,) in rows:
                    self.count(WAITING, CUT, host)
                given_up += len(rows)
        return given_up

    def reopen(self, key: str, url: str) -> bool:
        """Enqueue a stored page again, ahead of all others. False if it is still in flight, so that nothing is known yet; pages
        that are not stored are unchanged."""
        row = self._base.execute("SELECT id, state, host, depth FROM pages WHERE key = ?", (key,)).fetchone()
        if row is None or row[1] == ALIAS:
            row = self._base.execute(
                "SELECT id, state, host, depth FROM contents JOIN pages ON pages.id = page WHERE final_url = ?", (url,)
            ).fetchone()
        if row is None:
            # A page that redirects there may be in flight.
            return self.counts[LEASED] == 0
        page, state, host, depth = row
        if state == DONE:
            if self._levels is not None:
                self._levels.count(depth, -1)
            self._base.execute(
                f"UPDATE pages SET state = {WAITING}, tries = 0, place = ?, why = ? WHERE id = ?",
                (AGAIN + page, ONCE_MORE, page),
            )
            self.count(DONE, WAITING, host)
        return bool(state != LEASED)

    def count_again(self) -> int:
        """Number of pages waiting for a refetch."""
        return int(self._base.execute(f"SELECT COUNT(*) FROM pages WHERE {WAITS_AGAIN}").fetchone()[0])

    def is_again(self, page: int) -> bool:
        """Whether this is a refetch of a stored page."""
        return bool(self._base.execute("SELECT place < ? FROM pages WHERE id = ?", (NEVER_AGAIN, page)).fetchone()[0])

    def bring_forward(self, branch: str) -> None:
        """Make a page of this branch the next one."""
        if self._levels is not None:
            return  # it would be out of level order
        place = _place(self._order, self._entered + 1, 0, 1.0) if self._order == "depth-first" else -self._entered
        self._base.execute(
            f"UPDATE pages SET place = ? WHERE id = (SELECT id FROM pages WHERE state = {WAITING} AND branch = ? LIMIT 1)",
            (place, branch),
        )

    def known(self, pages: Sequence[NewPage]) -> dict[str, Row]:
        """Existing rows of these pages, by key."""
        found: dict[str, Row] = {}
        keys = [page.key for page in pages]
        for start in range(0, len(keys), 500):
            part = keys[start : start + 500]
            marks = ",".join("?" * len(part))
            rows = self._base.execute(f"SELECT key, id, depth, state, host FROM pages WHERE key IN ({marks})", part)
            found.update((key, (row, depth, state, host)) for key, row, depth, state, host in rows)
        return found

    def count(self, before: int | None, after: int, host: int) -> None:
        """Update the counters for a page that changed its state."""
        if before is not None:
            self.counts[before] -= 1
            if before == WAITING:
                self.waiting_by_host[host] -= 1
        self.counts[after] += 1
        if after == WAITING:
            self.waiting_by_host[host] = self.waiting_by_host.get(host, 0) + 1

    def _place(self, page: NewPage, depth: int, before: int, number: int) -> int:
        number = min(number, LINKS_A_PAGE - 1)
        if self._levels is not None:
            return place_in_level(page, depth, number)
        return _place(self._order, before, number, page.score)

    def _insert(self, page: NewPage, state: int, parent: int, depth: int, *, place: int = 0, why: str = "") -> int:
        host = self._host(page.origin)
        # The same row in each repetition: names of files are made of it.
        row = self.earlier.row_of(page.key) or self._last_row + 1
        self._new.append((row, page.key, page.url, state, host, place, depth, parent, page.branch, page.label, why))
        self._last_row = max(self._last_row, row)
        self._entered += 1
        self.count(None, state, host)
        return row

    def _write_new(self) -> None:
        """Write the new rows: together, since each statement is a journey where the database is elsewhere."""
        self._base.executemany(
            "INSERT INTO pages (id, key, url, state, host, place, depth, parent, branch, label, why) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            self._new,
        )
        self._new = []

    def _bring_nearer(self, row: int, depth: int) -> None:
        """Handle a shorter path to a page: descendants beyond the depth limit may be within it now."""
        nearer = [(row, depth)]
        while nearer:
            page, at = nearer.pop()
            known, state, why, host = self._base.execute(
                "SELECT depth, state, why, host FROM pages WHERE id = ?", (page,)
            ).fetchone()
            if at >= known:
                continue
            freed = state == SKIPPED and why == BEYOND_DEPTH and at <= self._depth
            self._base.execute(
                "UPDATE pages SET depth = ?, state = ?, why = ? WHERE id = ?",
                (at, WAITING if freed else state, "" if freed else why, page),
            )
            if freed:
                self.count(SKIPPED, WAITING, host)
            nearer += [
                (child, at + 1) for (child,) in self._base.execute("SELECT child FROM edges WHERE parent = ?", (page,))
            ]

    def _host(self, origin: str) -> int:
        host = self._hosts.get(origin)
        if host is None:
            # Another worker on the job may have added it.
            added = self._base.execute(
                "INSERT INTO hosts (origin) VALUES (?) ON CONFLICT (origin) DO UPDATE SET origin = excluded.origin RETURNING id",
                (origin,),
            )
            host = cast("int", added.fetchone()[0])
            self._hosts[origin], self.origins[host] = host, origin
        return host


def _place(order: Order, before: int, number: int, score: float) -> int:
    """Order position of a page: `before` rises with every list of links, `number` within it."""
    if order == "depth-first":
        return -before * LINKS_A_PAGE + number
    if order == "breadth-first":
        return before * LINKS_A_PAGE + number
    return int((1.0 - min(1.0, max(0.0, score))) * 1_000_000) * LINKS_A_PAGE + before % LINKS_A_PAGE
