"""What a counting question says about the list that it means."""

from __future__ import annotations

import pytest

from walker.strategies.answers.list_question import AskedList, read_asked_list
from walker.strategies.question.question import read_question


def asked(question: str, noun: str, target: int = 0, site: frozenset[str] = frozenset()) -> AskedList:
    return read_asked_list(read_question(question).parts[0], noun, target, site)


def test_the_noun_is_known_by_its_forms_and_by_other_words_for_it() -> None:
    boats = asked("How many sailing boats are listed?", "sailing boats")
    assert boats.plurals == ("boats",)
    assert "boat" in boats.singulars
    assert boats.modifiers == frozenset({"sail"})
    staff = asked("List all employees.", "employees")
    assert {"staff", "team", "people"} <= set(staff.plurals)


def test_of_kinds_of_things_the_things_are_meant() -> None:
    assert asked("How many types of knots are there?", "types of knots").plurals == ("knots",)


@pytest.mark.parametrize(("noun", "form"), [("entries", "entry"), ("branches", "branch"), ("Sponsoren", "sponsor")])
def test_the_other_number_of_a_noun(noun: str, form: str) -> None:
    assert form in asked(f"How many {noun} are there?", noun).singulars


def test_no_other_number_is_made_of_short_words_and_han() -> None:
    assert asked("How many gas are there?", "gas").singulars == ()
    assert asked("有多少位教授？", "教授").plurals[0] == "教授"
    assert asked("有多少位教授？", "教授").singulars == ()


def test_a_quoted_or_titled_section_is_strict_and_others_may_be_no_place() -> None:
    strict = asked("How many species are listed in the section 'Outer Reef'?", "species")
    assert (strict.sections, strict.maybe_sections) == (("Outer Reef",), ())
    assert strict.is_exhaustive


def test_names_narrow_the_list_down_except_those_of_the_site() -> None:
    question = "How many talks of the FOSSASIA Summit are given by people from Norway?"
    free = asked(question, "talks")
    assert "norway" in free.specific
    assert "fossasia" in free.constraint
    on_site = asked(question, "talks", site=frozenset({"fossasia"}))
    assert "fossasia" not in on_site.constraint | on_site.specific
    assert "norway" in on_site.specific


def test_words_that_phrase_the_question_and_the_target_narrow_nothing_down() -> None:
    quota = asked("Name 5 of the boats that are listed on the site.", "boats", target=5)
    assert quota.constraint == frozenset()
    assert (quota.target, quota.is_exhaustive) == (5, False)


def test_generic_nouns_and_code_are_told() -> None:
    assert asked("How many items are on the list?", "items").is_generic
    assert not asked("How many boats are there?", "boats").is_generic
    assert asked("How many files does the example show?", "files").in_code
    assert not asked("How many files are there?", "files").in_code


def test_an_empty_noun_asks_for_no_word() -> None:
    nothing = asked("How many are there?", "")
    assert (nothing.stems, nothing.plurals, nothing.singulars) == (frozenset(), (), ())
