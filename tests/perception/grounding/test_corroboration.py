"""An answer that a model points at is held against the page's words and the letters that were read."""

from __future__ import annotations

from typing import Any

import pytest

from perception.element_map import ElementMap, PageElement
from perception.geometry import Box
from perception.grounding.corroboration import DISPUTED, corroborate_answer, element_at
from perception.grounding.grounding import Evidence, Grounding
from perception.ocr.ocr import Line


def part(number: int, x: float, y: float, width: float, height: float, **more: Any) -> PageElement:
    plain: dict[str, Any] = {"kind": "figure", "role": "img", "name": "", "text": ""}
    return PageElement(id=number, x=x, y=y, width=width, height=height, **(plain | more))


PAGE = ElementMap(
    elements=(
        part(1, 0, 0, 400, 200),
        part(2, 0, 300, 400, 200),
        part(3, 600, 40, 90, 20, kind="text", role="cell", text="9.50 EUR"),
        part(
            4,
            600,
            80,
            500,
            60,
            kind="text",
            role="text",
            text="Since 1997 the soup has cost 9.50 EUR or more, on most days",
        ),
        part(5, 0, 0, 1280, 790, figure="background"),
        part(6, 600, 200, 90, 20, kind="text", role="text", text="July", unseen="covered"),
    ),
    page_width=1280,
    page_height=800,
)


def line(text: str, x: float, y: float, confidence: float = 0.99) -> Line:
    return Line(text=text, box=Box(x=x, y=y, width=80, height=16), confidence=confidence)


def heard(answer: str, element: int, *lines: Line, score: float = 0.7) -> Grounding:
    return corroborate_answer(answer, PAGE, lines, Evidence(name="model", element=element, score=score))


def test_letters_in_the_picture_that_is_pointed_at_bear_an_answer_out() -> None:
    found = heard("47 boats", 1, line("47 boats", 50, 50), line("47 boats", 50, 350))
    assert (found.element, found.wants_zoom) == (1, False)
    assert found.confidence > 0.8
    assert found.reason == "confirmed by ocr"
    assert found.box is not None
    assert found.box.y == 50, "where the letters stand, not all of the picture"


def test_letters_or_words_elsewhere_ask_for_a_closer_look() -> None:
    for found, other in ((heard("47 boats", 1, line("47 boats", 50, 350)), 2), (heard("9.50 EUR", 2), 3)):
        assert found.wants_zoom
        assert found.element == other
        assert found.confidence == DISPUTED
        assert {witness.element for witness in found.witnesses} == {found.element, 1 if other == 2 else 2}


def test_two_that_agree_with_the_model_are_surer_than_one() -> None:
    one = heard("9.50 EUR", 3)
    both = heard("9.50 EUR", 3, line("9.50 EUR", 604, 42))
    assert [witness.name for witness in both.witnesses] == ["dom", "ocr", "model"]
    assert both.confidence > one.confidence > 0.7


@pytest.mark.parametrize(
    ("answer", "lines"),
    [
        ("July", ()),
        ("9.5", (line("9.50 EUR", 50, 350),)),
        ("47", (line("147 boats and 47 other ships went out", 50, 350),)),
        ("47", (line("47", 2000, 2000),)),
    ],
)
def test_who_does_not_have_the_answer_is_no_witness(answer: str, lines: tuple[Line, ...]) -> None:
    found = heard(answer, 1, *lines)
    assert [witness.name for witness in found.witnesses] == ["model"]
    assert (found.element, found.confidence, found.wants_zoom) == (1, 0.7, False)


def test_an_answer_without_words_or_place_is_not_found() -> None:
    assert not heard("…", 1).is_found
    assert not heard("47", 99).is_found


def test_a_box_means_the_element_most_like_it_or_what_lies_under_it() -> None:
    for box, number in ((Box(x=5, y=5, width=390, height=190), 1), (Box(x=300, y=390, width=4, height=4), 2)):
        element = element_at(PAGE, box)
        assert element is not None
        assert element.id == number
    assert element_at(PAGE, Box(x=3000, y=0, width=9, height=9)) is None
