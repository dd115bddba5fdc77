"""The answer that is composed of those to the parts."""

from __future__ import annotations

import pytest

from walker.strategies.joining.composing import compose, value_of, values_of
from walker.strategies.question.question import read_question


@pytest.mark.parametrize(
    ("question", "found", "answer"),
    [
        ("How many more boats does Kiel have than Bremen?", ("9", "6"), "3"),
        ("Which is older, the Mantis or the Heron?", ("1997", "1985"), "the Heron"),
        ("Which version brought the earlier of two features, the audit or the log?", ("4.4.20", "4.4.10"), "4.4.10"),
        ("Is the Mantis longer than 15 metres?", ("18.4 metres",), "yes"),
        ("How long is the Mantis?", ("18.4 metres",), "18.4 metres"),
    ],
)
def test_parts_are_joined_by_code(question: str, found: tuple[str, ...], answer: str) -> None:
    assert compose(read_question(question), found).startswith(answer)


def test_what_cannot_be_computed_is_no_answer() -> None:
    question = read_question("How many more boats does Kiel have than Bremen?")
    assert compose(question, ("many", "6")) == ""
    assert compose(question, ("9", "")) == ""


def test_the_answers_to_two_questions_stand_side_by_side() -> None:
    question = read_question(
        "Which licence does the pilot need for the strait, and which flag does the boat show at night?"
    )
    assert compose(question, ("B2", "red")) == "B2; red"
    assert compose(question, ("B2", "")) == ""


@pytest.mark.parametrize(
    ("asked", "text", "quote", "value"),
    [
        ("At what time did the talk end?", "13:00 - 14:25", "", "14:25"),
        ("At what time did the talk begin?", "13:00 - 14:25", "", "13:00"),
        ("At what time was the talk?", "13:00 - 14:25", "", "13:00"),
        ("How long was the talk?", "13:00 - 14:25", "", "85 min"),
        ("How long did the fair last?", "Jun 2, 2014 — Jun 6, 2014", "", "4 days"),
        ("How long was the talk?", "90 minutes", "The talk, 13:00 - 14:25, took 90 minutes.", "90 minutes"),
        ("Wie alt waren die jüngsten Kinder?", "16 Jahren", "für Kinder von 7 bis 16 Jahren", "7 Jahren"),
        ("Wie alt waren die ältesten Kinder?", "7", "für Kinder von 7 bis 16 Jahren", "16 Jahren"),
        ("How many boats are there?", "9", "9 boats, open 10:00 - 12:00", "9"),
    ],
)
def test_of_a_period_the_end_that_is_asked_for_is_the_value(asked: str, text: str, quote: str, value: str) -> None:
    assert value_of(asked, text, quote, "de" if "Jahr" in text + quote else "en") == value


def test_lengths_of_periods_are_compared() -> None:
    question = read_question("How many minutes longer was the talk 'Reefs' than the talk 'Tides'?")
    assert compose(question, ("13:00 - 14:25", "10:00 - 10:45")).startswith("40")
    days = read_question("How many days longer did the fair in Kiel last than the one in Bremen?")
    assert compose(days, ("2 June 2014 - 6 June 2014", "19-21 June 2012")).startswith("2")


@pytest.mark.parametrize(
    ("question", "language", "found", "answer"),
    [
        ("Lequel est le plus ancien, le phare de Groix ou le sémaphore de Sein ?", "fr", ("1839", "1877"), "le phare"),
        ("¿Cuál es más reciente, el faro de Vigo o el de Bares?", "es", ("1862", "1850"), "el faro de Vigo"),
        ("Was ist länger, die Mantis oder die Heron?", "de", ("18 m", "24 m"), "die Heron"),
        ("灯塔和水闸哪个更早建成？", "zh", ("1901 年", "1897 年"), "水闸"),
        ("¿En cuántos miembros supera el club de Vigo al de Lugo?", "es", ("120", "85"), "35"),
        ("De combien de mètres le phare de Sein dépasse-t-il celui de Groix ?", "fr", ("49 mètres", "23 mètres"), "26"),
        ("How many times as long is the Mantis as the Heron?", "en", ("36 m", "12 m"), "3"),
        ("Do the Mantis and the Heron have the same length?", "en", ("18 m", "24 m"), "no"),
        ("What is the combined length of the Mantis and the Heron?", "en", ("18 m", "24 m"), "42"),
    ],
)
def test_six_languages_compare(question: str, language: str, found: tuple[str, str], answer: str) -> None:
    assert compose(read_question(question, language), found).startswith(answer)


def test_a_bare_number_gets_the_unit_that_its_quote_gives_it() -> None:
    question = read_question("How much taller is the Mantis than the Otter?", "en")
    told = values_of(question, ("1.97", "1.73"), ("Mantis: 1.97 m", "1.73 seen of 1.73"))
    assert told == ["1.97 m", "1.73"]
