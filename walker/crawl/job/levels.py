"""Breadth-first order: no page is fetched before those of lower depth, and if both pages and depth are limited, each level gets an
equal share of what the levels above left. What is left after all levels is distributed again, in rounds, among the skipped pages."""

from __future__ import annotations

from typing import Literal
from zlib import crc32

import msgspec

from walker.crawl.job.job_base import JobBase
from walker.crawl.job.job_schema import DONE, KEEP_SETTING, LEASED, RESTING
from walker.crawl.job_records import NewPage

BEYOND_SHARE = "beyond the share of its level"
"""Reason for skipping a page whose level has used up its share."""
ROUND = "round"
"""Job setting with the number of pages of each depth at the start of the round."""
A_LEVEL, A_TURN = 1 << 52, 1 << 32
"""Order positions between two levels, and between two round-robin turns of one."""
Standing = Literal["open", "wait", "closed"]
"""State of a level: its pages may be fetched; pages in flight must be finished first; its share is used up."""


class Levels:
    """Number of pages of each depth that are stored or in flight. Level 0 has the start URLs and no share."""

    def __init__(self, base: JobBase, depth: int) -> None:
        self._base, self._deepest = base, depth
        self._taken: dict[int, int] = {}
        self._before: dict[int, int] = {}

    def read_numbers(self) -> None:
        """Reload the counts."""
        rows = self._base.execute(
            "SELECT depth, COUNT(*) FROM pages WHERE state IN (?, ?) GROUP BY depth", (LEASED, DONE)
        )
        self._taken = dict(rows.fetchall())
        kept = self._base.execute("SELECT value FROM job WHERE name = ?", (ROUND,)).fetchone()
        self._before = {int(depth): count for depth, count in msgspec.json.decode(kept[0]).items()} if kept else {}

    def count(self, depth: int, change: int) -> None:
        """Change the count of a depth."""
        self._taken[depth] = self._taken.get(depth, 0) + change

    def standing(self, level: int, most: int) -> Standing:
        """Whether a page of this level may be fetched now; `most` is the page limit of the crawl (0 for none)."""
        first = self._first_unsettled()
        if first is not None and first < level:
            return "wait"
        if self._taken.get(level, 0) < self._share(level, most):
            return "open"
        return "closed" if first is None or first > level else "wait"

    def begins_round(self, most: int) -> bool:
        """Whether, with an empty queue, a new round for the skipped pages begins. There is none after a round without new pages."""
        taken = {depth: count for depth, count in self._taken.items() if count}
        if sum(taken.values()) >= most or taken == self._before or self._first_unsettled() is not None:
            return False
        self._before = taken
        said = msgspec.json.encode({str(depth): count for depth, count in taken.items()}).decode()
        self._base.execute(KEEP_SETTING, (ROUND, said))
        return True

    def _share(self, level: int, most: int) -> int:
        """Page limit of a level, including earlier rounds; an unused share passes to the next level."""
        if not most or not 1 <= level <= self._deepest:
            return 1 << 62
        above = sum(count for depth, count in self._taken.items() if depth < level)
        left = most - above - sum(count for depth, count in self._before.items() if depth >= level)
        return self._before.get(level, 0) + max(1, left // (self._deepest - level + 1))

    def _first_unsettled(self) -> int | None:
        """The lowest depth of pages in flight or postponed."""
        rows = [
            self._base.execute(f"SELECT MIN(depth) FROM pages WHERE state = {state}").fetchone()[0]
            for state in (LEASED, RESTING)  # two queries, for two partial indexes
        ]
        return min((depth for depth in rows if depth is not None), default=None)


def place_in_level(page: NewPage, depth: int, number: int) -> int:
    """Order position of the page that is link `number` on its parent: round-robin over parents, independent of fetch order, so that
    two crawls of one site choose the same pages."""
    path = page.key.partition("://")[2].partition("/")[2]
    return depth * A_LEVEL + number * A_TURN + crc32(path.encode("utf-8", "surrogatepass"))
