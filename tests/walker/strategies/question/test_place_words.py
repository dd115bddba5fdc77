"""Nouns that name a place in a site."""

from __future__ import annotations

import re

import pytest

from walker.strategies.question.place_words import BOUNDARY, CONTAINER, PAGE, SECTION, SELF_NAMED, TOPIC


@pytest.mark.parametrize(
    ("words", "noun"),
    [(PAGE, "chapter"), (PAGE, "web page"), (SECTION, "tables"), (CONTAINER, "handbook"), (TOPIC, "department")],
)
def test_each_level_has_its_nouns(words: str, noun: str) -> None:
    assert re.fullmatch(words, noun)


def test_no_noun_is_of_two_levels_and_function_words_are_none() -> None:
    for noun in ("chapter", "section", "manual", "module"):
        assert sum(re.fullmatch(words, noun) is not None for words in (PAGE, SECTION, CONTAINER, TOPIC)) == 1
    assert {"the", "of", "in"} <= set(BOUNDARY)
    assert "faq" in SELF_NAMED
