"""Whether a place holds records of an earlier crawl, which one that fetched nothing must not take away."""

from __future__ import annotations

from pathlib import Path

from walker.crawl.output.duckdb_table import mark_in_duckdb
from walker.crawl.output.postgres_table import mark_in_postgres
from walker.crawl.output.s3_objects import has_object, opened_store, read_manifest
from walker.crawl.output.table_marks import state_of
from walker.crawl.script.destination import Destination, DuckDbTable, PostgresTable, S3Object


def has_earlier(to: Destination, job: str) -> bool:
    """Whether something is there that is not what this job has written while it ran. Raises `MissingExtra`, `OutputUnwritable`."""
    match to:
        case Path():
            return any(to.iterdir()) if to.is_dir() else to.is_file()
        case DuckDbTable() | PostgresTable():
            mark = mark_in_duckdb(to) if isinstance(to, DuckDbTable) else mark_in_postgres(to)
            state = state_of(mark or "")
            return mark is not None and (state is None or state.job != job)
        case S3Object():
            return has_object(to)
    with opened_store(to) as store:
        manifest = read_manifest(store, to)
    return manifest is not None and (manifest.complete or manifest.job != job)
