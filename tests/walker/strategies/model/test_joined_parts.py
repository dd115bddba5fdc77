"""A page whose headings cut it into slivers is divided into parts of fair size."""

from __future__ import annotations

import re

from memory.state import WalkMemory
from tests.fixtures.paper import page
from tests.walker.strategies.model.shown_page import chapters, digest, seen
from walker.strategies.model.digest.link_marks import mark_links
from walker.strategies.model.digest.page_parts import JOINED_CHARS, Part, divide_page, joined_parts

FUNCTIONS = page(
    "Library",
    "".join(
        f"<h2>Chapter {chapter}</h2>"
        + "".join(f"<h3>call_{chapter}_{n}</h3><p>Returns the boat of number {n}.</p>" for n in range(30))
        for chapter in range(8)
    ),
)


def parts_of(html: str) -> tuple[Part, ...]:
    observation = seen(html)
    return divide_page(observation, mark_links(observation, WalkMemory())).parts


def test_sections_of_a_line_each_are_joined_within_their_chapter() -> None:
    parts = parts_of(FUNCTIONS)
    assert len(parts) < 40
    assert [part.number for part in parts] == list(range(1, len(parts) + 1))
    assert all(len(part.text) <= JOINED_CHARS + 60 for part in parts)
    text = "\n".join(part.text for part in parts)
    assert all(f"### call_{chapter}_{n}\nReturns" in text for chapter in range(8) for n in range(30))
    assert all(part.text.count("\n## ") == 0 for part in parts[1:]), "a chapter begins a part of its own"


def test_the_outline_names_the_first_and_the_last_section_of_a_joined_part() -> None:
    shown = digest(FUNCTIONS, 900, query="What does call_5_17 return?").text
    assert "call_5_17" in shown
    assert re.search(
        r"^parts? [\d-]+: Library > Chapter \d … Chapter \d > call_\d_\d+ “|^parts? [\d-]+: Chapter \d > call_\d_\d+ … ",
        shown,
        re.MULTILINE,
    )


def test_parts_of_some_length_stay_as_they_are() -> None:
    parts = parts_of(chapters(60))
    assert joined_parts(parts) == parts
    assert len(parts) >= 60


def test_what_an_earlier_page_had_is_not_joined_to_what_is_new() -> None:
    short = [Part(number=n, path=("Boats",), text=f"Boat {n}.", again=2 if n > 30 else 0) for n in range(1, 61)]
    old, new = {part.again for part in joined_parts(short)}, joined_parts(short)
    assert old == {0, 2}
    assert all(
        ("Boat 30." in part.text) != ("Boat 31." in part.text)
        for part in new
        if "Boat 3" in part.text[:6] or part is new[0]
    )
