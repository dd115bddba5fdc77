"""Rows of a Word table placed on its grid: cells that are merged, and which rows are its head."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from walker.office.parts.office_document import Cell


class RawCell(msgspec.Struct, frozen=True, kw_only=True):
    """A cell as the file has it."""

    cell: Cell
    goes_on: bool = False
    """It belongs to the cell above it."""


def placed(rows: Sequence[Sequence[RawCell]]) -> tuple[tuple[Cell, ...], ...]:
    """The rows without the cells that others cover; a cell that goes on below has the height that it takes."""
    above: dict[int, tuple[int, int]] = {}
    made: list[list[Cell]] = []
    for number, row in enumerate(rows):
        line: list[Cell] = []
        column = 0
        for raw in row:
            wide = raw.cell.wide
            if raw.goes_on and column in above:
                top, place = above[column]
                made[top][place] = msgspec.structs.replace(made[top][place], high=made[top][place].high + 1)
            else:
                above[column] = (number, len(line))
                line.append(raw.cell)
            column += wide
        made.append(line)
    return tuple(tuple(line) for line in made)
