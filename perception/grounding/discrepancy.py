"""What the eye sees and the page's text lacks, and what the text holds and nobody sees."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

import msgspec
from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from perception.element_map import ElementMap, PageElement
from perception.geometry import Box
from perception.ocr.ocr import Line

NEAR_EMS = 1.0
"""How far, in heights of the line, a text of the page may stand from what was read to be the same."""
ALIKE = 0.75
"""Likeness of two texts, 0..1, from which one is the other, read with errors."""
_CONFUSED = str.maketrans({"0": "o", "1": "l", "i": "l", "|": "l", "5": "s", "8": "b", "：": ":", "，": ",", "。": "."})
_NO_LETTER = re.compile(r"[\W_]+")


class SeenOnly(msgspec.Struct, frozen=True, kw_only=True):
    """A line that is seen and that the page's text lacks; `figure` is the id of the figure that it lies in, 0 for none."""

    text: str
    box: Box
    confidence: float
    figure: int = 0


class UnseenText(msgspec.Struct, frozen=True, kw_only=True):
    """A text of the page that nobody sees, and why."""

    text: str
    box: Box
    reason: str
    element: int


class Discrepancies(msgspec.Struct, frozen=True, kw_only=True):
    """Both directions. The first says where the text of the page is blind, the second what may be meant for machines only."""

    seen_only: tuple[SeenOnly, ...] = ()
    unseen: tuple[UnseenText, ...] = ()


def find_discrepancies(elements: ElementMap, lines: Sequence[Line]) -> Discrepancies:
    """Compare what was read in a picture with the elements that it shows."""
    texts = [element for element in elements.elements if (element.text or element.name) and not element.unseen]
    figures = [element for element in elements.elements if element.kind == "figure"]
    return Discrepancies(
        seen_only=tuple(
            SeenOnly(text=line.text, box=line.box, confidence=line.confidence, figure=_figure_of(line, figures))
            for line in lines
            if normalized(line.text) and not any(_says(element, line) for element in texts)
        ),
        unseen=tuple(
            UnseenText(text=element.text, box=element.box, reason=element.unseen, element=element.id)
            for element in elements.elements
            if element.unseen and element.text and not _is_read(element, lines)
        ),
    )


def normalized(text: str) -> str:
    """A text as letters are compared: without case, space and punctuation, what readers confuse made one."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return _NO_LETTER.sub("", plain).translate(_CONFUSED)


def _says(element: PageElement, line: Line) -> bool:
    """Whether the page's own text near the line holds it."""
    if element.box.distance(line.box) > NEAR_EMS * line.box.height:
        return False
    read = normalized(line.text)
    return any(_holds(normalized(text), read) for text in (element.text, element.name) if text)


def _is_read(element: PageElement, lines: Sequence[Line]) -> bool:
    """Whether the letters of a text that should not be seen are there all the same."""
    return any(
        line.box.overlap(element.box) > 0.3 * line.box.area and _holds(normalized(element.text), normalized(line.text))
        for line in lines
    )


def _holds(text: str, read: str) -> bool:
    if not text or not read:
        return False
    if read in text or text in read:
        return True
    if len(text) <= len(read):
        return float(Levenshtein.normalized_similarity(text, read)) >= ALIKE
    # One line of a longer text, read with errors: the best of its windows.
    return fuzz.partial_ratio(read, text) >= 100 * ALIKE


def _figure_of(line: Line, figures: Sequence[PageElement]) -> int:
    inside = [figure for figure in figures if line.box.share_in(figure.box) > 0.8]
    return min(inside, key=lambda figure: figure.box.area).id if inside else 0
