"""Rows of a table that are written while a crawl runs, each once: rows and how far they go are committed together.

The comment of the table says whose records these are, and up to which; the end of the crawl writes all of them in place of these.
Where a column is new or has another type, and where a page is read a second time, all rows are written again.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from walker.crawl.output.duckdb_table import mark_in_duckdb, write_duckdb
from walker.crawl.output.postgres_table import mark_in_postgres, write_postgres
from walker.crawl.output.s3_objects import PartRecord
from walker.crawl.output.spool import ColumnKind, Spool
from walker.crawl.output.table_marks import TableState, mark_of, state_of
from walker.crawl.script.destination import DuckDbTable, PostgresTable


class EarlyTable:
    """Implements `EarlyWriter`: all rows are one part."""

    def __init__(self, to: DuckDbTable | PostgresTable, job: str, columns: Iterable[str], folder: Path) -> None:
        self._to, self._job, self._named, self._folder = to, job, tuple(columns), folder
        self._kinds: dict[str, ColumnKind | None] = {}
        self._mark = ""
        """What the comment says if the rows there are this crawl's, "" where all are to be written again."""
        self.parts: list[PartRecord] = []

    def begin(self) -> bool:
        """See `EarlyWriter`."""
        to = self._to
        mark = mark_in_duckdb(to) if isinstance(to, DuckDbTable) else mark_in_postgres(to)
        if mark is None:
            return True
        state = state_of(mark)
        if state is None or state.job != self._job:
            return False
        self._mark = mark
        self._kinds = {name: None if kind == "text" else kind for name, kind in state.columns.items()}
        self.parts = [PartRecord(name="", rows=state.rows, until=state.until)]
        return True

    def add(self, rows: list[dict[str, Any]], until: int) -> None:
        """See `EarlyWriter`."""
        self._folder.mkdir(parents=True, exist_ok=True)
        before = {name: kind or "text" for name, kind in self._kinds.items()}
        spool = Spool.fill(self._folder / "records", rows, self._named, self._kinds)
        if self.parts and spool.columns != before:
            self.cut(0)
            return
        there = self.parts[-1].rows if self.parts else 0
        state = TableState(job=self._job, until=until, rows=there + spool.count, columns=spool.columns)
        behind = (self._mark, there) if there else None
        if isinstance(self._to, DuckDbTable):
            write_duckdb(spool, self._to, mark=mark_of(state), behind=behind)
        else:
            write_postgres(spool, self._to, mark=mark_of(state), behind=behind)
        self._mark = mark_of(state)
        self.parts = [PartRecord(name="", rows=state.rows, until=until)]

    def cut(self, count: int) -> None:
        """See `EarlyWriter`. Readers see the rows there until the next ones are written."""
        if not count:
            self.parts = []
