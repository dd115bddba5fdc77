"""Differences between OCR text and DOM text: text only in the picture, and text that is in the DOM but invisible."""

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
"""Farthest distance, in line heights, between a DOM text and an OCR line of the same text."""
ALIKE = 0.75
"""Similarity 0..1 from which two texts are the same, up to OCR errors."""
_CONFUSED = str.maketrans({"0": "o", "1": "l", "i": "l", "|": "l", "5": "s", "8": "b", "：": ":", "，": ",", "。": "."})
_NO_LETTER = re.compile(r"[\W_]+")


class SeenOnly(msgspec.Struct, frozen=True, kw_only=True):
    """An OCR line that the DOM text lacks; `figure` is the id of the figure around it, 0 for none."""

    text: str
    box: Box
    confidence: float
    figure: int = 0


class UnseenText(msgspec.Struct, frozen=True, kw_only=True):
    """An invisible text of the page, and why it is invisible."""

    text: str
    box: Box
    reason: str
    element: int


class Discrepancies(msgspec.Struct, frozen=True, kw_only=True):
    """Both directions: what the DOM text misses, and what may be meant for machines only."""

    seen_only: tuple[SeenOnly, ...] = ()
    unseen: tuple[UnseenText, ...] = ()


def find_discrepancies(elements: ElementMap, lines: Sequence[Line]) -> Discrepancies:
    """Compare the OCR lines of a picture with the elements that it shows."""
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
    """A text for comparison with OCR: without case, spaces and punctuation, and with look-alike characters made one."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return _NO_LETTER.sub("", plain).translate(_CONFUSED)


def _says(element: PageElement, line: Line) -> bool:
    """Whether an element near the line contains its text."""
    if element.box.distance(line.box) > NEAR_EMS * line.box.height:
        return False
    read = normalized(line.text)
    return any(_holds(normalized(text), read) for text in (element.text, element.name) if text)


def _is_read(element: PageElement, lines: Sequence[Line]) -> bool:
    """Whether OCR found a text that the DOM says is invisible."""
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
    # One line of a longer text, with OCR errors: the best-matching window.
    return fuzz.partial_ratio(read, text) >= 100 * ALIKE


def _figure_of(line: Line, figures: Sequence[PageElement]) -> int:
    inside = [figure for figure in figures if line.box.share_in(figure.box) > 0.8]
    return min(inside, key=lambda figure: figure.box.area).id if inside else 0
