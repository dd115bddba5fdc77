"""The head of a table in a text, where the file does not say which rows are it."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from walker.office.parts.office_document import Cell

COLUMNS_FROM = 3
"""Of two columns, the first row may as well be the first of a list of labels and values."""
HEAD_CHARS = 60
_DIGIT = re.compile(r"\d")

Rows = tuple[tuple[Cell, ...], ...]


def with_head(rows: Rows) -> Rows:
    """The rows, the first one as a head where it holds short, distinct texts without digits above rows of which some have digits."""
    if len(rows) < 2 or any(cell.is_head for row in rows for cell in row) or not _may_be_head(rows[0]):
        return rows
    if not any(_DIGIT.search(cell.text) for row in rows[1:] for cell in row[1:]):
        return rows
    return (tuple(msgspec.structs.replace(cell, is_head=True) for cell in rows[0]), *rows[1:])


def _may_be_head(row: Sequence[Cell]) -> bool:
    texts = [cell.text.strip() for cell in row]
    if len(texts) < COLUMNS_FROM or any(cell.high > 1 or cell.wide > 1 for cell in row):
        return False
    are_short = all(0 < len(text) <= HEAD_CHARS and not _DIGIT.search(text) for text in texts)
    return are_short and len({text.casefold() for text in texts}) == len(texts)
