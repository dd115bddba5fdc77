"""The database that a job lies in, as its tables' code uses it: statements that SQLite and Postgres both understand.

Marks of values are `?`. Written once for both: `INSERT ... ON CONFLICT ... DO UPDATE | DO NOTHING`, `RETURNING`, conditions on columns
that are true or false. Only the schema, the beginning of a transaction and the look for a table are each base's own.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from walker.crawl.job.job_schema import CRAWL_INDEXES, CRAWL_SCHEMA, RECORDS_SCHEMA


class Rows(Protocol):
    """The rows that a statement gives, each a tuple of values."""

    @property
    def rowcount(self) -> int:
        """Number of rows that the statement has changed."""
        ...

    def fetchone(self) -> Any:
        """The next row, None after the last."""
        ...

    def fetchall(self) -> list[Any]:
        """All rows that are left."""
        ...

    def __iter__(self) -> Iterator[Any]:
        """The rows that are left, one after the other."""
        ...


class JobBase(Protocol):
    """An open database with the tables of one job. Not thread-safe."""

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is under way."""
        ...

    def execute(self, statement: str, values: Sequence[Any] = (), /) -> Rows:
        """Run one statement, and give the rows that come of it."""
        ...

    def executemany(self, statement: str, rows: Sequence[Sequence[Any]], /) -> object:
        """Run one statement for each row of values."""
        ...

    @property
    def crawl_schema(self) -> str:
        """The statements that make the tables of one crawl."""
        ...

    @property
    def crawl_indexes(self) -> tuple[str, ...]:
        """The names of their indexes."""
        ...

    @property
    def crawl_parts(self) -> tuple[str, ...]:
        """The names of tables that other tables of a crawl consist of, none in SQLite."""
        ...

    def begin(self) -> None:
        """Begin a transaction that no other one of the job runs beside."""
        ...

    def has_table(self, name: str) -> bool:
        """Whether the job has this table."""
        ...

    def close(self) -> None:
        """Let go of the database."""


class SqliteBase(sqlite3.Connection):
    """A job's SQLite file."""

    crawl_schema = CRAWL_SCHEMA + RECORDS_SCHEMA
    crawl_indexes = CRAWL_INDEXES
    crawl_parts = ()

    def begin(self) -> None:
        """Begin a transaction, and take the file's lock for writing at once."""
        self.execute("BEGIN IMMEDIATE")

    def has_table(self, name: str) -> bool:
        """Whether the file has this table."""
        return self.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (name,)).fetchone() is not None
