"""What has changed since the crawl before: pages and items that are new, changed, unchanged or gone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from walker.crawl.job.earlier_pages import IS_GONE
from walker.crawl.job.job_base import JobBase
from walker.crawl.job.job_schema import DONE, REPETITION, STOP

NOT_LINKED = "nothing leads to it any more"
_IS_UNLINKED = (
    f"e.state = {DONE} AND NOT EXISTS (SELECT 1 FROM pages WHERE pages.key = e.key) "
    "AND c.final_url NOT IN (SELECT final_url FROM contents)"
)
_UNLINKED = f"FROM earlier_pages AS e JOIN earlier_contents AS c ON c.page = e.id WHERE {_IS_UNLINKED}"
_GONE_ROWS = f"SELECT id FROM pages WHERE {IS_GONE} AND id IN (SELECT page FROM earlier_contents)"


class JobChanges:
    """Queries over the tables of this crawl and of the one before."""

    def __init__(self, base: JobBase) -> None:
        self._base = base

    @property
    def is_repetition(self) -> bool:
        """Whether there was a crawl before."""
        return self._setting(REPETITION) not in ("", "1")

    def counts(self) -> dict[str, int]:
        """Number of pages by what became of them; empty without a crawl before. `not modified` are those of the unchanged ones that
        were not fetched."""
        if not self.is_repetition:
            return {}
        found = dict(
            self._base.execute(
                f"SELECT change, COUNT(*) FROM records JOIN pages ON pages.id = page WHERE state = {DONE} GROUP BY change"
            ).fetchall()
        )
        asked = self._base.execute(
            f"SELECT COUNT(*) FROM records JOIN pages ON pages.id = page WHERE state = {DONE} AND not_modified"
        ).fetchone()
        return {
            **{name: found.get(name, 0) for name in ("new", "changed", "unchanged")},
            "not modified": asked[0],
            "gone": sum(self.reasons_gone().values()),
        }

    def reasons_gone(self) -> dict[str, int]:
        """Number of pages that are gone, by reason, the most frequent first."""
        if not self.is_repetition:
            return {}
        found = dict(
            self._base.execute(f"SELECT why, COUNT(*) FROM pages WHERE id IN ({_GONE_ROWS}) GROUP BY why").fetchall()
        )
        if unlinked := sum(1 for _ in self.unlinked()):
            found[NOT_LINKED] = unlinked
        return dict(sorted(found.items(), key=lambda one: -one[1]))

    def by_page(self) -> dict[int, str]:
        """What became of each page that has a row."""
        if not self.is_repetition:
            return {}
        found = {row: str(change) for row, change in self._base.execute("SELECT page, change FROM records")}
        return found | {row: "gone" for (row,) in self._base.execute(_GONE_ROWS)}

    def unlinked(self) -> Iterator[dict[str, Any]]:
        """Pages to which nothing leads any more, ordered by key; none where the crawl has not seen all there is."""
        if not self.is_repetition or self._setting(STOP) != "complete":
            return
        rows = self._base.execute(f"SELECT e.url, e.depth, c.final_url, c.title {_UNLINKED} ORDER BY e.key")
        for url, depth, final_url, title in rows:
            yield {
                "url": url,
                "state": "not linked",
                "depth": depth,
                "why": NOT_LINKED,
                "final_url": final_url,
                "title": title,
                "change": "gone",
            }

    def by_item(self) -> dict[str, str]:
        """What became of each item that is there, by identity."""
        if not self.is_repetition:
            return {}
        rows = self._base.execute(
            "SELECT items.identity, CASE WHEN e.identity IS NULL THEN 'new' WHEN e.fields = items.fields "
            "THEN 'unchanged' ELSE 'changed' END FROM items LEFT JOIN earlier_items AS e USING (identity)"
        )
        return dict(rows.fetchall())

    def gone_items(self) -> Iterator[dict[str, Any]]:
        """Items that no page has any more, of pages that were read again or are gone themselves."""
        if not self.is_repetition:
            return
        read = f"SELECT id FROM pages WHERE state = {DONE} UNION {_GONE_ROWS}"
        if self._setting(STOP) == "complete":
            read += f" UNION SELECT e.id {_UNLINKED}"
        rows = self._base.execute(
            "SELECT i.fields, c.final_url FROM earlier_items AS i LEFT JOIN earlier_contents AS c ON c.page = i.page "
            f"WHERE i.identity NOT IN (SELECT identity FROM items) AND i.page IN ({read}) ORDER BY i.id"
        )
        for fields, url in rows:
            yield {**msgspec.json.decode(fields), "page_url": url, "change": "gone"}

    def _setting(self, name: str) -> str:
        found = self._base.execute("SELECT value FROM job WHERE name = ?", (name,)).fetchone()
        return str(found[0]) if found is not None else ""
