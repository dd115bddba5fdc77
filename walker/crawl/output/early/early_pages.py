"""The pages of a job as they come, and what is made of them, for places that take records while a crawl runs.

Pages have no order of their own until the end, so they come in the order in which they were stored. What was given out is remembered
in memory only: the next run gives out all again. A page that changes (it was fetched again, or turned out to be a copy) is given out
anew, with all that came behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol

import msgspec

from walker.crawl.output.early.early_records import SLICE
from walker.crawl.output.s3_objects import PartRecord

Stamp = tuple[int, float, int]
"""State, time of fetching, and the page that it is a copy of."""


class StoredPages(Protocol):
    """The pages of a job."""

    def stamps(self) -> dict[int, Stamp]:
        """Of each page that was stored or failed, by its row."""
        ...

    def pages_of(self, rows: Sequence[int]) -> list[tuple[int, dict[str, Any]]]:
        """These pages, each with its row."""
        ...


class _Given(msgspec.Struct, frozen=True):
    """A page that was given out, and the number of its records."""

    page: int
    stamp: Stamp
    records: int


class ComingPages:
    """Implements `Coming`; the row of a record is the place of its page among those that were given out, from 1."""

    def __init__(
        self,
        pages: StoredPages,
        count: Callable[[], int],
        made: Callable[[Iterable[dict[str, Any]]], Iterable[dict[str, Any]]] = iter,
    ) -> None:
        """`count` is the number of those that were stored or failed, asked every few seconds; `made` makes the records of pages, each
        page as it is by default."""
        self._pages, self._count, self._made = pages, count, made
        self._given: list[_Given] = []

    def waiting(self, after: int) -> int:
        """See `Coming`."""
        return max(0, self._count() - after)

    def right_parts(self, parts: Sequence[PartRecord]) -> int:
        """See `Coming`."""
        stamps, before = self._pages.stamps(), 0
        for number, part in enumerate(parts):
            given = self._given[before : part.until]
            is_right = all(stamps.get(one.page) == one.stamp for one in given)
            if len(self._given) < part.until or not is_right or sum(one.records for one in given) != part.rows:
                return number
            before = part.until
        return len(parts)

    def slices(self, after: int) -> Iterator[tuple[list[dict[str, Any]], int]]:
        """See `Coming`."""
        del self._given[after:]
        known = {one.page for one in self._given}
        left = [(page, stamp) for page, stamp in self._pages.stamps().items() if page not in known]
        for start in range(0, len(left), SLICE):
            taken = left[start : start + SLICE]
            there, rows = dict(self._pages.pages_of([page for page, _ in taken])), []
            for page, stamp in taken:
                records = list(self._made([there[page]])) if page in there else []
                self._given.append(_Given(page, stamp, len(records)))
                rows += records
            yield rows, len(self._given)
