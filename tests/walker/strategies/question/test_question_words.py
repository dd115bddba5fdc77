"""Terms, names and hints of places in a question, and what compares in it."""

from __future__ import annotations

import pytest

from walker.strategies.question.asked_comparison import bound_of, checks_of, options_of, orders_of
from walker.strategies.question.asked_kinds import is_yes_no, kind_by_words
from walker.strategies.question.page_hints import find_hints
from walker.strategies.question.question_terms import content_words, key_terms, specific_names, specific_words


def test_names_come_before_other_words() -> None:
    assert key_terms("Which port does get_path() use on 'Old Harbour' in Kiel?")[:3] == (
        "get_path",
        "Old Harbour",
        "Kiel",
    )


def test_identifiers_quoted_words_names_and_numbers_are_specific() -> None:
    names = specific_names("Does v2.20.0 of PySolFC support 'Old Harbour' in 1997?")
    assert {"v2.20.0", "Old Harbour", "PySolFC", "1997"} <= set(names)
    assert specific_words("the Mantis of 1997") == {"manti", "1997"}
    assert specific_words("how deep is the sea") == frozenset()


def test_what_a_page_or_section_has_is_no_place_but_content() -> None:
    question = "What is the default page size?"
    assert find_hints(question) == ()
    assert key_terms(question) == ("page size", "default")
    assert content_words(question) == ("default", "page", "size")
    assert [hint.text for hint in find_hints("Who is named on the harbour page?")] == ["harbour"]


def test_words_that_phrase_a_question_are_no_content() -> None:
    assert content_words("Name the harbour of Kiel") == ("harbour", "kiel")
    assert content_words("Name it") != ()


@pytest.mark.parametrize(
    ("question", "hints"),
    [
        ("How long is the boat on the 'Boats' page?", {("Boats", "page")}),
        ("According to the chapter on memory, how many banks are there?", {("memory", "page")}),
        ("What does the 'Crew' section of the People page say?", {("Crew", "section"), ("People", "page")}),
        ("How deep is it?", set()),
    ],
)
def test_places_that_a_question_names(question: str, hints: set[tuple[str, str]]) -> None:
    assert hints <= {(hint.text, hint.level) for hint in find_hints(question)}
    assert hints or not find_hints(question)


def test_options_orders_and_bounds_of_comparisons() -> None:
    assert options_of("Which is older, the Mantis or the Heron?") == ("the Mantis", "the Heron")
    assert options_of("How old is it?") == ()
    assert orders_of("Which is older?") == ("earlier", "more")
    assert checks_of("Is A longer than B?") == ("is_more",)
    assert bound_of("Is it longer than 30 m?") == ("is_more", "30 m")
    assert bound_of("How long is it?") is None


@pytest.mark.parametrize(
    ("question", "language", "expected"),
    [
        ("Is the Mantis longer than the Heron?", "en", True),
        ("How long is the Mantis?", "en", False),
        ("Ist die Mantis länger?", "de", True),
        ("这艘船更长吗？", "zh", True),
        ("Is it A or B?", "en", False),
    ],
)
def test_yes_or_no_is_told_by_the_form(question: str, language: str, *, expected: bool) -> None:
    assert is_yes_no(question, language) is expected


def test_kinds_by_words_of_other_languages_only() -> None:
    assert kind_by_words("Wo liegt das Schiff?", "de") == "place"
    assert kind_by_words("Where is it?", "en") is None
