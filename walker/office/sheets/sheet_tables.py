"""A grid of cells to blocks: rows between empty rows are a table, with its head; a single text above it is a heading."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from walker.office.parts.limits import CELL_CHARS
from walker.office.parts.office_document import Block, Cell, Span

HEADING_CHARS = 120
HEADS_AT_MOST = 4
"""Most rows of a table's head that are found by what stands in them."""
COVERED_AT_MOST = 200_000
"""Places that merged cells cover; further ones are shown as if they were not merged."""
TEXTS_ALONE = 3
"""Columns from which a first row is the head of a table that holds texts only."""


class GridCell(msgspec.Struct, frozen=True, gc=False):
    """A cell that is not empty."""

    text: str
    url: str = ""
    is_value: bool = False
    """A number, date or truth value, not a text."""
    is_bold: bool = False


Row = Mapping[int, GridCell]
"""Cells by their columns, from 0."""


class Grid(msgspec.Struct, frozen=True, kw_only=True):
    """What of a sheet is shown: its rows by their numbers, from 0."""

    rows: Mapping[int, Row]
    merged: Mapping[tuple[int, int], tuple[int, int]] = msgspec.field(default_factory=dict)
    """Width and height of merged cells by row and column of their first; hidden rows and columns do not count."""
    heads: frozenset[int] = frozenset()
    """Rows that the file declares as heads of tables."""
    has_names: bool = False
    """The first row names the columns, as in a CSV file, if it holds texts only."""


def blocks_of(sheet: Grid) -> Iterator[Block]:
    """The blocks of a sheet, from its first row to its last."""
    grid, covered = _with_places(sheet)
    for numbers in _regions(grid, covered):
        start = 0
        while start < len(numbers) and (alone := _alone(grid, numbers[start])) is not None:
            is_last = start + 1 == len(numbers)
            yield _text_block(alone, is_heading=not is_last or bool(alone.is_bold))
            start += 1
        if start < len(numbers):
            yield _table(grid, numbers[start:], covered)


def _with_places(sheet: Grid) -> tuple[Grid, frozenset[tuple[int, int]]]:
    """The sheet without merged cells that there is no room for, and the places that the others cover beside their first."""
    found: set[tuple[int, int]] = set()
    merged: dict[tuple[int, int], tuple[int, int]] = {}
    bottom = max(sheet.rows, default=0)
    for (row, column), (wide, whole) in sheet.merged.items():
        high = min(whole, bottom + 1 - row)
        if high < 1 or len(found) + wide * high > COVERED_AT_MOST or (row, column) in found:
            continue
        merged[row, column] = (wide, high)
        found.update((at, place) for at in range(row, row + high) for place in range(column, column + wide))
        found.discard((row, column))
    return msgspec.structs.replace(sheet, merged=merged), frozenset(found)


def _regions(grid: Grid, covered: frozenset[tuple[int, int]]) -> Iterator[list[int]]:
    """Numbers of rows that follow each other without an empty row between."""
    reached = {row for row, _ in covered}
    region: list[int] = []
    last = -1
    for number in sorted({number for number, row in grid.rows.items() if row} | reached):
        if (
            region
            and number != last + 1
            and not all(one in grid.rows and grid.rows[one] for one in range(last + 1, number))
        ):
            yield region
            region = []
        region.append(number)
        last = number
    if region:
        yield region


def _alone(grid: Grid, number: int) -> GridCell | None:
    """The only cell of a row, where it is a text that can stand above a table."""
    row = grid.rows.get(number, {})
    if len(row) != 1:
        return None
    (column, cell), *_ = row.items()
    _, high = grid.merged.get((number, column), (1, 1))
    return cell if not cell.is_value and high == 1 else None


def _text_block(cell: GridCell, *, is_heading: bool) -> Block:
    is_short = len(cell.text) <= HEADING_CHARS and not cell.text.rstrip().endswith((".", ";", ","))
    kind = "heading" if is_heading and is_short and not cell.url else "paragraph"
    return Block(kind="heading" if kind == "heading" else "paragraph", level=3, spans=_spans(cell))


def _table(grid: Grid, numbers: Sequence[int], covered: frozenset[tuple[int, int]]) -> Block:
    columns = [column for number in numbers for column in grid.rows.get(number, {})]
    within = set(numbers)
    columns += [column for number, column in covered if number in within]
    first, last = min(columns), max(columns)
    heads = _heads(grid, numbers, range(first, last + 1), covered)
    rows: list[tuple[Cell, ...]] = []
    for number in numbers:
        row, is_head = grid.rows.get(number, {}), number in heads
        line: list[Cell] = []
        for column in range(first, last + 1):
            if (number, column) in covered:
                continue
            cell = row.get(column)
            wide, high = grid.merged.get((number, column), (1, 1))
            line.append(Cell(_spans(cell) if cell is not None else (), is_head, wide, high))
        rows.append(tuple(line))
    return Block(kind="table", rows=tuple(rows))


def _heads(grid: Grid, numbers: Sequence[int], columns: range, covered: frozenset[tuple[int, int]]) -> frozenset[int]:
    """The rows of a table that are its head: those that the file declares, else first rows of texts above others."""
    declared = [place for place, number in enumerate(numbers) if number in grid.heads]
    if declared:
        return (
            frozenset(numbers[: declared[-1] + 1])
            if declared[-1] < HEADS_AT_MOST
            else frozenset((numbers[declared[0]],))
        )
    heads: list[int] = []
    for number in numbers[:HEADS_AT_MOST]:
        row = grid.rows.get(number, {})
        if not row or any(cell.is_value for cell in row.values()):
            break
        heads.append(number)
        is_whole = all(column in row or (number, column) in covered for column in columns)
        has_groups = any(grid.merged.get((number, column), (1, 1))[0] > 1 for column in row)
        if is_whole and not has_groups:
            break
        if not is_whole and not has_groups:
            return frozenset()
    below = [grid.rows.get(number, {}) for number in numbers[len(heads) :]]
    if not heads or not below:
        return frozenset()
    last = grid.rows.get(heads[-1], {})
    if len({cell.text.casefold() for cell in last.values()}) < len(last):
        return frozenset()
    if grid.has_names or any(cell.is_value for row in below for cell in row.values()):
        return frozenset(heads)
    is_marked = all(cell.is_bold for cell in last.values()) and not all(
        cell.is_bold for row in below for cell in row.values()
    )
    return frozenset(heads) if is_marked or len(last) >= TEXTS_ALONE else frozenset()


def _spans(cell: GridCell) -> tuple[Span, ...]:
    text = cell.text if len(cell.text) <= CELL_CHARS else f"{cell.text[:CELL_CHARS]}…"
    return (Span(text, cell.url),) if text else ()
