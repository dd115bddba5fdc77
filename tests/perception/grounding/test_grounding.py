"""Words find the element that they mean, and nothing where nothing is meant."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perception.element_map import ElementMap, PageElement
from perception.geometry import Box
from perception.grounding.grounding import FOUND_FROM, Evidence, combine, ground
from perception.grounding.label_similarity import content_words, role_asked, word_likeness
from perception.ocr.ocr import Line

SHARES = st.lists(st.floats(0, 1), max_size=5)


def part(number: int, name: str = "", **more: Any) -> PageElement:
    plain: dict[str, Any] = {
        "kind": "control",
        "role": "button",
        "x": 100.0,
        "y": 40.0 * number,
        "width": 90.0,
        "height": 28.0,
    }
    return PageElement(id=number, name=name, text=more.pop("text", name), **(plain | more))


def page(*elements: PageElement) -> ElementMap:
    return ElementMap(elements=elements, viewport=Box(x=0, y=0, width=1280, height=800))


BAR = page(
    part(1, "Sign in"),
    part(2, "Search"),
    part(3, "Pricing", kind="link", role="link"),
    part(4, "Email", role="textbox"),
    part(5, "下载报告"),
    part(6, "Delete account"),
    part(7, "A paragraph about searching", kind="text", role="text"),
)


@pytest.mark.parametrize(
    ("query", "element"),
    [
        ("the sign in button", 1),
        ("where can I log in?", 1),
        ("magnifier", 2),
        ("find", 2),
        ("serach button", 2),
        ("the pricing link", 3),
        ("where do I type my e-mail", 4),
        ("email field", 4),
        ("下载按钮", 5),
        ("remove my account", 6),
        ("the unsubscribe button", 0),
        ("play the trailer", 0),
        ("", 0),
        ("购物车", 0),
    ],
)
def test_a_phrase_finds_what_is_meant(query: str, element: int) -> None:
    found = ground(query, BAR)
    assert found.element == element
    assert found.is_found == bool(element)
    if element:
        assert found.point is not None
        assert found.box is not None
        assert found.box.holds(found.point)
        assert 0 < found.confidence <= 1


def test_what_is_not_seen_cannot_be_meant() -> None:
    assert ground("sign in", page(part(1, "Sign in", unseen="covered"))).element == 0


def test_the_row_or_card_says_which_of_several_is_meant() -> None:
    cards = page(
        part(1, "", kind="text", role="text", text="Blue mug", x=0.0, y=100.0),
        part(2, "Add to cart", x=0.0, y=140.0),
        part(3, "", kind="text", role="text", text="Red lamp", x=400.0, y=100.0),
        part(4, "Add to cart", x=400.0, y=140.0),
    )
    assert ground("Add to cart for the blue mug", cards).element == 2
    assert ground("add the red lamp to the basket", cards).element == 4
    assert ground("the last add to cart button", cards).element == 4
    assert ground("the left add to cart button", cards).element == 2


def test_letters_and_icons_stand_in_for_a_missing_name() -> None:
    bare = page(part(1), part(2), part(3, "Home"))
    buy = Line(text="Buy now", box=bare.elements[1].box.grown(-2), confidence=0.9)
    assert ground("buy", bare, lines=(buy,)).element == 2
    assert ground("the trash icon", bare, icons={1: 0.8, 2: 0.02}).element == 1
    assert ground("the trash icon", bare, icons={1: 0.01, 2: 0.01}).element == 0, "no icon stands out"
    assert ground("home", bare, icons={1: 0.9, 2: 0.1}).element == 3, "a real name is not beaten by a guess"


def test_witnesses_that_agree_are_surer_and_those_that_do_not_ask_for_a_closer_look() -> None:
    alone = ground("search", BAR)
    agreed = ground("search", BAR, picked=Evidence(name="model", element=2, score=0.9))
    apart = ground("search", BAR, picked=Evidence(name="model", element=1, score=0.9))
    assert agreed.confidence >= alone.confidence > apart.confidence
    assert [witness.name for witness in agreed.witnesses] == ["dom", "model"]
    assert not agreed.wants_zoom
    assert apart.wants_zoom


def test_a_models_pick_alone_finds_what_has_no_word_in_common() -> None:
    found = ground("the green thing", BAR, picked=Evidence(name="model", element=6, score=0.9))
    assert found.element == 6
    assert found.confidence < 0.8


@given(SHARES, st.floats(0, 1))
def test_scores_combine_in_any_order_and_never_fall(scores: list[float], more: float) -> None:
    assert combine(scores) == pytest.approx(combine(scores[::-1]))
    assert combine([*scores, more]) >= max([*scores, more]) - 1e-9
    assert combine([*scores, more]) >= combine(scores) - 1e-9
    assert 0 <= combine(scores) <= 1


def test_words() -> None:
    assert content_words("Where is the Sign-in button?") == content_words("sign in")
    assert role_asked("the search field") == "textbox"
    assert role_asked("搜索按钮") == "button"
    assert word_likeness("trash", "delet") == 0.85
    assert word_likeness("sea", "see") == 0
    assert FOUND_FROM > 0.5
