"""Links whose label says nothing are told with what they are about, where a prompt names them apart from their text."""

from __future__ import annotations

import pytest

from memory.state import WalkMemory
from memory.url_key import key_of
from memory.url_stack import UntriedLink
from tests.fixtures.paper import HOME, page, ranker
from tests.walker.strategies.model.asked_once import TASK, boats, standing
from tests.walker.strategies.model.shown_page import seen
from walker.strategies.links.vague_links import is_vague, subjects_of
from walker.strategies.model.digest.link_marks import mark_links
from walker.strategies.model.prompt_values import PromptValues, walk_values

CARDS = "".join(
    f'<div class="card"><strong>{name}</strong><p>A boat of the station, built in {year}.</p><a href="/{year}">Read more</a></div>'
    for name, year in (("The Otter", 1995), ("The Mantis", 1998), ("The Tern", 2004))
)

TABLE = "<table><tr><th>Boat</th><th>Built</th><th></th></tr><tr><td>Tern</td><td>2004</td><td></td></tr>"


def told(body: str) -> list[str]:
    observation = seen(page("Boats", body))
    marks = mark_links(observation, WalkMemory())
    return [marks.label_of(link) for link in observation.links]


def test_a_link_in_a_card_is_told_with_the_name_of_its_card() -> None:
    assert told(f"<h2>All boats</h2><div>{CARDS}</div>") == [
        "Read more (The Otter) [1]",
        "Read more (The Mantis) [2]",
        "Read more (The Tern) [3]",
    ]


@pytest.mark.parametrize(
    ("body", "label"),
    [
        ('<p>The tide tables are <a href="/tides">here</a>.</p>', "here (The tide tables are) [1]"),
        ('<h2>Open day</h2><p><a href="/open">More...</a></p>', "More... (Open day) [1]"),
        (
            f'{TABLE}<tr><td>Otter</td><td>1995</td><td><a href="/o">Details</a></td></tr></table>',
            "Details (Otter | 1995) [1]",
        ),
        ('<p><a href="/tides">Click here</a> for the tide tables.</p>', "Click here (for the tide tables.) [1]"),
        ('<p>The tide tables and <a href="/crew">the crew</a>.</p>', "the crew [1]"),
    ],
)
def test_a_link_without_a_card_is_told_with_its_sentence_row_or_heading(body: str, label: str) -> None:
    (only,) = told(body)
    assert only == label


def test_a_label_that_several_pages_share_is_told_apart() -> None:
    rows = "".join(f'<h3>Volume {n}</h3><p><a href="/v{n}.html">Contents of it</a></p>' for n in (1, 2, 3))
    assert told(rows) == [f"Contents of it (Volume {n}) [{n}]" for n in (1, 2, 3)]


@pytest.mark.parametrize(
    "label", ["more", "Weiterlesen", "En savoir plus", "Leer más", "Saiba mais", "更多>>", "詳細はこちら", "▶ Details"]
)
def test_labels_that_say_nothing_are_known_in_several_languages(label: str) -> None:
    assert is_vague(label)
    assert not is_vague(f"{label} 1998 Mantis")


def test_a_page_of_telling_labels_has_none() -> None:
    assert subjects_of(boats()) == {}


def test_a_vague_link_that_was_left_behind_is_told_with_what_stands_at_it() -> None:
    memory = standing(boats())
    link = UntriedLink(url=HOME + "m.html", key=key_of(HOME + "m.html"), label="Read more", heading="The Mantis")
    stack = memory.stack.pop()
    memory = WalkMemory(step=2, stack=stack.offer((link,)).push(memory.stack.frames[-1]))
    offer = PromptValues(ranker()).offer(TASK, boats(), memory)
    assert "1 Read more: The Mantis (/m.html)" in str(walk_values(memory, offer, "", ())["earlier"])
