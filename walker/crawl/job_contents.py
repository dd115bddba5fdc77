"""Reads what a job holds: its items and pages, for output files, reports and tests."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from walker.crawl.job_schema import DONE, FAILED, STATE_NAMES


class JobContents:
    """What was kept, in an order that does not depend on when it was fetched where the order is not the news itself."""

    def __init__(self, base: sqlite3.Connection) -> None:
        self._base = base

    def items(self) -> Iterator[dict[str, Any]]:
        """All items in the order in which they were found, with the address of their page."""
        rows = self._base.execute(
            "SELECT items.fields, contents.final_url FROM items LEFT JOIN contents ON contents.page = items.page ORDER BY items.id"
        )
        for fields, url in rows:
            yield {**msgspec.json.decode(fields), "page_url": url}

    def pages(self) -> Iterator[dict[str, Any]]:
        """All pages that were fetched or given up, by their address, with what was kept of each."""
        rows = self._base.execute(
            "SELECT pages.url, pages.state, pages.why, pages.depth, same_as, kept, twins.url, "
            "final_url, status, title, driver, size, seconds, fetched_at, words FROM pages "
            "LEFT JOIN contents ON contents.page = pages.id LEFT JOIN pages AS twins ON twins.id = contents.same_as "
            "WHERE pages.state IN (?, ?) ORDER BY pages.key",
            (DONE, FAILED),
        )
        for row in rows:
            yield _page_row(row)

    def fingerprints(self) -> Iterator[tuple[int, int]]:
        """(page, SimHash) of every page that was kept as itself."""
        yield from self._base.execute(
            "SELECT page, fingerprint FROM contents WHERE same_as = 0 AND fingerprint != 0 ORDER BY page"
        )

    def reasons(self, state: int) -> dict[str, int]:
        """How many pages are in a state for which reason."""
        rows = self._base.execute(
            "SELECT why, COUNT(*) FROM pages WHERE state = ? GROUP BY why ORDER BY 2 DESC", (state,)
        )
        return dict(rows.fetchall())


_FACTS = ("final_url", "status", "title", "driver", "size", "seconds", "fetched_at", "words")


def _page_row(row: Sequence[Any]) -> dict[str, Any]:
    url, state, why, depth, same_as, kept, twin, *facts = row
    page = {"url": url, "state": STATE_NAMES[state], "depth": depth}
    if state != DONE:
        return {**page, "why": why}
    page |= dict(zip(_FACTS, facts, strict=True))
    if same_as:
        page["same_as"] = twin
    return {**page, **(msgspec.json.decode(kept) if kept else {})}
