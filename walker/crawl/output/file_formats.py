"""The formats of files and objects, by their extensions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from walker.crawl.output.csv_file import write_csv
from walker.crawl.output.parquet_file import write_parquet
from walker.crawl.output.spool import Spool
from walker.crawl.output.sqlite_file import write_sqlite
from walker.errors import UsageError

_WRITERS: dict[str, Callable[[Spool, Path], None]] = {
    ".csv": write_csv,
    ".parquet": write_parquet,
    ".sqlite": write_sqlite,
}


def check_format(suffix: str, where: str) -> None:
    """Raise `UsageError` for an unknown extension, such as ".xls"."""
    if suffix != ".jsonl" and suffix not in _WRITERS:
        endings = " ".join([".jsonl", *_WRITERS])
        raise UsageError(f"'{suffix}' is not a known file extension", where=where, advice=f"Use one of {endings}")


def format_file(spool: Spool, suffix: str, new: Path) -> Path:
    """The file of all records in this format: `new`, which is written; of .jsonl it is that of the spool. Raises `OSError`,
    `MissingExtra`."""
    if suffix == ".jsonl":
        return spool.path
    _WRITERS[suffix](spool, new)
    return new
