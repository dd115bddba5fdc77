"""Whether an answer stands where a vision model points, by the page's own words and by the letters that were read."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

import msgspec

from perception.element_map import ElementMap, PageElement
from perception.geometry import Box
from perception.grounding.grounding import Grounding, Witness, combine
from perception.ocr.ocr import Line

LEAST_SHARE = 1 / 3
"""Of a text's words that the answer must make up: what merely mentions it is no place where it stands."""
BORNE_OUT = 0.9
"""What a text counts that is the answer and nothing else; one that holds more counts in proportion."""
SAME_PLACE = 0.8
"""Share of one element in another from which both are one place: letters on a button, a cell in its table's picture."""
WHOLE_PAGE = 0.5
"""Share of the page from which an element is no place at all."""
APART = 0.5
"""Confidence in an answer whose witnesses stand apart: at most a coin's toss."""
_WORD = re.compile(r"[\u3040-\u9fff]|[^\W_]+")


class _Place(msgspec.Struct, frozen=True):
    element: PageElement
    score: float
    box: Box


def element_at(elements: ElementMap, box: Box) -> PageElement | None:
    """The seen element that a box means: the one most alike, else the topmost at its middle."""
    seen = [element for element in elements.elements if not element.unseen]
    best = max(seen, key=lambda element: element.box.iou(box), default=None)
    return best if best is not None and best.box.iou(box) > 0.5 else elements.hit(box.center)


def corroborate_answer(answer: str, elements: ElementMap, lines: Sequence[Line], picked: Witness) -> Grounding:
    """Where an answer stands that a model placed on the element `picked`, and how sure that is.

    `wants_zoom` tells that the page or the letters have it elsewhere; whoever does not have it at all is no witness.
    """
    asked = _words(answer)
    chosen = elements.element(picked.element)
    if chosen is None or not asked:
        return Grounding(reason="the model points at nothing")
    page = elements.page_width * elements.page_height
    seen = [one for one in elements.elements if not one.unseen and (not page or one.box.area < WHOLE_PAGE * page)]
    named = [_Place(one, share, one.box) for one in seen if (share := _share(asked, one.label)) >= LEAST_SHARE]
    read = [
        _Place(under, share * line.confidence, line.box)
        for line in lines
        if (share := _share(asked, line.text)) >= LEAST_SHARE and (under := _under(line.box, seen)) is not None
    ]
    best = {"dom": _nearest(named, chosen), "ocr": _nearest(read, chosen)}
    heard = {name: place for name, place in best.items() if place is not None}
    witnesses = [
        Witness(
            name="dom" if name == "dom" else "ocr",
            element=chosen.id if is_one_place(place.element, chosen) else place.element.id,
            score=round(BORNE_OUT * place.score, 4),
        )
        for name, place in heard.items()
    ]
    place = max(heard.values(), key=lambda place: place.score, default=_Place(chosen, picked.score, chosen.box))
    told = Grounding(
        element=place.element.id,
        box=place.box,
        point=place.box.center,
        witnesses=(*witnesses, picked),
        confidence=APART,
    )
    if told.wants_zoom:
        return msgspec.structs.replace(told, reason="the answer stands elsewhere than the model points")
    sure = combine((picked.score, *(witness.score for witness in witnesses)))
    reason = "borne out by " + " and ".join(heard) if heard else "by the model alone"
    return msgspec.structs.replace(told, element=chosen.id, confidence=round(sure, 4), reason=reason)


def is_one_place(one: PageElement, other: PageElement) -> bool:
    """Whether two elements are the same thing to a person, or one lies in the other."""
    return one.box.share_in(other.box) > SAME_PLACE or other.box.share_in(one.box) > SAME_PLACE


def _nearest(places: Sequence[_Place], chosen: PageElement) -> _Place | None:
    """Of the places where an answer stands the one that the model chose, else the likeliest."""
    here = [place for place in places if is_one_place(place.element, chosen)]
    return max(here or places, key=lambda place: place.score, default=None)


def _under(box: Box, elements: Sequence[PageElement]) -> PageElement | None:
    """The smallest element that letters stand on."""
    holding = [element for element in elements if element.box.holds(box.center)]
    return min(holding, key=lambda element: element.box.area, default=None)


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


def _share(asked: tuple[str, ...], text: str) -> float:
    """Share 0..1 of a text's words that the answer makes up where it stands in it word for word, else 0."""
    words = _words(text)
    size = len(asked)
    stands = any(words[at : at + size] == asked for at in range(len(words) - size + 1))
    return size / len(words) if stands else 0.0
