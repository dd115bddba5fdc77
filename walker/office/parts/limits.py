"""How much of an office file is read."""

from __future__ import annotations

BLOCKS_AT_MOST = 50_000
"""Paragraphs and rows of a text or of slides: about 1,000 pages."""
CHARS_AT_MOST = 5_000_000
CELL_CHARS = 5_000
ROWS_A_SHEET = 10_000
CELLS_AT_MOST = 200_000
COLUMNS_AT_MOST = 200
SHEETS_AT_MOST = 100
SLIDES_AT_MOST = 1_000


class BlockLimit:
    """Counts the blocks of a file."""

    def __init__(self) -> None:
        self._count = 0

    @property
    def is_reached(self) -> bool:
        """Whether no more is read."""
        return self._count >= BLOCKS_AT_MOST

    def count(self) -> None:
        """One more."""
        self._count += 1
