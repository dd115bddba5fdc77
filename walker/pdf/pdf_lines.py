"""Lines of a PDF page: pieces of text as the file places them, gathered by their height on the page."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Sequence
from typing import Any

import msgspec

SAME_LINE = 0.35
"""Of the type size: how far apart in height two pieces of one line are at most."""
CELL_GAP = 2.0
"""Of the type size: the gap from which the next piece is another cell."""
WIDE_FROM = "\u2e80"
"""Characters from here on are about as wide as the type is high, others half as wide."""
_BOLD = re.compile(r"bold|black|heavy|semib|demi", re.IGNORECASE)
_MARK = re.compile(r"\W|o|\(?(?:\d{1,3}|[A-Za-z])[.)]")
"""What stands before a list item, often at some distance."""
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


class PdfPiece(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Text from one place of a page; x and y in points from the lower left corner."""

    text: str
    x: float
    y: float
    size: float
    """Type size in points, as drawn."""
    bold: bool = False
    spaced: bool = False
    """The reader found a line or word to end before it."""


class PdfLine(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Text at one height; cells that stand far apart are separate."""

    cells: tuple[str, ...]
    x: float
    y: float
    end: float
    """About where it ends to the right."""
    size: float
    bold: bool = False

    @property
    def text(self) -> str:
        """The cells, one after the other."""
        return " ".join(self.cells)


class PieceCollector:
    """A text visitor of pypdf that keeps the pieces in the order of the file."""

    def __init__(self) -> None:
        self.pieces: list[PdfPiece] = []
        self._spaced = False

    def __call__(self, text: str, cm: Sequence[float], tm: Sequence[float], font: Any, size: float) -> None:
        """Take one piece, with the matrices that place it."""
        if not text.strip():
            self._spaced = self._spaced or bool(text)
            return
        x = tm[4] * cm[0] + tm[5] * cm[2] + cm[4]
        y = tm[4] * cm[1] + tm[5] * cm[3] + cm[5]
        scale = math.hypot(tm[2] * cm[0] + tm[3] * cm[2], tm[2] * cm[1] + tm[3] * cm[3])
        height = abs(size * scale) or 1.0
        bold = bool(_BOLD.search(str(font.get("/BaseFont", "")))) if font is not None else False
        for number, line in enumerate(text.split("\n")):
            if line.strip():
                self.pieces.append(
                    PdfPiece(
                        text=clean(line),
                        x=x,
                        y=y - number * 1.2 * height,
                        size=height,
                        bold=bold,
                        spaced=self._spaced or number > 0,
                    )
                )
            self._spaced = False
        self._spaced = text[-1].isspace()


def clean(text: str) -> str:
    """Text without control characters and halves of surrogate pairs, ligatures (\ufb01) as letters."""
    plain = _CONTROL.sub(" ", text)
    return "".join(unicodedata.normalize("NFKC", one) if "\ufb00" <= one <= "\ufb06" else one for one in plain)


def lines_of(pieces: Sequence[PdfPiece]) -> list[PdfLine]:
    """The lines in the order of the file, which is the reading order of nearly all files."""
    gathered: list[list[PdfPiece]] = []
    for piece in pieces:
        line = gathered[-1] if gathered else []
        if line and abs(piece.y - line[-1].y) <= SAME_LINE * max(piece.size, line[-1].size) and piece.x >= line[0].x:
            line.append(piece)
        else:
            gathered.append([piece])
    lines = (_line(line) for line in gathered)
    return [line for line in lines if line.cells]


def width_of(text: str, size: float) -> float:
    """About how wide a text is, in points: fonts' own widths are often missing."""
    return size * sum(1.0 if letter >= WIDE_FROM else 0.5 for letter in text)


def _line(pieces: Sequence[PdfPiece]) -> PdfLine:
    cells: list[str] = []
    end = pieces[0].x
    for piece in pieces:
        gap = piece.x - end
        if not cells or (gap > CELL_GAP * piece.size and piece.text.strip()):
            cells.append(piece.text)
        else:
            cells[-1] += f" {piece.text}" if piece.spaced and not cells[-1].endswith(" ") else piece.text
        end = max(end, piece.x + width_of(piece.text.rstrip(), piece.size))
    letters = sum(len(piece.text) for piece in pieces)
    texts = [text for cell in cells if (text := " ".join(cell.split()))]
    if len(texts) > 1 and _MARK.fullmatch(texts[0]):
        texts[:2] = [f"{texts[0]} {texts[1]}"]
    return PdfLine(
        cells=tuple(texts),
        x=pieces[0].x,
        y=pieces[0].y,
        end=end,
        size=round(max(pieces, key=lambda piece: len(piece.text)).size, 1),
        bold=sum(len(piece.text) for piece in pieces if piece.bold) > letters / 2,
    )
