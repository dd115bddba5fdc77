"""Checks a vision model's answer and its location against the DOM text and the OCR text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

import msgspec

from perception.element_map import ElementMap, PageElement
from perception.geometry import Box
from perception.grounding.grounding import Evidence, Grounding, combine
from perception.ocr.ocr import Line

LEAST_SHARE = 1 / 3
"""Share of a text's words that the answer must make up: a longer text that merely mentions it is no location of it."""
FULL_MATCH = 0.9
"""Score of a text that is the answer and nothing else; a longer text scores in proportion."""
SAME_PLACE = 0.8
"""Share of one element inside another from which both are one location: text on a button, a cell in its table's picture."""
WHOLE_PAGE = 0.5
"""Share of the page from which an element is too large to be a location."""
DISPUTED = 0.5
"""Confidence in an answer whose evidence sources disagree: at most a coin's toss."""
_WORD = re.compile(r"[\u3040-\u9fff]|[^\W_]+")


class _Place(msgspec.Struct, frozen=True):
    element: PageElement
    score: float
    box: Box


def element_at(elements: ElementMap, box: Box) -> PageElement | None:
    """The visible element that a box refers to: the one of highest IoU (above 0.5), else the topmost at the box's centre."""
    seen = [element for element in elements.elements if not element.unseen]
    best = max(seen, key=lambda element: element.box.iou(box), default=None)
    return best if best is not None and best.box.iou(box) > 0.5 else elements.hit(box.center)


def corroborate_answer(answer: str, elements: ElementMap, lines: Sequence[Line], picked: Evidence) -> Grounding:
    """Where an answer is, that a vision model located on the element `picked`, and how confident that is, 0..1.

    `wants_zoom` is set where the DOM or the OCR text has the answer elsewhere; a source without the answer is no evidence.
    """
    asked = _words(answer)
    chosen = elements.element(picked.element)
    if chosen is None or not asked:
        return Grounding(reason="the model points at no element")
    page = elements.page_width * elements.page_height
    seen = [one for one in elements.elements if not one.unseen and (not page or one.box.area < WHOLE_PAGE * page)]
    named = [_Place(one, share, one.box) for one in seen if (share := _share(asked, one.label)) >= LEAST_SHARE]
    read = [
        _Place(under, share * line.confidence, line.box)
        for line in lines
        if (share := _share(asked, line.text)) >= LEAST_SHARE and (under := _under(line.box, seen)) is not None
    ]
    best = {"dom": _nearest(named, chosen), "ocr": _nearest(read, chosen)}
    sources = {name: place for name, place in best.items() if place is not None}
    witnesses = [
        Evidence(
            name="dom" if name == "dom" else "ocr",
            element=chosen.id if is_same_place(place.element, chosen) else place.element.id,
            score=round(FULL_MATCH * place.score, 4),
        )
        for name, place in sources.items()
    ]
    place = max(sources.values(), key=lambda place: place.score, default=_Place(chosen, picked.score, chosen.box))
    grounding = Grounding(
        element=place.element.id,
        box=place.box,
        point=place.box.center,
        witnesses=(*witnesses, picked),
        confidence=DISPUTED,
    )
    if grounding.wants_zoom:
        return msgspec.structs.replace(grounding, reason="the answer is elsewhere than where the model points")
    sure = combine((picked.score, *(witness.score for witness in witnesses)))
    reason = "confirmed by " + " and ".join(sources) if sources else "by the model alone"
    return msgspec.structs.replace(grounding, element=chosen.id, confidence=round(sure, 4), reason=reason)


def is_same_place(one: PageElement, other: PageElement) -> bool:
    """Whether two elements are one location: either lies almost wholly inside the other."""
    return one.box.share_in(other.box) > SAME_PLACE or other.box.share_in(one.box) > SAME_PLACE


def _nearest(places: Sequence[_Place], chosen: PageElement) -> _Place | None:
    """Of the locations of an answer the best one that the model chose, else the best."""
    here = [place for place in places if is_same_place(place.element, chosen)]
    return max(here or places, key=lambda place: place.score, default=None)


def _under(box: Box, elements: Sequence[PageElement]) -> PageElement | None:
    """The smallest element under a line of text."""
    holding = [element for element in elements if element.box.holds(box.center)]
    return min(holding, key=lambda element: element.box.area, default=None)


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


def _share(asked: tuple[str, ...], text: str) -> float:
    """Share 0..1 of a text's words that the answer makes up, 0 where the text does not contain it verbatim."""
    words = _words(text)
    size = len(asked)
    stands = any(words[at : at + size] == asked for at in range(len(words) - size + 1))
    return size / len(words) if stands else 0.0
