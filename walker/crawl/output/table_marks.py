"""By what a table is known that a crawl made, and may replace."""

from __future__ import annotations

from walker.crawl.script.destination import DuckDbTable, PostgresTable
from walker.errors import OutputUnwritable

MADE_BY = "Records of a crawl, replaced by the next one (Walker)"
"""The comment of such a table."""


def foreign_table(to: DuckDbTable | PostgresTable) -> OutputUnwritable:
    """The one line for a table that is there and no crawl made."""
    return OutputUnwritable(
        "the table is there, and no crawl has made it", where=str(to), advice="Name another table, or drop this one"
    )
