"""Grounding: finds the element that a phrase means, from accessible names, OCR text, icons and a vision model's choice."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from perception.element_map import ElementMap, PageElement
from perception.geometry import Box, Point
from perception.grounding.label_similarity import content_words, phrase_likeness, role_asked
from perception.ocr.ocr import Line

EvidenceSource = Literal["dom", "ocr", "icon", "model"]

FOUND_FROM = 0.58
"""Least score of a match; in bench/grounding.py phrases for absent elements stay below."""
CALLED, WHOLE_LABEL = 0.72, 0.85
"""Score of an element whose label is contained in a longer phrase, and the share of the label that must be."""
ICON_FLOOR, ICON_SPAN, ICON_NONE = 0.35, 0.6, 0.06
"""An icon's score is the floor plus the span times its share of the sum of all icon fits; the last is the weight of "no icon"."""
CONTEXT_DISTANCE = 420.0
"""CSS pixels within which nearby text tells several equally named elements apart."""
_ROLE_OF = {
    "button": {"button", "tab", "menuitem", "switch"},
    "link": {"link"},
    "textbox": {"textbox", "searchbox", "combobox", "spinbutton"},
    "checkbox": {"checkbox", "radio", "switch"},
    "tab": {"tab", "button", "link"},
    "img": {"img"},
}
"""Element kind asked for, to the ARIA roles that satisfy it."""
_PLACES = re.compile(r"\b(first|last|top|bottom|left|right|second|third)\b|(第一|最后|左|右|上方|下方)", re.IGNORECASE)


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """The choice of one source: an element id, and its score 0..1."""

    name: EvidenceSource
    element: int
    score: float


class Grounding(msgspec.Struct, frozen=True, kw_only=True):
    """The result: the id of the element that is meant, 0 for no match."""

    element: int = 0
    box: Box | None = None
    point: Point | None = None
    """Where to click: the centre of its part inside the window."""
    confidence: float = 0.0
    witnesses: tuple[Evidence, ...] = ()
    runner_up: int = 0
    margin: float = 0.0
    """How far the runner-up's score is below the best."""
    reason: str = ""

    @property
    def is_found(self) -> bool:
        """Whether an element matched."""
        return self.element > 0

    @property
    def wants_zoom(self) -> bool:
        """Whether the sources name different elements."""
        return len({witness.element for witness in self.witnesses if witness.element}) > 1


def ground(
    query: str,
    elements: ElementMap,
    *,
    lines: Sequence[Line] = (),
    icons: Mapping[int, float] | None = None,
    picked: Evidence | None = None,
) -> Grounding:
    """Find the element that a phrase such as "the search button" or "Add to cart for the blue mug" means.

    `lines` are the OCR lines of the picture, `icons` maps unnamed elements to how well their icon fits the query, 0..1, and
    `picked` is the choice of a vision model.
    """
    asked = content_words(query)
    candidates = [element for element in elements.elements if _is_candidate(element, query)]
    dom = {element.id: _dom_score(query, asked, element, elements) for element in candidates}
    ocr = {element.id: _ocr_score(asked, element, lines) for element in candidates} if lines else {}
    seen = _icon_scores(candidates, icons or {})
    scores = {
        element.id: combine((dom[element.id], ocr.get(element.id, 0.0), seen.get(element.id, 0.0)))
        for element in candidates
    }
    scores = {number: score + _place_bonus(query, elements, number, score, scores) for number, score in scores.items()}
    tables: tuple[tuple[EvidenceSource, dict[int, float]], ...] = (("dom", dom), ("ocr", ocr), ("icon", seen))
    witnesses = [
        Evidence(name=name, element=best[0], score=round(best[1], 4))
        for name, table in tables
        if table and (best := max(table.items(), key=lambda entry: entry[1]))[1] >= FOUND_FROM
    ]
    if picked is not None:
        witnesses.append(picked)
        if picked.element in scores:
            scores[picked.element] = combine((scores[picked.element], 0.75 * picked.score))
    return _chosen(elements, scores, tuple(witnesses))


def _icon_scores(candidates: Sequence[PageElement], icons: Mapping[int, float]) -> dict[int, float]:
    """Icon fits are not probabilities: they are normalised over the icons of the page."""
    fits = {element.id: icons.get(element.id, 0.0) for element in candidates if not element.name}
    total = sum(fits.values()) + ICON_NONE
    return {number: ICON_FLOOR + ICON_SPAN * fit / total if fit else 0.0 for number, fit in fits.items()}


def combine(scores: Sequence[float]) -> float:
    """Merge independent scores 0..1: the best, raised by half of each other score's share of the remaining distance to 1."""
    ranked = sorted((min(1.0, max(0.0, score)) for score in scores), reverse=True)
    total = ranked[0] if ranked else 0.0
    for score in ranked[1:]:
        total += 0.5 * score * (1 - total)
    return total


def _chosen(elements: ElementMap, scores: Mapping[int, float], witnesses: tuple[Evidence, ...]) -> Grounding:
    ranked = sorted(scores.items(), key=lambda entry: (-entry[1], entry[0]))
    if not ranked or ranked[0][1] < FOUND_FROM:
        return Grounding(witnesses=witnesses, reason="no element of the page has that name")
    best, score = ranked[0]
    second, behind = next(((number, other) for number, other in ranked[1:]), (0, 0.0))
    element = elements.element(best)
    assert element is not None, "scores are of the map's elements"
    margin = score - behind
    agreeing = sum(witness.element == best for witness in witnesses)
    confidence = (
        min(1.0, score) * (0.75 + 0.25 * min(1.0, 4 * margin)) * (1.0 if agreeing != 1 or len(witnesses) < 2 else 0.8)
    )
    return Grounding(
        element=best,
        box=element.box,
        point=element.box.cut_to(elements.viewport).center
        if element.box.overlap(elements.viewport)
        else element.box.center,
        confidence=round(confidence, 4),
        witnesses=witnesses,
        runner_up=second if behind >= FOUND_FROM else 0,
        margin=round(margin, 4),
        reason=f"named “{element.label[:60]}”" if element.label else "by its OCR text or icon",
    )


def _is_candidate(element: PageElement, query: str) -> bool:
    if element.unseen or element.box.area < 16:
        return False
    if element.is_interactive:
        return True
    return role_asked(query) in ("img", "icon") and element.kind == "figure"


def _dom_score(query: str, asked: tuple[str, ...], element: PageElement, elements: ElementMap) -> float:
    label = content_words(f"{element.name} {element.text if element.text != element.name else ''}")
    held, back = phrase_likeness(asked, label)
    if held == 0:
        return 0.0
    # The label may be only a small part of the phrase.
    score = max(held * (0.72 + 0.28 * back), CALLED * back if back >= WHOLE_LABEL else 0.0)
    if held < 1 and back >= 0.45:
        # The other words may tell several elements apart: by row, card or nearby label.
        rest = tuple(word for word in asked if phrase_likeness((word,), label)[0] < 0.6)
        near = _context(rest, element, elements)
        score = max(score, (held * len(asked) + near * len(rest)) / len(asked) * (0.72 + 0.28 * back))
    return score + _role_bonus(query, element)


def _role_bonus(query: str, element: PageElement) -> float:
    wanted = role_asked(query)
    if not wanted or wanted == "icon":
        return 0.0
    return 0.08 if element.role in _ROLE_OF.get(wanted, set()) else -0.12


def _context(rest: tuple[str, ...], element: PageElement, elements: ElementMap) -> float:
    """Share 0..1 of the words missing in its label that nearby texts contain; the nearest, and those in its row, weigh most."""
    best = 0.0
    for other in elements.elements:
        if other.id == element.id or other.unseen or not (other.text or other.name):
            continue
        away = element.box.distance(other.box)
        if away > CONTEXT_DISTANCE:
            continue
        held, _ = phrase_likeness(rest, content_words(f"{other.text} {other.name}"))
        if held:
            in_row = min(element.box.bottom, other.box.bottom) - max(element.box.y, other.box.y) > 0
            above = other.box.bottom <= element.box.y + 4 and abs(other.box.center.x - element.box.center.x) < 260
            nearness = math.exp(-away / (400 if in_row else 160 if above else 90))
            best = max(best, held * nearness)
    return best


def _ocr_score(asked: tuple[str, ...], element: PageElement, lines: Sequence[Line]) -> float:
    """Score 0..1 of OCR text on an element without an accessible name."""
    if element.name:
        return 0.0
    inside = " ".join(line.text for line in lines if line.box.share_in(element.box.grown(3)) > 0.6)
    held, back = phrase_likeness(asked, content_words(inside)) if inside else (0.0, 0.0)
    return held * (0.7 + 0.3 * back)


def _place_bonus(query: str, elements: ElementMap, number: int, score: float, scores: Mapping[int, float]) -> float:
    """Bonus for a positional word ("first", "left") among elements with equal scores."""
    match = _PLACES.search(query)
    if match is None or score < FOUND_FROM:
        return 0.0
    alike = [elements.element(other) for other, its in scores.items() if abs(its - score) < 0.02]
    rivals = [element for element in alike if element is not None]
    if len(rivals) < 2:
        return 0.0
    word = (match[1] or match[2]).lower()
    order = {
        "first": lambda one: one.id, "第一": lambda one: one.id, "last": lambda one: -one.id, "最后": lambda one: -one.id,
        "top": lambda one: one.y, "上方": lambda one: one.y, "bottom": lambda one: -one.y, "下方": lambda one: -one.y,
        "left": lambda one: one.x, "左": lambda one: one.x, "right": lambda one: -one.x, "右": lambda one: -one.x,
    }  # fmt: skip
    place = {"second": 1, "third": 2}.get(word, 0)
    ranked = sorted(rivals, key=order.get(word, lambda one: one.id))
    return 0.1 if place < len(ranked) and ranked[place].id == number else 0.0
