"""SQLite: one table `records`, its rows in the order of the records. Nested values are JSON, booleans 0 and 1."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from walker.crawl.output.spool import ColumnKind, Spool, as_json, distinct_names

_TYPES = {"boolean": "INTEGER", "integer": "INTEGER", "number": "REAL", "text": "TEXT", "nested": "TEXT"}
MOST_COLUMNS = 1_990
"""SQLite allows 2,000 columns. Records with more fields are stored in one column, `record`, as JSON."""


def write_sqlite(spool: Spool, path: Path) -> None:
    """Write all records, to a new file."""
    rows: Iterator[list[Any]]
    if len(spool.columns) > MOST_COLUMNS:
        columns, rows = ["record TEXT"], ([as_json(row)] for row in spool.rows())
    else:
        names = distinct_names(["row", *spool.columns])[1:]
        columns, rows = list(map(_column, names, spool.columns.values())), spool.cells()
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode = OFF")  # the file is still temporary: nothing can be lost
        database.execute("PRAGMA synchronous = OFF")
        database.execute(f"CREATE TABLE records ({', '.join(['row INTEGER PRIMARY KEY', *columns])})")
        marks = ", ".join("?" * (len(columns) + 1))
        database.execute("BEGIN")
        database.executemany(
            f"INSERT INTO records VALUES ({marks})",  # noqa: S608 - question marks alone
            ([number, *cells] for number, cells in enumerate(rows, 1)),
        )
        database.execute("COMMIT")


def _column(name: str, kind: ColumnKind) -> str:
    quoted = name.replace("\0", "_").replace('"', '""')
    return f'"{quoted}" {_TYPES[kind]}'
