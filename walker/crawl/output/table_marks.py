"""By what a table is known that a crawl made, and may replace; while the crawl runs also how far its rows go."""

from __future__ import annotations

import msgspec

from walker.crawl.output.spool import ColumnKind
from walker.crawl.script.destination import DuckDbTable, PostgresTable
from walker.errors import OutputUnwritable

MADE_BY = "Records of a crawl, replaced by the next one (Walker)"
"""The comment of such a table, alone once all is written."""


class TableState(msgspec.Struct, frozen=True, kw_only=True):
    """What is in a table of a crawl that runs."""

    job: str
    """The job whose records these are."""
    until: int
    """The row of its last record in the job."""
    rows: int
    columns: dict[str, ColumnKind]
    """Fields of the records, in order."""


def is_made(mark: str) -> bool:
    """Whether a comment is that of a table that a crawl made."""
    return mark == MADE_BY or state_of(mark) is not None


def mark_of(state: TableState) -> str:
    """The comment of a table of a crawl that runs."""
    return f"{MADE_BY} {msgspec.json.encode(state).decode()}"


def state_of(mark: str) -> TableState | None:
    """What a comment says of a crawl that runs, None where it says nothing of one."""
    head, found, told = mark.partition(f"{MADE_BY} ")
    if head or not found:
        return None
    try:
        return msgspec.json.decode(told, type=TableState)
    except msgspec.DecodeError:
        return None


def foreign_table(to: DuckDbTable | PostgresTable) -> OutputUnwritable:
    """The one line for a table that is there and no crawl made."""
    return OutputUnwritable(
        "the table is there, and no crawl has made it", where=str(to), advice="Name another table, or drop this one"
    )


def changed_table(to: DuckDbTable | PostgresTable) -> OutputUnwritable:
    """The one line for a table that is not as this crawl left it."""
    return OutputUnwritable(
        "another crawl writes this table", where=str(to), advice="Name another table for one of the two"
    )


msgspec.json.Decoder(TableState)  # described at import: docs/design/msgspec.md
