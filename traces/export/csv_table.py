"""Steps as CSV, for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

import msgspec

from traces.export.step_rows import StepRow

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""First characters by which a spreadsheet takes a text for a formula."""


def csv_of(rows: Iterable[StepRow]) -> bytes:
    """A header line, then one line per row, in UTF-8. Text from a page that looks like a formula is prefixed with a quote."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(StepRow.__struct_fields__)
    for row in rows:
        writer.writerow([_harmless(value) for value in msgspec.structs.astuple(row)])
    return out.getvalue().encode("utf-8", "replace")


def _harmless(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value
