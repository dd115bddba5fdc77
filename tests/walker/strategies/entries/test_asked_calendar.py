"""Months, seasons and days of the week that a question names."""

from __future__ import annotations

import pytest

from walker.strategies.entries.asked_calendar import calendar_asked, is_within


@pytest.mark.parametrize(
    ("question", "language", "text", "is_of"),
    [
        ("Wie viele Heimspiele im November?", "de", "Fr, 13.11.2026, 18:30", True),
        ("Wie viele Heimspiele im November?", "de", "Sa, 31.10.2026, 15:00", False),
        ("Which units start in September?", "en", "UP01: septiembre", True),
        ("Which meetings were in September?", "en", "9/22/23 Brent", True),
        ("Which meetings were in September?", "en", "10/6/23 Brent", False),
        ("Quels cours ont lieu le jeudi ?", "fr", "Jeudi de 17h30 à 19h", True),
        ("Quels cours ont lieu le jeudi ?", "fr", "Mardi de 17h30 à 19h", False),
        ("Which classes are on Thursdays?", "en", "Thu 18:00 Yoga", True),
        ("Which matches are on a Friday?", "en", "2026-11-13 Faro", True),
        ("哪些课在星期四？", "zh", "周四 18:00", True),
        ("哪些比赛在十一月？", "zh", "2026年11月3日", True),
        ("Which camps are in summer?", "en", "12 July 2026", True),
        ("Which camps are in summer?", "en", "12 May 2026", False),
        ("Welche Lager sind am Wochenende?", "de", "Sonntag, Boot", True),
    ],
)
def test_an_entry_is_of_what_is_named(question: str, language: str, text: str, is_of: bool) -> None:
    asked = calendar_asked(question)
    assert asked
    assert is_within(text, language, asked) == is_of


def test_words_of_other_meanings_are_no_months_and_no_seasons() -> None:
    assert not calendar_asked("How many dogs may march along, and which fall behind in the estate?")
    assert calendar_asked("Which talks are in May?").months == {5}
    assert calendar_asked("Which talks were in fall 2023?").months == {9, 10, 11}
