from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perception.geometry import Box
from perception.observation import Block, Observation
from perception.snapshot import BlindRegion
from walker.rules.pictures.blindness import KIND_WEIGHT, boxes_of, find_blindness, without_read

LARGE = Box(x=0, y=0, width=400, height=300)
REGIONS = st.builds(
    BlindRegion,
    kind=st.sampled_from(sorted(KIND_WEIGHT)),
    box=st.builds(Box, x=st.floats(0, 999), y=st.floats(0, 999), width=st.floats(1, 999), height=st.floats(1, 999)),
    near=st.sampled_from(["", "the price of soup", "something else"]),
    declared=st.booleans(),
)


def page(*regions: BlindRegion, text: str = "Our menu changes with the season.") -> Observation:
    return Observation(
        url="http://a.example/", status=200, blind=regions, blocks=(Block(id=1, kind="paragraph", text=text),)
    )


@given(st.lists(REGIONS, max_size=20), REGIONS)
def test_another_rectangle_never_makes_a_page_less_blind(regions: list[BlindRegion], more: BlindRegion) -> None:
    before = find_blindness(page(*regions), "What is the price of the soup?")
    after = find_blindness(page(*regions, more), "What is the price of the soup?")
    assert 0 <= before.blind <= after.blind + 1e-4 <= 1.0001


def test_what_stands_near_the_questions_words_weighs_more() -> None:
    near = find_blindness(
        page(BlindRegion(kind="media", box=LARGE, near="price of soup")), "What is the price of the soup?"
    )
    far = find_blindness(
        page(BlindRegion(kind="media", box=LARGE, near="our harbour")), "What is the price of the soup?"
    )
    declared = BlindRegion(kind="media", box=LARGE, near="our harbour", declared=True)
    decoration = find_blindness(page(declared), "What is the price of the soup?")
    small = BlindRegion(kind="media", box=Box(x=0, y=0, width=40, height=40), near="our harbour")
    assert near.blind > far.blind > decoration.blind
    assert far.blind > find_blindness(page(small), "What is the price of the soup?").blind


def test_a_page_that_says_the_words_has_no_gap() -> None:
    question = "What does the fish soup cost?"
    assert find_blindness(page(), question).gap == 1
    assert find_blindness(page(text="The fish soup costs 9.50"), question).gap == 0
    assert find_blindness(page(text="The fish is fresh"), question).gap == 0.6667


def test_what_was_read_is_blind_no_more_and_boxes_come_smallest_first() -> None:
    button = BlindRegion(kind="control", box=Box(x=500, y=500, width=30, height=30), near="soup price")
    blindness = find_blindness(page(BlindRegion(kind="media", box=LARGE), button), "price of soup")
    assert boxes_of(blindness) == (button.box, LARGE)
    rest = without_read(blindness, [Box(x=10, y=10, width=50, height=20), button.box])
    assert rest.blind < 0.5 * blindness.blind
    assert without_read(blindness, []).blind == blindness.blind


@pytest.mark.parametrize("name", ["Chart", "chart.png", "Figure 2", "Diagramm", "图1"])
def test_a_name_that_says_only_that_it_is_a_picture_leaves_it_as_blind_as_none(name: str) -> None:
    question = "How many tonnes of salmon were caught in 2023?"
    picture = BlindRegion(kind="media", box=LARGE, heading="Salmon catch", source="http://a.example/c.png")
    unnamed = find_blindness(page(picture), question).blind
    assert unnamed > 0.5

    def described(as_named: str) -> float:
        one = msgspec.structs.replace(picture, name=as_named)
        return find_blindness(msgspec.structs.replace(page(), described=(one,)), question).blind

    assert described(name) >= unnamed
    assert described("Boats in the harbour, in the evening") < 0.25
    assert described("IMG_2031.JPG") < 0.5, "a photograph promises no words and numbers"


def test_a_picture_weighs_less_where_the_question_means_none_whatever_its_words_are() -> None:
    asked = "How many boats are in the painting of a storm over the quay?"
    seen = page(BlindRegion(kind="media", box=LARGE, name="Storm over the quay"))
    assert find_blindness(seen, asked).pointed > find_blindness(seen, asked, means_none=True).pointed


def test_no_picture_as_small_as_an_icon_is_looked_at_for_the_words_around_it() -> None:
    question = "What does the picture of the harbour say about the ferry?"
    small = BlindRegion(kind="media", box=Box(x=0, y=0, width=64, height=64), heading="Harbour and ferry", near="ferry")
    portrait = msgspec.structs.replace(small, name="Kim Lind", detail=6.8)
    for one in (small, portrait):
        assert find_blindness(page(one, text="The ferry leaves the harbour."), question).pointed == 0
    asked = "When does the ferry leave the harbour?"
    assert find_blindness(page(small), asked).blind < 0.25
    thumbnail = msgspec.structs.replace(small, name="The harbour from the ferry", detail=8.0)
    assert find_blindness(page(thumbnail), question).pointed > 0.38, "it is called so, and its file is large"
    control = find_blindness(page(small), "Which button leads to the ferry of the harbour?")
    assert control.regions, "where a button is asked for, it may be small"
