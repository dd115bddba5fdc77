"""Steps as CSV, for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

import msgspec

from traces.export.step_rows import StepRow

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet would take a text for a formula by."""


def csv_of(rows: Iterable[StepRow]) -> bytes:
    """A line of names, then one for each row, in UTF-8. A text from a page that looks like a formula gets a quote before it."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(StepRow.__struct_fields__)
    for row in rows:
        writer.writerow([_harmless(value) for value in msgspec.structs.astuple(row)])
    return out.getvalue().encode("utf-8", "replace")


def _harmless(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value
