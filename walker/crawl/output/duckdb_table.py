"""DuckDB: a table of a file that may hold others, written in one transaction, through `duckdb` (the extra of that name).

Its rows have the key `row`, from 1 in the order of the records. A table is replaced only if a crawl made it, which its comment says.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from walker.crawl.output.spool import ColumnKind, Spool, as_json, distinct_names
from walker.crawl.output.table_marks import MADE_BY, changed_table, foreign_table, is_made
from walker.crawl.script.destination import DuckDbTable
from walker.errors import MissingExtra, OutputUnwritable

if TYPE_CHECKING:
    import duckdb

_TYPES: dict[ColumnKind, str] = {
    "boolean": "BOOLEAN",
    "integer": "BIGINT",
    "number": "DOUBLE",
    "text": "VARCHAR",
    "nested": "JSON",
}
MOST_COLUMNS = 1_990
"""Records with more fields are stored in one column, `record`, as JSON."""
_LONGEST_LINE = 1 << 20
_ADVICE = "Close the programs that have it open, or name another file, and run the same command again"
_ENCODER = msgspec.json.Encoder()


def write_duckdb(spool: Spool, to: DuckDbTable, *, mark: str = MADE_BY, behind: tuple[str, int] | None = None) -> None:
    """Write all records; `behind` the mark of the table as it is to be found and its number of rows, further ones. Raises
    `MissingExtra`, `OutputUnwritable`, `OSError`."""
    is_wide = len(spool.columns) > MOST_COLUMNS
    columns: dict[str, ColumnKind] = {"record": "nested"} if is_wide else spool.columns
    names = distinct_names(["row", *columns])[1:]
    types = ["BIGINT", *(_TYPES[kind] for kind in columns.values())]
    cells = spool.path.with_suffix(".cells")
    before, there = behind or ("", 0)
    longest = _write_cells(spool, cells, there + 1, is_wide=is_wide)
    to.path.parent.mkdir(parents=True, exist_ok=True)
    with _opened(to) as base:
        base.execute("BEGIN")
        found = _refuse_foreign(base, to)
        if before and found != before:
            raise changed_table(to)
        if not before:
            made = ", ".join(f"{_quoted(name)} {kind}" for name, kind in zip(["row", *names], types, strict=True))
            base.execute(f"CREATE OR REPLACE TABLE {_quoted(to.table)} ({made}, PRIMARY KEY (row))")
        if spool.count:
            # Named by their places: what a site calls a field is no name for a reader of JSON.
            # A text that holds JSON is read as a text: as JSON it would be a string of JSON.
            read = ", ".join(f"c{place}: '{'VARCHAR' if kind == 'JSON' else kind}'" for place, kind in enumerate(types))
            base.execute(
                f"INSERT INTO {_quoted(to.table)} SELECT * FROM read_json($file, format = 'newline_delimited', "  # noqa: S608
                f"columns = {{{read}}}, maximum_object_size = {max(longest + 1, _LONGEST_LINE)})",
                {"file": str(cells)},
            )
        told = mark.replace("'", "''")
        base.execute(f"COMMENT ON TABLE {_quoted(to.table)} IS '{told}'")
        base.execute("COMMIT")


def mark_in_duckdb(to: DuckDbTable) -> str | None:
    """The comment of the table, "" for none; None if there is no table. Raises as `write_duckdb`."""
    _duckdb(to)
    if not to.path.exists():
        return None
    with _opened(to) as base:
        return _found_mark(base, to)


def check_duckdb(to: DuckDbTable) -> None:
    """Raise a `WalkerError` if the table could not be written."""
    _duckdb(to)
    if to.path.exists():
        with _opened(to) as base:
            _refuse_foreign(base, to)


def _write_cells(spool: Spool, path: Path, first: int, *, is_wide: bool) -> int:
    """Write the rows for DuckDB's reader, which fills tables far faster than statements with values; returns the longest line."""
    rows = ([as_json(row)] for row in spool.rows()) if is_wide else spool.cells()
    longest = 0
    with path.open("wb") as file:
        for number, cells in enumerate(rows, first):
            line = _ENCODER.encode({f"c{place}": cell for place, cell in enumerate((number, *cells))})
            longest = max(longest, len(line))
            file.write(line + b"\n")
    return longest


def _refuse_foreign(base: duckdb.DuckDBPyConnection, to: DuckDbTable) -> str:
    """The mark of the table, "" if there is none."""
    found = _found_mark(base, to)
    if found is not None and not is_made(found):
        raise foreign_table(to)
    return found or ""


def _found_mark(base: duckdb.DuckDBPyConnection, to: DuckDbTable) -> str | None:
    found = base.execute(
        "SELECT comment FROM (FROM duckdb_tables() SELECT table_name AS name, comment, schema_name UNION ALL "
        "FROM duckdb_views() SELECT view_name, comment, schema_name) "
        "WHERE lower(name) = lower($name) AND schema_name = current_schema()",
        {"name": to.table},
    ).fetchone()
    return None if found is None else found[0] or ""


def _quoted(name: str) -> str:
    return '"' + name.replace("\0", "_").replace('"', '""') + '"'


@contextlib.contextmanager
def _opened(to: DuckDbTable) -> Iterator[duckdb.DuckDBPyConnection]:
    """The database, whose open transaction is rolled back where the block fails. Raises `OutputUnwritable`."""
    duckdb = _duckdb(to)
    try:
        with contextlib.closing(duckdb.connect(str(to.path))) as base:
            yield base
    except duckdb.Error as error:
        raise OutputUnwritable(
            f"it cannot be written ({str(error).splitlines()[0]})", where=str(to), advice=_ADVICE
        ) from error


def _duckdb(to: DuckDbTable) -> Any:
    try:
        import duckdb  # noqa: PLC0415 - an extra
    except ImportError:
        raise MissingExtra(
            "DuckDB needs duckdb", where=str(to), advice="Install it with: pip install 'gemwalker[duckdb]'"
        ) from None
    return duckdb
