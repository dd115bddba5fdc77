"""Parts of a question, worded as questions of their own."""

from __future__ import annotations

import pytest

from walker.strategies.question.question import read_question
from walker.strategies.wording.descriptions import described_within
from walker.strategies.wording.filling import filled
from walker.strategies.wording.quantity_questions import Asked, how_of, quantity_question
from walker.strategies.wording.shared_verbs import verb_place, with_the_same_verb
from walker.strategies.wording.two_questions import asked_at_once


@pytest.mark.parametrize(
    ("question", "language", "texts"),
    [
        (
            "How many minutes passed between the end of Ana Ruiz's talk and the start of the gala?",
            "en",
            ("At what time did Ana Ruiz's talk end?", "At what time did the gala begin?"),
        ),
        (
            "How many years before the lighthouse was built was the club founded?",
            "en",
            ("In which year the lighthouse was built?", "In which year was the club founded?"),
        ),
        (
            "How many pages more than a poster may a paper about tides have at Reef Days?",
            "en",
            (
                "How many pages may a paper about tides have at Reef Days?",
                "How many pages may a poster have at Reef Days?",
            ),
        ),
        (
            "Which is longer, the north quay or the slipway?",
            "en",
            ("How long is the north quay?", "How long is the slipway?"),
        ),
        (
            "Which talk was longer, 'Reefs' or 'Tides'?",
            "en",
            ("How long did 'Reefs' take?", "How long did 'Tides' take?"),
        ),
        (
            "By how much does the adult fare exceed the child fare?",
            "en",
            ("What is the adult fare?", "What is the child fare?"),
        ),
        (
            "How much more does a day ticket cost than a child ticket?",
            "en",
            ("How much does a day ticket cost?", "How much does a child ticket cost?"),
        ),
        (
            "Which release is newer, the one with the map or the one with tides, and which release is it?",
            "en",
            ("Which release is the one with the map?", "Which release is the one with tides?"),
        ),
        (
            "Which of the two boats of the yard came first, that with oars or that with sails, and at what time?",
            "en",
            ("At what time was the boat with oars?", "At what time was the boat with sails?"),
        ),
        (
            "Which has more berths, the Mantis or the Heron?",
            "en",
            ("How many berths does the Mantis have?", "How many berths does the Heron have?"),
        ),
        (
            "Is the north tower higher than the south tower?",
            "en",
            ("How high is the north tower?", "How high is the south tower?"),
        ),
        (
            "Um wie viele Zentimeter ist Jan nach der Liste der Jugend größer als nach der Liste der Kinder?",
            "de",
            (
                "Wie viele Zentimeter ist Jan nach der Liste der Jugend?",
                "Wie viele Zentimeter ist Jan nach der Liste der Kinder?",
            ),
        ),
        (
            "Wie viele Jahre liegen zwischen der Gründung des Vereins und dem Bau der Schleuse?",
            "de",
            ("In welchem Jahr war die Gründung des Vereins?", "In welchem Jahr war Bau der Schleuse?"),
        ),
        (
            "Combien de jours avant le festival la régate a-t-elle commencé ?",
            "fr",
            ("Quand a eu lieu le festival?", "Quand la régate a-t-elle commencé?"),
        ),
        (
            "Combien de pages le guide des algues compte-t-il de plus que celui des coraux ?",
            "fr",
            ("Combien de pages compte-t-il le guide des algues?", "Combien de pages compte-t-il le guide des coraux?"),
        ),
        (
            "¿Cuántos años después de la fundación del club se construyó el faro?",
            "es",
            ("¿En qué año fue la fundación del club?", "¿En qué año se construyó el faro?"),
        ),
        ("灯塔建成比协会成立晚多少年？", "zh", ("灯塔建成是哪一年？", "协会成立是哪一年？")),
        ("灯塔和水闸哪个更高？", "zh", ("灯塔有多高？", "水闸有多高？")),
    ],
)
def test_each_thing_of_a_comparison_is_asked_for(question: str, language: str, texts: tuple[str, str]) -> None:
    assert tuple(part.text for part in read_question(question, language).parts) == texts


def test_the_things_of_a_comparison_are_known_by_name() -> None:
    read = read_question("Which is older, the Mantis or the Heron?")
    assert read.things == ("the Mantis", "the Heron")
    assert [part.things for part in read.parts] == [("Mantis",), ("Heron",)]


def test_a_verb_of_both_stands_once() -> None:
    assert verb_place("a paper about tides have at Kiel") == len("a paper about tides ")
    assert verb_place("the right to run") is None
    assert with_the_same_verb("the fair in Kiel last", "the fair in Bremen") == (
        "the fair in Kiel last",
        "the fair in Bremen last",
    )
    assert with_the_same_verb("Kiel", "Bremen") == ("Kiel", "Bremen")


def test_comparatives_tell_how_one_asks() -> None:
    assert how_of("slightly wider") == "How wide"
    assert how_of("better") == ""
    assert quantity_question(Asked("en", order="longer", verb="is"), "the trail") == "How long is the trail?"
    assert quantity_question(Asked("en", order="higher", verb="is"), "the port") == "What is the port?"


@pytest.mark.parametrize(
    ("text", "known", "asked"),
    [
        ("Who hosted it?", "Reef Days 2019", "Who hosted Reef Days 2019?"),
        ("How many faults were mended in that version?", "2.4", "How many faults were mended in version 2.4?"),
        ("Who implemented that standard?", "STD 9", "Who implemented STD 9?"),
        ("Welche Nummer trägt er im Kader?", "Jan Voss", "Welche Nummer trägt Jan Voss im Kader?"),
        ("他在海洋论坛上讲了什么题目？", "王一", "王一在海洋论坛上讲了什么题目？"),
        ("Which sailor is the doctor?", "Ana Ruiz", "Which sailor is the doctor? Ana Ruiz"),
        ("Who hosted it?", "", "Who hosted it?"),
    ],
)
def test_what_is_known_stands_where_the_next_part_points_back(text: str, known: str, asked: str) -> None:
    assert filled(text, known) == asked


def test_a_passage_is_no_name() -> None:
    passage = "The boat was built in 1997 by a yard in Kiel that also made the two locks of Brake and Elsfleth."
    assert filled("Who steered it?", passage) == f"Who steered it? {passage}"


@pytest.mark.parametrize(
    "question", ["What did the director of the choir study?", "When did the boat sink?", "Who is the CTO?"]
)
def test_what_is_named_is_not_described(question: str) -> None:
    assert described_within(question) is None


def test_a_second_question_that_points_back_belongs_to_the_first() -> None:
    question = "When was the boat built, and by whom was it sold to the yard in Kiel?"
    assert asked_at_once(question, question) is None
    apart = "Which boat won the race of 1997 and which one sank in the same harbour a year later?"
    found = asked_at_once(apart, apart)
    assert found is not None
    assert found[1].startswith("Which boat sank")
