"""Tables and long lines that fit the terminal. A pipe or a file gets them in full width.

Where a terminal is too narrow for a table, cells are shortened with "…" as far as their columns allow, then columns are dropped; the
whole is in `--json`. Widths are those of a terminal: a Chinese character takes two columns.
"""

from __future__ import annotations

import itertools
import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

import click
import msgspec
from rich.cells import cell_len

MORE = "…"
_WORD = re.compile(r"(?P<blanks>\s*)(?P<word>\S+)")
_LEAST_ROOM = 20
"""Columns that a line has behind its indentation, however narrow the terminal."""


class Column(msgspec.Struct, frozen=True, kw_only=True):
    """How a column gives way."""

    gap: int = 2
    """Blanks in front of it."""
    side: Literal["left", "right"] = "left"
    least: int = 0
    """Columns of the terminal that a pipe gives it at least; a terminal gives what its widest cell takes."""
    shortest: int = 0
    """Columns to which its cells may be shortened, 0 for never."""
    cut: Literal["end", "middle"] = "end"
    rank: int = 0
    """Columns of the highest rank are dropped first, those of rank 0 never."""


def terminal_width(*, err: bool = False) -> int | None:
    """Columns of the terminal that is stdout (stderr), None where it is none."""
    stream = sys.stderr if err else sys.stdout
    return shutil.get_terminal_size().columns if stream.isatty() else None


def print_rows(columns: Sequence[Column], rows: Iterable[Sequence[str]], *, err: bool = False) -> None:
    """Print one line a row: on a terminal when all are known, into a pipe as they come."""
    width = terminal_width(err=err)
    for table in ([row] for row in rows) if width is None else (list(rows),):
        for line in table_lines(columns, table, width):
            click.echo(line, err=err)


def print_folded(text: str, *, hang: int = 2, err: bool = False) -> None:
    """Print a line; on a terminal it is folded at blanks, and goes on `hang` columns further in than it begins."""
    width = terminal_width(err=err)
    for line in (text,) if width is None else folded(text, width, hang):
        click.echo(line, err=err)


def table_lines(columns: Sequence[Column], rows: Sequence[Sequence[str]], width: int | None) -> list[str]:
    """One line a row, with as many cells as there are columns; `width` None for no limit."""
    rows = [[" ".join(cell.splitlines()).rstrip() for cell in row] for row in rows]
    if width is None:
        return [_line(columns, row, [column.least for column in columns]) for row in rows]
    least = [column.least if len(rows) == 1 else 0 for column in columns]  # told line by line
    widest = [max((cell_len(row[place]) for row in rows), default=0) for place in range(len(columns))]
    widest = [max(wide, floor) if wide else 0 for wide, floor in zip(widest, least, strict=True)]
    shown = [place for place in range(len(columns)) if widest[place]]
    while True:
        widths = _widths([columns[place] for place in shown], [widest[place] for place in shown], width)
        droppable = [place for place in shown if columns[place].rank]
        if widths is not None or not droppable:
            break
        shown.remove(max(droppable, key=lambda place: columns[place].rank))
    kept = [columns[place] for place in shown]
    if widths is None:
        widths = [column.shortest or widest[place] for column, place in zip(kept, shown, strict=True)]
    lines = (_line(kept, [row[place] for place in shown], widths, cuts=True) for row in rows)
    return [shortened(line, width) for line in lines]


def folded(text: str, width: int, hang: int = 0) -> Iterator[str]:
    """Lines of at most `width`, broken at blanks and within Chinese text; a longer word, such as an address, stays whole."""
    text = " ".join(text.splitlines())
    start = len(text) - len(text.lstrip(" "))
    indent = min(start + hang, max(0, width - _LEAST_ROOM))
    line, begun = " " * start, False
    for found in _WORD.finditer(text.strip()):
        for number, piece in enumerate(_pieces(found["word"])):
            joint = found["blanks"] if number == 0 else ""
            has_begun = cell_len(line) > indent + 1  # an address goes on behind a letter or two
            if begun and has_begun and cell_len(line) + len(joint) + cell_len(piece) > width:
                yield line
                line, joint = " " * indent, ""
            line, begun = line + joint + piece, True
    yield line


def shortened(text: str, room: int, cut: Literal["end", "middle"] = "end") -> str:
    """The text in at most so many columns of a terminal, "…" for what is left out."""
    if cell_len(text) <= room:
        return text
    tail = (room - 1) // 2 if cut == "middle" else 0
    end = _head(reversed(text), tail)[::-1]
    return f"{_head(text, room - 1 - tail)}{MORE}{end}"


def _widths(columns: Sequence[Column], widest: Sequence[int], width: int) -> list[int] | None:
    """The widths with which a row fits, None if there are none. The longest columns give way first."""
    widths = [min(wide, width) if column.shortest else wide for column, wide in zip(columns, widest, strict=True)]
    excess = sum(widths) + sum(column.gap for column in columns[1:]) + (columns[0].gap if columns else 0) - width
    floors = [min(column.shortest or wide, wide) for column, wide in zip(columns, widths, strict=True)]
    if excess > sum(widths) - sum(floors):
        return None
    for _ in range(excess):
        place = max(range(len(widths)), key=lambda one: widths[one] - floors[one])
        widths[place] -= 1
    return widths


def _line(columns: Sequence[Column], row: Sequence[str], widths: Sequence[int], *, cuts: bool = False) -> str:
    parts = []
    for column, cell, width in zip(columns, row, widths, strict=True):
        text = shortened(cell, width, column.cut) if cuts else cell
        blanks = " " * (width - cell_len(text))
        parts.append(" " * column.gap + (blanks + text if column.side == "right" else text + blanks))
    return "".join(parts).rstrip()


def _pieces(word: str) -> Iterator[str]:
    """What a word may be broken into: wide characters one by one, others together."""
    for is_wide, group in itertools.groupby(word, lambda character: cell_len(character) > 1):
        characters = "".join(group)
        yield from characters if is_wide else (characters,)


def _head(characters: Iterable[str], room: int) -> str:
    kept = ""
    for character in characters:
        room -= cell_len(character)
        if room < 0:
            break
        kept += character
    return kept
