"""Queries over a job's items and pages, for output files, reports and tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from memory.near_duplicates import TextMark
from walker.crawl.job.job_base import JobBase
from walker.crawl.job.job_changes import JobChanges
from walker.crawl.job.job_schema import DONE, FAILED, LEASED, RESTING, STATE_NAMES, WAITING


class JobContents:
    """The stored contents, in an order independent of fetch times, except for items."""

    def __init__(self, base: JobBase) -> None:
        self._base = base
        self.changes = JobChanges(base)
        self.only_changed = False
        """Whether items and pages that are as in the crawl before are left out."""

    def items(self) -> Iterator[dict[str, Any]]:
        """All items in order of discovery, with the URL of their page; in a repetition with what became of them, those that are gone
        last."""
        rows = self._base.execute(
            "SELECT items.identity, items.fields, contents.final_url FROM items "
            "LEFT JOIN contents ON contents.page = items.page ORDER BY items.id"
        )
        changes, is_repetition = self.changes.by_item(), self.changes.is_repetition
        for identity, fields, url in rows:
            item = {**msgspec.json.decode(fields), "page_url": url}
            if not is_repetition:
                yield item
            elif self._gives_out(changes[identity]):
                yield {**item, "change": changes[identity]}
        yield from self.changes.gone_items()

    def never_filled(self, names: Iterable[str]) -> tuple[str, ...]:
        """Those of these fields of which no item has a value; () without items."""
        empty, any_item = dict.fromkeys(names), False
        for (fields,) in self._base.execute("SELECT fields FROM items ORDER BY id") if empty else ():
            any_item = True
            for name, value in msgspec.json.decode(fields).items():
                if value not in (None, "", []):
                    empty.pop(name, None)
            if not empty:
                break
        return tuple(empty) if any_item else ()

    def items_after(self, row: int, most: int) -> list[tuple[int, dict[str, Any]]]:
        """Up to so many items behind a row, in order of discovery, each with its row and the URL of its page."""
        rows = self._base.execute(
            "SELECT items.id, items.fields, contents.final_url FROM items "
            "LEFT JOIN contents ON contents.page = items.page WHERE items.id > ? ORDER BY items.id LIMIT ?",
            (row, most),
        )
        return [(at, {**msgspec.json.decode(fields), "page_url": url}) for at, fields, url in rows]

    def count_items(self, after: int, until: int) -> int:
        """Number of items behind a row, up to another."""
        counted = self._base.execute("SELECT COUNT(*) FROM items WHERE id > ? AND id <= ?", (after, until))
        return int(counted.fetchone()[0])

    def pages(self) -> Iterator[dict[str, Any]]:
        """All fetched or failed pages, ordered by key, with their stored contents; pages waiting for a refetch with those of the
        first fetch. In a repetition with what became of them, those that nothing leads to any more last."""
        changes, is_repetition = self.changes.by_page(), self.changes.is_repetition
        for row, page in self._pages():
            if not is_repetition:
                yield page
            elif self._gives_out(change := changes.get(row, "")):
                yield {**page, "change": change}
        yield from self.changes.unlinked()

    def stamps(self) -> dict[int, tuple[int, float, int]]:
        """State, time of fetching and original of each page that was stored or failed, by row."""
        rows = self._base.execute(
            "SELECT pages.id, pages.state, COALESCE(fetched_at, 0), COALESCE(same_as, 0) FROM pages "
            "LEFT JOIN contents ON contents.page = pages.id WHERE pages.state IN (?, ?) ORDER BY pages.id",
            (DONE, FAILED),
        )
        return {row: (state, fetched, original) for row, state, fetched, original in rows}

    def pages_of(self, rows: Sequence[int]) -> list[tuple[int, dict[str, Any]]]:
        """These pages as `pages` gives them, each with its row."""
        chosen = ", ".join(map(str, rows))
        return list(self._pages(f"AND pages.id IN ({chosen})")) if rows else []

    def _gives_out(self, change: str) -> bool:
        return not self.only_changed or change in ("new", "changed", "gone")

    def _pages(self, which: str = "") -> Iterator[tuple[int, dict[str, Any]]]:
        rows = self._base.execute(
            "SELECT pages.id, pages.url, pages.state, pages.why, pages.depth, same_as, kept, twins.url, "
            "final_url, status, title, driver, size, seconds, fetched_at, words FROM pages "
            "LEFT JOIN contents ON contents.page = pages.id LEFT JOIN pages AS twins ON twins.id = contents.same_as "
            f"WHERE (pages.state IN (?, ?) OR pages.state IN (?, ?, ?) AND final_url IS NOT NULL) {which} ORDER BY pages.key",
            (DONE, FAILED, WAITING, LEASED, RESTING),
        )
        for row, *values in rows:
            yield row, _page_row(values)

    def marks(self) -> Iterator[tuple[int, TextMark]]:
        """(row, fingerprint) of every stored page that is not a duplicate."""
        rows = self._base.execute(
            "SELECT page, fingerprint, details, sketch, text_size FROM contents WHERE same_as = 0 AND fingerprint != 0 ORDER BY page"
        )
        for page, fingerprint, details, sketch, size in rows:
            yield page, TextMark(fingerprint=fingerprint % (1 << 64), details=details, sketch=sketch, size=size)

    def branches(self) -> Iterator[bytes]:
        """Serialised state of each branch."""
        for (facts,) in self._base.execute("SELECT facts FROM branches"):
            yield facts

    def read_over_http(self) -> Iterator[str]:
        """Final URLs of stored pages that were fetched without a browser."""
        rows = self._base.execute(
            "SELECT final_url FROM contents JOIN pages ON pages.id = page WHERE driver = 'http' AND state = ? ORDER BY page",
            (DONE,),
        )
        for (url,) in rows:
            yield url

    def url_of(self, page: int) -> str:
        """Final URL of a stored page, given by row; "" for none."""
        row = self._base.execute("SELECT final_url FROM contents WHERE page = ?", (page,)).fetchone()
        return str(row[0]) if row is not None else ""

    def same_pages(self) -> int:
        """Number of duplicates."""
        return int(self._base.execute("SELECT COUNT(*) FROM contents WHERE same_as != 0").fetchone()[0])

    def drivers(self) -> dict[str, int]:
        """Number of pages by driver."""
        return dict(self._base.execute("SELECT driver, COUNT(*) FROM contents GROUP BY driver").fetchall())

    def reasons(self, state: int) -> dict[str, int]:
        """Number of pages in a state, by reason."""
        rows = self._base.execute(
            "SELECT why, COUNT(*) FROM pages WHERE state = ? GROUP BY why ORDER BY 2 DESC", (state,)
        )
        return dict(rows.fetchall())


_FACTS = ("final_url", "status", "title", "driver", "size", "seconds", "fetched_at", "words")


def _page_row(row: Sequence[Any]) -> dict[str, Any]:
    url, state, why, depth, same_as, kept, twin, *facts = row
    page = {"url": url, "state": STATE_NAMES[state], "depth": depth}
    if state == FAILED:
        return {**page, "why": why}
    if state != DONE:
        page["why"] = why
    page |= dict(zip(_FACTS, facts, strict=True))
    if same_as:
        page["same_as"] = twin
    return {**page, **(msgspec.json.decode(kept) if kept else {})}
