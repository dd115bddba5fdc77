"""The records of the crawl before, beside which a repetition of it compares. Runs inside the store's transactions."""

from __future__ import annotations

from walker.crawl.job.job_base import JobBase
from walker.crawl.job.job_schema import (
    ALIAS,
    CRAWL_TABLES,
    DONE,
    FAILED,
    READING,
    REPETITION,
    STOP,
)
from walker.crawl.job.stored_pages import read_earlier
from walker.crawl.job_records import EarlierPage

_KEPT_SETTINGS = ("script", READING)
IS_GONE = f"state = {FAILED} AND (why IN ('HTTP 404', 'HTTP 410') OR why LIKE 'soft 404%')"
"""Condition on a row of `pages`: the server says that there is no such page."""


def says_gone(why: str) -> bool:
    """Whether a failure says that there is no such page."""
    return why in ("HTTP 404", "HTTP 410") or why.startswith("soft 404")


class EarlierPages:
    """The tables `earlier_...`, which are there from the second crawl of a job on."""

    def __init__(self, base: JobBase) -> None:
        self._base = base
        self.last_row = 0
        """The highest row of a page, 0 without a crawl before."""

    def read_numbers(self) -> None:
        """Look for the tables: at the start, and after a rollback."""
        has = self._base.has_table("earlier_pages")
        rows = self._base.execute("SELECT COALESCE(MAX(id), 0) FROM earlier_pages").fetchone() if has else (0,)
        self.last_row = int(rows[0])

    def row_of(self, key: str) -> int:
        """The row that a page had, 0 for none."""
        if not self.last_row:
            return 0
        found = self._base.execute("SELECT id FROM earlier_pages WHERE key = ?", (key,)).fetchone()
        return int(found[0]) if found is not None else 0

    def of(self, row: int, url: str) -> EarlierPage | None:
        """The record of a page, by its row, else by the address that others had led to; None for none."""
        if not self.last_row:
            return None
        found = read_earlier(self._base, row)
        if found is None:
            other = self._base.execute("SELECT page FROM earlier_contents WHERE final_url = ?", (url,)).fetchone()
            found = read_earlier(self._base, other[0]) if other is not None else None
        return found

    def begin(self) -> None:
        """Make the job's tables those of the crawl before, and empty ones in their places."""
        run = self._base.execute
        complete = run("SELECT value FROM job WHERE name = ?", (STOP,)).fetchone() == ("complete",)
        for name in self._base.crawl_indexes:
            run(f"DROP INDEX {name}")
        for name in CRAWL_TABLES:
            if self.last_row:
                run(f"ALTER TABLE earlier_{name} RENAME TO older_{name}")
            run(f"ALTER TABLE {name} RENAME TO earlier_{name}")
        for name in self._base.crawl_parts:
            # Those of the crawl before are there unless it came before there were parts.
            run(f"ALTER TABLE IF EXISTS earlier_{name} RENAME TO older_{name}")
            run(f"ALTER TABLE {name} RENAME TO earlier_{name}")
        if self.last_row:
            self._keep_older(complete=complete)
            run("DROP INDEX earlier_places")
            for name in reversed(CRAWL_TABLES):
                run(f"DROP TABLE older_{name}")
        for statement in self._base.crawl_schema.split(";"):
            if statement.strip():
                run(statement)
        run("CREATE INDEX earlier_places ON earlier_contents (final_url)")
        run("DELETE FROM branches")
        run("DELETE FROM edges")
        number = run("SELECT value FROM job WHERE name = ?", (REPETITION,)).fetchone()
        run(f"DELETE FROM job WHERE name NOT IN ({','.join('?' * len(_KEPT_SETTINGS))})", _KEPT_SETTINGS)
        run("INSERT INTO job VALUES (?, ?)", (REPETITION, str(int(number[0] if number else 1) + 1)))

    def _keep_older(self, *, complete: bool) -> None:
        """Keep older records of pages that the last crawl could not read, or did not come to."""
        run = self._base.execute
        absent = "NOT EXISTS (SELECT 1 FROM earlier_pages AS e WHERE e.key = o.key)"
        run("CREATE TEMP TABLE unread (page INTEGER PRIMARY KEY)")
        unread = (
            "EXISTS (SELECT 1 FROM earlier_pages WHERE earlier_pages.key = o.key "
            f"AND state NOT IN ({DONE}, {ALIAS}) AND NOT ({IS_GONE}))"
        )
        run(
            f"INSERT INTO unread SELECT o.id FROM older_pages AS o WHERE o.state = {DONE} AND ({unread}"
            f"{'' if complete else f' OR {absent}'}) AND o.id NOT IN (SELECT page FROM earlier_contents)"
        )
        run(
            "DELETE FROM earlier_pages WHERE key IN (SELECT key FROM older_pages WHERE id IN (SELECT page FROM unread))"
        )
        run("INSERT INTO earlier_pages SELECT * FROM older_pages WHERE id IN (SELECT page FROM unread)")
        for name in ("contents", "records"):
            run(f"INSERT INTO earlier_{name} SELECT * FROM older_{name} WHERE page IN (SELECT page FROM unread)")
        run(
            "INSERT INTO earlier_items (identity, page, fields) SELECT identity, page, fields FROM older_items "
            "WHERE page IN (SELECT page FROM unread) ORDER BY id ON CONFLICT DO NOTHING"
        )
        run("DROP TABLE unread")
