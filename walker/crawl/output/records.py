"""Writes records to a destination. All have the same records in the same order; a file's extension selects its format."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from traces.store.atomic_file import replace_file, temporary_path
from walker.crawl.output.duckdb_table import check_duckdb, write_duckdb
from walker.crawl.output.file_formats import check_format, format_file
from walker.crawl.output.postgres_table import check_postgres, write_postgres
from walker.crawl.output.s3_objects import check_s3, write_s3_object, write_s3_parts
from walker.crawl.output.spool import Spool
from walker.crawl.script.destination import Destination, DuckDbTable, PostgresTable, S3Object, S3Parts
from walker.files.atomic_output import unwritable


def write_records(
    to: Destination,
    rows: Iterable[Mapping[str, Any]],
    *,
    columns: Iterable[str] = (),
    scratch: Path | None = None,
    job: str = "",
) -> int:
    """Write the records in order, in place of those that are there, and return their number. Values are JSON-ready.

    Whatever happens meanwhile, a file, table or object holds its records before or all of these; of parts their manifest says which.
    Columns are those of `columns`, then all other fields in order of first appearance. `scratch` is a folder for what is gathered
    before it is sent, which is made anew and removed. `job` is the one whose records may be there in part already. Raises `UsageError`
    for an unknown extension, `OutputUnwritable`, `MissingExtra`, and what `rows` raises.
    """
    if isinstance(to, Path):
        return _write_file(to, rows, columns)
    try:
        with _folder_for(scratch) as folder:
            spool = Spool.fill(folder / "records", rows, columns)
            _send(spool, to, job)
    except OSError as error:
        raise unwritable(scratch or Path(tempfile.gettempdir()), error) from error
    return spool.count


def check_destination(to: Destination) -> None:
    """Raise the one-line `WalkerError` that says why no records could be written, if it can be told without writing any."""
    match to:
        case DuckDbTable():
            check_duckdb(to)
        case PostgresTable():
            check_postgres(to)
        case S3Object() | S3Parts():
            check_s3(to)
        case _:
            check_format(to.suffix, str(to))


def _write_file(path: Path, rows: Iterable[Mapping[str, Any]], columns: Iterable[str]) -> int:
    check_format(path.suffix, str(path))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary_path(path, "records") as spooled:
            spool = Spool.fill(spooled, rows, columns)
            with temporary_path(path, "new") as unfinished:
                replace_file(format_file(spool, path.suffix, unfinished), path)
    except OSError as error:
        raise unwritable(path, error) from error
    return spool.count


def _send(spool: Spool, to: DuckDbTable | PostgresTable | S3Object | S3Parts, job: str) -> None:
    match to:
        case DuckDbTable():
            write_duckdb(spool, to)
        case PostgresTable():
            write_postgres(spool, to)
        case S3Object():
            write_s3_object(spool, to)
        case S3Parts():
            write_s3_parts(spool, to, job=job)


@contextlib.contextmanager
def _folder_for(scratch: Path | None) -> Iterator[Path]:
    if scratch is None:
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder)
        return
    # What a killed process has left is removed.
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    try:
        yield scratch
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
