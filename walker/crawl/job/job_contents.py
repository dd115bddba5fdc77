"""Queries over a job's items and pages, for output files, reports and tests."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from memory.near_duplicates import TextMark
from walker.crawl.job.job_schema import DONE, FAILED, LEASED, RESTING, STATE_NAMES, WAITING


class JobContents:
    """The stored contents, in an order independent of fetch times, except for items."""

    def __init__(self, base: sqlite3.Connection) -> None:
        self._base = base

    def items(self) -> Iterator[dict[str, Any]]:
        """All items in order of discovery, with the URL of their page."""
        rows = self._base.execute(
            "SELECT items.fields, contents.final_url FROM items LEFT JOIN contents ON contents.page = items.page ORDER BY items.id"
        )
        for fields, url in rows:
            yield {**msgspec.json.decode(fields), "page_url": url}

    def pages(self) -> Iterator[dict[str, Any]]:
        """All fetched or failed pages, ordered by key, with their stored contents; pages waiting for a refetch with those of the
        first fetch."""
        rows = self._base.execute(
            "SELECT pages.url, pages.state, pages.why, pages.depth, same_as, kept, twins.url, "
            "final_url, status, title, driver, size, seconds, fetched_at, words FROM pages "
            "LEFT JOIN contents ON contents.page = pages.id LEFT JOIN pages AS twins ON twins.id = contents.same_as "
            "WHERE pages.state IN (?, ?) OR pages.state IN (?, ?, ?) AND final_url IS NOT NULL ORDER BY pages.key",
            (DONE, FAILED, WAITING, LEASED, RESTING),
        )
        for row in rows:
            yield _page_row(row)

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
