"""How much of an office file is read."""

from __future__ import annotations

import time
from collections.abc import Iterable

BLOCKS_AT_MOST = 50_000
"""Paragraphs and rows of a text or of slides: about 1,000 pages."""
CHARS_AT_MOST = 5_000_000
CELL_CHARS = 5_000
ROWS_A_SHEET = 10_000
CELLS_AT_MOST = 200_000
COLUMNS_AT_MOST = 200
SHEETS_AT_MOST = 100
SLIDES_AT_MOST = 1_000


class Deadline:
    """The processor time that one file may take, in seconds from now: a busy machine reads no less."""

    def __init__(self, seconds: float) -> None:
        self._until = time.process_time() + seconds

    @property
    def is_over(self) -> bool:
        """Whether no more is read."""
        return time.process_time() > self._until


class BlockLimit:
    """Counts the blocks and characters of a text or of slides."""

    def __init__(self, deadline: Deadline) -> None:
        self._deadline = deadline
        self._blocks = self._chars = 0
        self._is_reached = False

    @property
    def is_reached(self) -> bool:
        """Whether no more is read."""
        return self._is_reached

    @property
    def left_out(self) -> tuple[str, ...]:
        """What is said of a file that is longer."""
        return (f"The file is longer: only its first {self._blocks} paragraphs are shown.",) if self._is_reached else ()

    def count(self, chars: int = 0) -> None:
        """One more, of so many characters."""
        self._blocks += 1
        self._chars += chars
        self._is_reached = self._blocks >= BLOCKS_AT_MOST or self._chars >= CHARS_AT_MOST or self._deadline.is_over


class CellRoom:
    """How many cells and characters of sheets a file may still give."""

    def __init__(self, deadline: Deadline) -> None:
        self._deadline = deadline
        self._cells, self._chars = CELLS_AT_MOST, CHARS_AT_MOST

    @property
    def is_full(self) -> bool:
        """Whether no more is read."""
        return self._cells <= 0 or self._chars <= 0 or self._deadline.is_over

    def take(self, texts: Iterable[str]) -> None:
        """The texts of a row that was read."""
        for text in texts:
            self._cells -= 1
            self._chars -= len(text)
