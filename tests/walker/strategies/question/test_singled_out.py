"""Entries that a question singles out."""

from __future__ import annotations

from memory.words import tokens
from perception.observation import Record
from walker.strategies.question.singled_out import choices_of, numbers_meant


def records(*texts: str) -> tuple[Record, ...]:
    return tuple(Record(name=text, text=text) for text in texts)


def kept(
    entries: tuple[Record, ...], names: tuple[str, ...] = (), plain: tuple[str, ...] = ()
) -> list[tuple[str, ...]]:
    found = choices_of(entries, [frozenset(tokens(name)) for name in names], [tokens(word)[0] for word in plain])
    assert found[0].kept == entries, "the whole list is always one"
    return [tuple(record.text for record in choice.kept) for choice in found[1:]]


MEETINGS = records(
    "Meeting 2022, online", "Meeting 2021, online", "Meeting 2019, Oslo", "Meeting 2018, Faro", "Meeting 2017, Kiel"
)


def test_a_plain_word_that_only_some_entries_have_singles_these_out() -> None:
    assert kept(MEETINGS, plain=("online",)) == [("Meeting 2022, online", "Meeting 2021, online")]


def test_a_word_of_most_entries_or_of_none_singles_nothing_out() -> None:
    assert kept(MEETINGS, plain=("meeting", "harbour")) == []


def test_a_name_singles_out_however_many_have_it() -> None:
    assert kept(MEETINGS[:2] + MEETINGS[2:3], names=("2022",)) == [("Meeting 2022, online",)]
    four_of_five = records("Ana, Faro", "Bo, Faro", "Cem, Faro", "Eva, Faro", "Gil, Oslo")
    assert kept(four_of_five, names=("Faro",)) == [tuple(one.text for one in four_of_five[:4])]


def test_an_ordinal_is_met_by_its_number_and_small_ones_are_not_taken_for_numbers() -> None:
    assert numbers_meant("In how many seasons did the team finish in twelfth place?") == [frozenset({"12"})]
    assert numbers_meant("Who was the first or second keeper?") == []


def test_a_month_is_met_by_a_date_in_digits() -> None:
    dates = records("Sa, 31.10.2026, 15:00", "Fr, 13.11.2026, 18:30", "2026-11-20 19:00", "So, 06.12.2026")
    held = ("Fr, 13.11.2026, 18:30", "2026-11-20 19:00")
    assert kept(dates, names=("November 2026",)) == [held]


def test_the_same_entries_are_one_choice() -> None:
    assert kept(MEETINGS, names=("2019", "Oslo")) == [("Meeting 2019, Oslo",)]
