"""What a question counts, and how the likeliest list is told."""

from __future__ import annotations

from functools import cache

import pytest

from memory.findings import Finding
from memory.state import WalkMemory
from perception.observation import Record
from tests.fixtures.paper import observed, page, ranker, task_for
from walker.assembly import read_task
from walker.strategies.answers.lists import CountedList, PageLists
from walker.strategies.builtin.counted_lists import (
    NAMED,
    AskedCount,
    ListReader,
    asked_count,
    is_list_text,
    likeliest_list,
    list_finding,
    states,
    told_beside,
    without_entries,
)
from walker.strategies.question.question import read_question

PEOPLE = "<h2>People of the station</h2><ul><li>Ana Ruiz</li><li>Bo Lind</li><li>Cem Kaya</li></ul>"


@cache
def weighing() -> ListReader:
    return ListReader(ranker=ranker())


def asked(question: str) -> AskedCount | None:
    return asked_count(task_for(question), read_question(question))


def test_a_quota_and_a_number_are_counted() -> None:
    assert asked("Name 2 people of the station.") == AskedCount(noun="people", target=2)
    assert asked("How many people are listed?") == AskedCount(noun="people")


def test_how_many_may_be_a_list_where_no_requirement_says_so() -> None:
    wanted = asked("How many sections can the rules file be divided into?")
    assert wanted is not None
    assert wanted.noun.startswith("sections")


@pytest.mark.parametrize(
    "question",
    [
        "What is the maximum length of an SQL statement?",
        "What is the minimum age of members?",
        "What is the highest number of seats?",
    ],
)
def test_a_bound_is_one_number_and_no_list(question: str) -> None:
    assert asked(question) is None


def test_how_many_in_other_languages_may_be_a_list_too() -> None:
    question = "Wie viele Plätze hat der Raum?"
    wanted = asked_count(read_task("http://paper.example/", question, "de"), read_question(question, "de"))
    assert wanted == AskedCount(noun="Plätze")


def test_names_are_wanted_where_all_are_and_no_number() -> None:
    assert asked("Which people work at the station? List them all.") == AskedCount(noun="people", names=True)
    assert asked("List all people of the station.") == AskedCount(noun="people", names=True)
    assert asked("How many people are listed? Name them all.") == AskedCount(noun="people", names=True)
    assert asked("How many people are listed?") == AskedCount(noun="people")


def test_a_number_that_the_list_itself_names_is_no_number_of_its_entries() -> None:
    records = tuple(Record(name=port, text=port) for port in ("40102", "40103", "3282"))
    counted = CountedList(fit=0.5, names=tuple(record.name for record in records), records=records)
    told = [Finding(text=text, quote=text, url="http://paper.example/", step=1, score=0.9) for text in ("3282", "3")]
    assert [one.text for one in without_entries(told, counted)] == ["3"]


def test_other_questions_count_nothing() -> None:
    assert asked("When was the Mantis launched?") is None
    assert asked("How much does a berth cost?") is None


def test_the_list_is_told_as_names_or_as_a_number_with_names() -> None:
    observation = observed(page("People", PEOPLE))
    for question, text in (
        ("Name 2 people of the station.", "Ana Ruiz; Bo Lind"),
        ("How many people of the station are listed?", "3 (Ana Ruiz; Bo Lind; Cem Kaya)"),
    ):
        wanted = asked(question)
        assert wanted is not None
        part = read_question(question).parts[0]
        found = likeliest_list(wanted, part, PageLists(observation), WalkMemory(), weighing())
        assert found is not None
        told = list_finding(found, wanted, observation, 1)
        assert told.text == text
        assert told.quote == "Ana Ruiz"


def test_every_name_is_told_where_all_are_wanted() -> None:
    people = "".join(f"<li>Person {number} Smith</li>" for number in range(1, 13))
    told, _ = told_of("List all people of the station.", f"<h2>People of the station</h2><ul>{people}</ul>")
    assert told.startswith("12 (Person 1 Smith; ")
    assert told.endswith("; Person 12 Smith)")
    assert is_list_text(told)
    shorter, _ = told_of("How many people are listed?", f"<h2>People of the station</h2><ul>{people}</ul>")
    assert shorter.endswith("Person 8 Smith; ...)")


def test_of_very_many_names_the_number_of_the_rest_is_told() -> None:
    people = "".join(f"<li>Person {number} Smith</li>" for number in range(1, NAMED + 8))
    told, _ = told_of("List all people of the station.", f"<h2>People of the station</h2><ul>{people}</ul>")
    assert told.endswith(f"Person {NAMED} Smith; and 7 more)")


def test_of_a_list_that_goes_on_the_number_of_the_rest_is_told() -> None:
    text, _ = told_of("List all people of the station.", PAGED.format(total=23))
    assert text == "23 (Ana Ruiz; Bo Lind; Cem Kaya; and 20 more)"


def test_a_quota_is_not_met_by_one_name_twice() -> None:
    observation = observed(page("People", PEOPLE.replace("<li>Bo", "<li>Ana Ruiz</li><li>Bo")))
    wanted = AskedCount(noun="people", target=2)
    part = read_question("Name 2 people of the station.").parts[0]
    found = likeliest_list(wanted, part, PageLists(observation), WalkMemory(), weighing())
    assert found is not None
    assert list_finding(found, wanted, observation, 1).text == "Ana Ruiz; Bo Lind"


PAGED = (
    "<h1>People</h1><p>Showing 1-3 of {total} people</p><ul><li>Ana Ruiz</li><li>Bo Lind</li><li>Cem Kaya</li></ul>"
    "<h2>Sponsors</h2><ul><li>Acme</li><li>Nordic Rope</li></ul>"
)


def told_of(question: str, body: str) -> tuple[str, float]:
    observation = observed(page("Reef station", body))
    wanted = asked(question)
    assert wanted is not None
    part = read_question(question).parts[0]
    found = likeliest_list(wanted, part, PageLists(observation), WalkMemory(), weighing())
    assert found is not None
    return list_finding(found, wanted, observation, 1).text, found.chance


def test_a_list_that_goes_on_is_told_with_the_total_that_its_page_states() -> None:
    text, chance = told_of("How many people are listed?", PAGED.format(total=23))
    assert text.startswith("23 (Ana Ruiz; ")
    assert chance >= 0.6


def test_a_total_that_is_of_another_number_of_entries_is_none_of_this_list() -> None:
    text, _ = told_of("How many people are listed?", PAGED.format(total=23).replace("1-3 of", "1-9 of"))
    assert text.startswith("3 (")


def test_a_total_of_other_things_raises_no_list() -> None:
    text, _ = told_of("How many sponsors are listed?", PAGED.format(total=23))
    assert text.startswith("2 (Acme; ")


def test_a_number_stands_in_a_sentence_as_a_whole_only() -> None:
    assert states(6, ["All 6 boats lie here.", "none"])
    assert not states(6, ["All 16 boats", "6,000 nets", "1.6 km", "6th"])


def test_a_list_is_likelier_beside_sentences_where_the_question_says_that_the_things_are_listed() -> None:
    observation = observed(page("People", PEOPLE))
    wanted = asked("How many people work at the station?")
    assert wanted is not None
    part = read_question("How many people work at the station?").parts[0]
    found = likeliest_list(wanted, part, PageLists(observation), WalkMemory(), weighing())
    assert found is not None
    open_, listed = (told_beside(found, ["9 nets"], observation, asks_list=asks_list) for asks_list in (False, True))
    assert open_.chance < listed.chance
    assert listed.counted == found.counted


def test_a_number_told_with_entries_is_known_from_a_passage() -> None:
    assert is_list_text("3 (Ana Ruiz; Bo Lind; Cem Kaya)")
    assert not is_list_text("3 people (all of them sailors) work here")
