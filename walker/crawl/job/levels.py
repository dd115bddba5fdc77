"""A crawl level by level: no page is fetched before those above it are, and where both pages and depth are limited, each level
has an equal share of what the levels above left. What is left when all levels had theirs is shared out again, round by round, among
the pages that were passed over."""

from __future__ import annotations

import sqlite3
from typing import Literal
from zlib import crc32

import msgspec

from walker.crawl.job.job_schema import DONE, LEASED, RESTING
from walker.crawl.job_records import NewPage

BEYOND_SHARE = "beyond the share of its level"
"""Why a page is skipped that waits in a level whose share is used up."""
ROUND = "round"
"""Name under which the job keeps how many pages of each depth there were when the round began."""
A_LEVEL, A_TURN = 1 << 52, 1 << 32
"""Places between two levels, and between two turns of one."""
Standing = Literal["open", "wait", "closed"]
"""Of a level: its pages may be fetched; what is on its way has to come in first; it has had its share."""


class Levels:
    """How many pages of each depth are kept or on their way. Level 0 holds the start addresses and has no share."""

    def __init__(self, base: sqlite3.Connection, depth: int) -> None:
        self._base, self._deepest = base, depth
        self._taken: dict[int, int] = {}
        self._before: dict[int, int] = {}

    def read_numbers(self) -> None:
        """Count anew."""
        rows = self._base.execute(
            "SELECT depth, COUNT(*) FROM pages WHERE state IN (?, ?) GROUP BY depth", (LEASED, DONE)
        )
        self._taken = dict(rows.fetchall())
        kept = self._base.execute("SELECT value FROM job WHERE name = ?", (ROUND,)).fetchone()
        self._before = {int(depth): count for depth, count in msgspec.json.decode(kept[0]).items()} if kept else {}

    def count(self, depth: int, change: int) -> None:
        """So many pages of a depth more, or fewer."""
        self._taken[depth] = self._taken.get(depth, 0) + change

    def standing(self, level: int, most: int) -> Standing:
        """Whether a page of this level may be fetched now, `most` being fetched in all (0 for no limit)."""
        first = self._first_unsettled()
        if first is not None and first < level:
            return "wait"
        if self._taken.get(level, 0) < self._share(level, most):
            return "open"
        return "closed" if first is None or first > level else "wait"

    def begins_round(self, most: int) -> bool:
        """Whether, with nothing left that waits, the rest is shared out among the pages that were passed over. Where the last round
        brought none there is no other."""
        taken = {depth: count for depth, count in self._taken.items() if count}
        if sum(taken.values()) >= most or taken == self._before or self._first_unsettled() is not None:
            return False
        self._before = taken
        said = msgspec.json.encode({str(depth): count for depth, count in taken.items()}).decode()
        self._base.execute("INSERT OR REPLACE INTO job VALUES (?, ?)", (ROUND, said))
        return True

    def _share(self, level: int, most: int) -> int:
        """Pages of a level at most, those of earlier rounds included; what one leaves, the next may take."""
        if not most or not 1 <= level <= self._deepest:
            return 1 << 62
        above = sum(count for depth, count in self._taken.items() if depth < level)
        left = most - above - sum(count for depth, count in self._before.items() if depth >= level)
        return self._before.get(level, 0) + max(1, left // (self._deepest - level + 1))

    def _first_unsettled(self) -> int | None:
        """The least depth of what is in flight or rests."""
        rows = [
            self._base.execute(f"SELECT MIN(depth) FROM pages WHERE state = {state}").fetchone()[0]
            for state in (LEASED, RESTING)  # two queries, for two partial indexes
        ]
        return min((depth for depth in rows if depth is not None), default=None)


def place_in_level(page: NewPage, depth: int, number: int) -> int:
    """Where a page stands that is the link of this number on its page: a link of each page in turn. The same whichever page was
    fetched first, so that two crawls of one site choose the same pages."""
    path = page.key.partition("://")[2].partition("/")[2]
    return depth * A_LEVEL + number * A_TURN + crc32(path.encode("utf-8", "surrogatepass"))
