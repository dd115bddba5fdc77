"""Writes records to files. All formats have the same records in the same order; the file extension selects the format."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from traces.store.atomic_file import replace_file, temporary_path
from walker.crawl.output.csv_file import write_csv
from walker.crawl.output.parquet_file import write_parquet
from walker.crawl.output.spool import Spool
from walker.crawl.output.sqlite_file import write_sqlite
from walker.errors import UsageError
from walker.files.atomic_output import unwritable

_WRITERS: dict[str, Callable[[Spool, Path], None]] = {
    ".csv": write_csv,
    ".parquet": write_parquet,
    ".sqlite": write_sqlite,
}


def write_records(path: Path, rows: Iterable[Mapping[str, Any]], *, columns: Iterable[str] = ()) -> int:
    """Write the records in order, and return their number. Values are JSON-ready.

    The file is written atomically: to a temporary file, which is renamed. Columns are those of `columns`, then all other
    fields in order of first appearance. Raises `UsageError` for an unknown file extension, `OutputUnwritable`, and what `rows` raises.
    """
    if path.suffix != ".jsonl" and path.suffix not in _WRITERS:
        endings = " ".join([".jsonl", *_WRITERS])
        raise UsageError(
            f"'{path.suffix}' is not a known file extension", where=str(path), advice=f"Use one of {endings}"
        )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary_path(path, "records") as spooled:
            spool = Spool.fill(spooled, rows, columns)
            if path.suffix == ".jsonl":
                replace_file(spooled, path)
            else:
                with temporary_path(path, "new") as unfinished:
                    _WRITERS[path.suffix](spool, unfinished)
                    replace_file(unfinished, path)
    except OSError as error:
        raise unwritable(path, error) from error
    return spool.count
