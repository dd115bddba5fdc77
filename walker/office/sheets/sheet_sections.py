"""A sheet as a section of a document, with what is said of its rows that are not there."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import quote

from walker.office.parts.office_document import Section
from walker.office.sheets.sheet_tables import Grid, blocks_of


def sheet_section(name: str, grid: Grid, left_out: Iterable[str]) -> Section:
    """The section of a sheet; empty lines of `left_out` say nothing."""
    said = [line for line in left_out if line]
    if not grid.rows and not said:
        said.append("This sheet is empty.")
    return Section(
        anchor=f"sheet={quote(name, safe='')}",
        title=f"Sheet: {name}",
        blocks=tuple(blocks_of(grid)),
        left_out=tuple(said),
    )


def counted(number: int, one: str, many: str) -> str:
    """A sentence about a number of things, "" for none: "2 hidden rows are left out."."""
    return f"{number} {one if number == 1 else many}." if number else ""
