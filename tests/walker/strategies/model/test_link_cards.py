"""A card that is one link around its name and its content: its number stands behind the name, and both are shown together."""

from __future__ import annotations

import re

import pytest

from memory.state import WalkMemory
from tests.fixtures.paper import page
from tests.walker.strategies.model.shown_page import digest, seen
from walker.strategies.model.digest.link_marks import mark_links
from walker.strategies.model.digest.page_parts import divide_page

FIRST = "Acid Aerial Aqua Bone Brick Bubble Crunch Dark Dazzle Dragon Ember Fire Flame Flash Fury Giga Hammer Heat Hydro".split()
NAMES = [
    f"{one} {two}"
    for one in (*FIRST, *"Hyper Ice Iron Leaf Light Mega".split())
    for two in "Beam Blast Bolt Claw Crush Dance Fang Gaze Jet Kick".split()
]
STYLES = {
    "heading in the link": '<a href="/move/{0}"><h3>{1}</h3>{2}</a>',
    "heading of level 2": '<a href="/move/{0}"><h2>{1}</h2>{2}</a>',
    "heading above the link": '<div><h3>{1}</h3><a href="/move/{0}">{2}</a></div>',
    "name above the link": '<div><div>{1}</div><a href="/move/{0}">{2}</a></div>',
    "a label in the link": '<div><p>{1}</p><a href="/move/{0}"><h6>Type</h6>{2}</a></div>',
    "a line and a label in the link": '<a href="/move/{0}"><div>{1}</div><h6>Type</h6>{2}</a>',
    "no heading": '<a href="/move/{0}"><div class="name">{1}</div><div>{2}</div></a>',
    "a line above the heading": '<a href="/move/{0}"><div>Move {0}</div><h3>{1}</h3>{2}</a>',
    "a heading that is not seen": '<a href="/move/{0}"><h3 hidden>{1}</h3><h3>{1}</h3>{2}</a>',
}


def moves(style: str, number: int = 250) -> str:
    def card(place: int) -> str:
        told = (
            f"<ul><li>Category: {'Physical' if place % 3 else 'Special'}</li><li>Power: {40 + place}</li>"
            f"<li>Accuracy: {place * 7} of all</li></ul><p>The user attacks with force number {place}. This may also lower "
            "the defence of the target by one stage, and it never misses in the fog.</p>"
        )
        return STYLES[style].format(place, NAMES[place], told)

    return page("Moves", f"<p>Every move there is.</p>{''.join(map(card, range(number)))}")


@pytest.mark.parametrize("style", STYLES)
def test_the_number_stands_behind_the_name_in_the_part_of_the_content(style: str) -> None:
    observation = seen(moves(style))
    marks = mark_links(observation, WalkMemory())
    parts = divide_page(observation, marks).parts
    for place, name in enumerate(NAMES):
        (found,) = (part.text for part in parts if re.search(rf"^(?:#+ )?{name} \[\d+\]$", part.text, re.MULTILINE))
        assert f"- Power: {40 + place}\n" in found
        assert f"force number {place}. " in found
    assert not any(re.search(r"^- .*\[\d+\]", part.text, re.MULTILINE) for part in parts)


@pytest.mark.parametrize("style", STYLES)
def test_of_a_page_that_is_mostly_left_out_all_names_come_before_the_contents(style: str) -> None:
    shown = digest(moves(style), 6000, query="What is the accuracy of Ice Gaze?").text
    names, _, contents = shown.partition("\n[…")
    assert [found for found in re.findall(r"(\w+ \w+) \[\d+\]", names) if found in NAMES][: len(NAMES)] == NAMES
    assert f"Accuracy: {NAMES.index('Ice Gaze') * 7} of all" in contents


@pytest.mark.parametrize(
    "card",
    [
        "<li><p><a href='/{0}'>Type</a></p><p>{1}</p><p>{2}</p></li>",
        "<li><p>Type</p><p><a href='/{0}'>{1}</a></p><p>{2}</p></li>",
    ],
)
def test_cards_are_named_by_what_tells_them_apart(card: str) -> None:
    cards = "".join(card.format(n, name, f"Power {n} at sea. " * 12) for n, name in enumerate(NAMES))
    told = digest(page("Moves", f"<h1>Moves</h1><ul>{cards}</ul>"), 6000).text
    names = next(line for line in told.splitlines() if "entries of this page by name" in line)
    assert re.findall(r"(\w+ \w+) \[\d+\]", names)[-240:] == NAMES[-240:]


def test_names_are_left_to_the_outline_where_they_do_not_fit() -> None:
    assert "entries of this page by name" not in digest(moves("heading in the link"), 2000).text


def test_a_section_heading_above_cards_is_the_name_of_none() -> None:
    cards = "".join(f"<a href='/{n}'><p>Boat {n}</p><p>It is {n} metres long.</p></a>" for n in range(6))
    observation = seen(page("Boats", f"<h2>Long boats</h2>{cards}<h2>Short boats</h2>{cards.replace('/', '/s')}"))
    marks = mark_links(observation, WalkMemory())
    texts = [marks.text_of(block) for block in observation.blocks]
    assert {"Long boats", "Short boats", "Boat 0 [1]"} <= {re.sub(r"\[\d+\]$", "[1]", text) for text in texts}


def test_what_stands_in_a_heading_of_several_lines_belongs_to_its_part() -> None:
    talks = "".join(
        f"<h4><span>Talk number {n}</span><p>Speaker {n}</p></h4><p>{'A long story about the sea. ' * 14}</p>"
        for n in range(60)
    )
    observation = seen(page("Talks", talks))
    parts = divide_page(observation, mark_links(observation, WalkMemory())).parts
    assert all(
        any(f"#### Talk number {n}\nSpeaker {n}\nA long story" in part.text for part in parts) for n in range(60)
    )
