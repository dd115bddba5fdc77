"""Postgres: a table of a database, written by COPY in one transaction, through `psycopg` (the extra `postgres`).

Its rows have the key `row`, from 1 in the order of the records. A table is written again only if a crawl made it, as its comment says;
it keeps its indexes, rights and views then, gets the columns that it lacks, and has null in those that no record has any more.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from walker.crawl.output.spool import ColumnKind, Spool, as_json, distinct_names
from walker.crawl.output.table_marks import MADE_BY, changed_table, foreign_table, is_made
from walker.crawl.script.destination import LONGEST_NAME, PostgresTable, without_secrets
from walker.errors import MissingExtra, OutputUnwritable

if TYPE_CHECKING:
    from psycopg import Connection, Cursor
    from psycopg.sql import Composed

_TYPES: dict[ColumnKind, str] = {
    "boolean": "boolean",
    "integer": "bigint",
    "number": "double precision",
    "text": "text",
    "nested": "jsonb",
}
MOST_COLUMNS = 400
"""A row must fit a page of 8 KB, with 18 bytes for each long text. Records with more fields are stored in one column, `record`."""
_RESERVED = ("row", "tableoid", "xmin", "cmin", "xmax", "cmax", "ctid")
_ROOM_FOR_A_NUMBER = 5
_CONNECT_SECONDS = 15
_LOCK = "60s"
_CONNECTING = "Check the address, and PGPASSWORD or ~/.pgpass, and run the same command again"
_WRITING = "Correct the table or the rights, or name another, and run the same command again"


def write_postgres(
    spool: Spool, to: PostgresTable, *, mark: str = MADE_BY, behind: tuple[str, int] | None = None
) -> None:
    """Write all records; `behind` the mark of the table as it is to be found and its number of rows, further ones. Raises
    `MissingExtra`, `OutputUnwritable`."""
    is_wide = len(spool.columns) > MOST_COLUMNS
    kinds: dict[str, ColumnKind] = {"record": "nested"} if is_wide else spool.columns
    columns = {name: _TYPES[kind] for name, kind in zip(_names(kinds), kinds.values(), strict=True)}
    rows = ([as_json(row)] for row in spool.rows()) if is_wide else spool.cells()
    storable = [_storable_json if kind == "nested" else _storable for kind in kinds.values()]
    before, there = behind or ("", 0)
    with _connected(to) as connection, connection.cursor() as cursor:
        found = _make_table(cursor, to, columns, empties=not before)
        if before and found != before:
            raise changed_table(to)
        if found != mark:
            _put_mark(cursor, to, mark)
        with cursor.copy(_copy(to, columns)) as copy:
            for number, cells in enumerate(rows, there + 1):
                copy.write_row((number, *(made(cell) for made, cell in zip(storable, cells, strict=True))))


def check_postgres(to: PostgresTable) -> None:
    """Raise a `WalkerError` if the table could not be written: all is done but to write rows, and undone."""
    with _connected(to) as connection, connection.cursor() as cursor:
        _make_table(cursor, to, {}, empties=False)
        connection.rollback()


def mark_in_postgres(to: PostgresTable) -> str | None:
    """The comment of the table, "" for none; None if there is no table. Raises as `write_postgres`."""
    with _connected(to) as connection, connection.cursor() as cursor:
        return _found_mark(cursor, to)


def _found_mark(cursor: Cursor[Any], to: PostgresTable) -> str | None:
    from psycopg.sql import Identifier  # noqa: PLC0415 - an extra

    cursor.execute(
        "SELECT obj_description(c.oid, 'pg_class') FROM pg_class c WHERE c.oid = to_regclass(%s)",
        (Identifier(*to.table).as_string(cursor),),
    )
    found = cursor.fetchone()
    return None if found is None else found[0] or ""


def _put_mark(cursor: Cursor[Any], to: PostgresTable, mark: str) -> None:
    from psycopg.sql import SQL, Identifier, Literal  # noqa: PLC0415

    cursor.execute(SQL("COMMENT ON TABLE {} IS {}").format(Identifier(*to.table), Literal(mark)))


def _make_table(cursor: Cursor[Any], to: PostgresTable, columns: dict[str, str], *, empties: bool = True) -> str:
    """Make the table, or empty it and add what it lacks, and return its mark. Readers see the rows before until all is committed."""
    from psycopg.sql import SQL, Identifier  # noqa: PLC0415

    table = Identifier(*to.table)
    cursor.execute("SELECT set_config('lock_timeout', %s, true)", (_LOCK,))
    # Two crawls that write one table do so one after the other.
    cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", ("walker " + ".".join(to.table),))
    found = _found_mark(cursor, to)
    if found is None:
        made = [SQL("{} {}").format(Identifier(name), SQL(kind)) for name, kind in columns.items()]
        cursor.execute(
            SQL("CREATE TABLE {} ({})").format(table, SQL(", ").join([SQL("row bigint PRIMARY KEY"), *made]))
        )
        _put_mark(cursor, to, MADE_BY)
        return MADE_BY
    if not is_made(found):
        raise foreign_table(to)
    if empties:
        # Not TRUNCATE, which readers have to wait for.
        cursor.execute(SQL("DELETE FROM {}").format(table))
        for change in _changes(cursor, to, columns):
            cursor.execute(SQL("ALTER TABLE {} ").format(table) + change)
    return found


def _changes(cursor: Cursor[Any], to: PostgresTable, columns: dict[str, str]) -> list[Composed]:
    from psycopg.sql import SQL, Identifier  # noqa: PLC0415

    cursor.execute(
        "SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute "
        "WHERE attrelid = to_regclass(%s) AND attnum > 0 AND NOT attisdropped",
        (Identifier(*to.table).as_string(cursor),),
    )
    there = dict(cursor.fetchall())
    changes = []
    for name, kind in columns.items():
        column, wanted = Identifier(name), SQL(kind)
        if name not in there:
            changes.append(SQL("ADD COLUMN {} {}").format(column, wanted))
        elif there[name] != kind:
            changes.append(SQL("ALTER COLUMN {} TYPE {} USING NULL").format(column, wanted))
    return changes


def _copy(to: PostgresTable, columns: dict[str, str]) -> Composed:
    from psycopg.sql import SQL, Identifier  # noqa: PLC0415

    names = SQL(", ").join(map(Identifier, ["row", *columns]))
    return SQL("COPY {} ({}) FROM STDIN").format(Identifier(*to.table), names)


def _names(fields: dict[str, ColumnKind]) -> list[str]:
    """Names of columns: within the length that Postgres takes, and none of its own."""
    short = [
        name.replace("\0", "_").encode()[: LONGEST_NAME - _ROOM_FOR_A_NUMBER].decode(errors="ignore") for name in fields
    ]
    return distinct_names([*_RESERVED, *short])[len(_RESERVED) :]


def _storable(cell: Any) -> Any:
    """A cell without NUL characters, which Postgres stores in no text."""
    return cell.replace("\0", "\ufffd") if isinstance(cell, str) and "\0" in cell else cell


def _storable_json(cell: str | None) -> str | None:
    """The same for a JSON text, where they are written as an escape."""
    return as_json(_without_nul(msgspec.json.decode(cell))) if cell is not None and "\\u0000" in cell else cell


def _without_nul(value: Any) -> Any:
    if isinstance(value, str):
        return value.replace("\0", "\ufffd")
    if isinstance(value, dict):
        return {name.replace("\0", "\ufffd"): _without_nul(inner) for name, inner in value.items()}
    return [_without_nul(inner) for inner in value] if isinstance(value, list) else value


@contextlib.contextmanager
def _connected(to: PostgresTable) -> Iterator[Connection[Any]]:
    """A connection whose transaction is committed at the end of the block, or rolled back. Raises `OutputUnwritable` in one line."""
    try:
        import psycopg  # noqa: PLC0415 - an extra
    except ImportError:
        raise MissingExtra(
            "Postgres needs psycopg", where=str(to), advice="Install it with: pip install 'gemwalker[postgres]'"
        ) from None
    own: dict[str, Any] = {} if "connect_timeout=" in to.url else {"connect_timeout": _CONNECT_SECONDS}
    try:
        with psycopg.connect(to.url, application_name="walker", **own) as connection:
            yield connection
    except psycopg.Error as error:
        said = error.diag.message_primary or next(iter(str(error).splitlines()), type(error).__name__)
        # What a server that answers objects to has a code of five characters.
        raise OutputUnwritable(
            f"it cannot be written ({without_secrets(said, to)})",
            where=str(to),
            advice=_WRITING if error.sqlstate else _CONNECTING,
        ) from None
