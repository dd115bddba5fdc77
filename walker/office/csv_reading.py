"""Tables in text (.csv, .tsv) to a document of one table."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter

from walker.office.parts.limits import COLUMNS_AT_MOST, ROWS_A_SHEET, CellRoom, Deadline
from walker.office.parts.office_document import OfficeDocument, Section
from walker.office.parts.spans import without_controls
from walker.office.parts.unreadable import Unreadable
from walker.office.sheets.sheet_sections import counted
from walker.office.sheets.sheet_tables import Grid, GridCell, blocks_of

DELIMITERS = (",", ";", "\t", "|")
SAMPLE_LINES = 50
_SEPARATOR = re.compile(r"sep=(.)\r?\n", re.IGNORECASE)
_VALUE = re.compile(
    r"[-+(]?\s*[$€£¥]?\s*(?:\d{1,3}(?:[,. '\u00a0\u202f]\d{3})+|\d+)(?:[.,]\d+)?(?:[eE][-+]?\d+)?\s*(?:%|[$€£¥]|kr)?\)?"
    r"|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T ]\d{1,2}:\d\d.*)?|\d{1,2}:\d\d(?::\d\d)?"
)


def read_tsv(text: str, deadline: Deadline) -> OfficeDocument:
    """The document of a file of values between tabs. Raises `Unreadable`."""
    return read_csv(text, deadline, delimiter="\t")


def read_csv(text: str, deadline: Deadline, delimiter: str = "") -> OfficeDocument:
    """The document. What stands between the values is found where it is not given. Raises `Unreadable`."""
    told = _SEPARATOR.match(text)
    text = text[told.end() :] if told else text
    delimiter = told[1] if told else delimiter or delimiter_of(text)
    csv.field_size_limit(len(text) + 1)
    rows: dict[int, dict[int, GridCell]] = {}
    room = CellRoom(deadline)
    number = last = last_read = 0
    wide: set[int] = set()
    try:
        for line in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
            if any(line):
                last = number + 1
            if len(rows) < ROWS_A_SHEET and not room.is_full:
                wide.update(place for place, value in enumerate(line[COLUMNS_AT_MOST:]) if value)
                rows[number] = _row(line[:COLUMNS_AT_MOST])
                room.take(cell.text for cell in rows[number].values())
                last_read = number + 1
            number += 1
    except csv.Error as error:
        raise Unreadable(f"it is called a table in text, and is none ({error})") from None
    if not last:
        raise Unreadable("it is empty")
    left_out = (
        f"This file has {last} rows; only those up to row {last_read} are shown." if last_read < last else "",
        counted(
            len(wide),
            f"column beyond the first {COLUMNS_AT_MOST} is left out",
            f"columns beyond the first {COLUMNS_AT_MOST} are left out",
        ),
    )
    blocks = tuple(blocks_of(Grid(rows=rows, has_names=True)))
    return OfficeDocument(sections=(Section(blocks=blocks, left_out=tuple(line for line in left_out if line)),))


def delimiter_of(text: str) -> str:
    """What stands between the values: what most of the first lines have equally often."""
    lines = list(csv.reader(io.StringIO(text[:100_000], newline=""), delimiter="\0"))[:SAMPLE_LINES]
    sample = [line[0] for line in lines if line and line[0].strip()]

    def evenness(delimiter: str) -> tuple[int, int]:
        counts = Counter(len(row) for row in csv.reader(sample, delimiter=delimiter))
        (columns, often), *_ = counts.most_common(1) or [(1, 0)]
        return (often if columns > 1 else 0, columns)

    return max(DELIMITERS, key=evenness)


def _row(line: list[str]) -> dict[int, GridCell]:
    row: dict[int, GridCell] = {}
    for place, value in enumerate(line):
        text = without_controls(value).strip()
        if text:
            row[place] = GridCell(text, is_value=_VALUE.fullmatch(text) is not None)
    return row
