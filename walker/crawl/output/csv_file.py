"""CSV (RFC 4180), in UTF-8.

Spreadsheets execute cells that begin like a formula. To prevent CSV injection, such texts from a site are prefixed with an
apostrophe; numbers keep their sign. Lists, mappings and columns of mixed types are JSON, booleans `true` and `false`.
"""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Any

from walker.crawl.output.spool import Spool

_FORMULA = re.compile(r"[\s\x00]*[=+\-@＝＋－＠]|[\t\r\n]")
_NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)*(?:[eE][+-]?\d+)?%?")


def write_csv(spool: Spool, path: Path) -> None:
    """Write all records, after a header line."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        if spool.columns:
            writer.writerow([harmless(name) for name in spool.columns])
        for cells in spool.cells():
            writer.writerow([_shown(cell) for cell in cells])


def harmless(text: str) -> str:
    """The text, escaped so that no spreadsheet executes it."""
    return "'" + text if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def _shown(cell: Any) -> str | int | float:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return harmless(cell) if isinstance(cell, str) else cell
