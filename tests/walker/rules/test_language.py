from __future__ import annotations

import pytest
from py3langid.langid import classify

from walker.demo.questions import bundled_questions
from walker.rules.language import _by_words, language_of

ENGLISH = [
    "What is the greatest depth of water in the tidal flume?",
    "Which module has the function dumps, and what does it give back?",
    "How many people are listed on the institute's people pages?",
    "WHO WROTE THE PAPER OF 2025?",
    "Where does Zhao Qing work, and with whom?",
]


@pytest.mark.parametrize("question", ENGLISH)
def test_words_that_only_english_has_say_what_the_statistics_say(question: str) -> None:
    assert language_of(question) == classify(question)[0] == "en"


OTHERS = [
    ("de", "Wann wurde die Sternwarte eröffnet, und für wen?"),
    ("de", "Welche Mannschaft wird von einem Spieler trainiert?"),
    ("fr", "Combien coûte une entrée pour les élèves ?"),
    ("fr", "Quels sont les trois premiers chapitres du manuel ?"),
    ("es", "¿Cuál es el precio de la entrada para los niños?"),
    ("es", "¿Quién fundó la asociación y en qué año?"),
    ("pt", "Quantos artigos foram publicados em 2020?"),
    ("it", "Dove si trova il museo e quando è aperto?"),
]


@pytest.mark.parametrize(("language", "question"), OTHERS)
def test_function_words_of_one_language_alone_say_what_the_statistics_say(language: str, question: str) -> None:
    assert _by_words(question) == classify(question)[0] == language


@pytest.mark.parametrize(
    "question", ["Hoeveel leden heeft de vereniging?", "Quants socis té el club?", "Name three papers of 2025."]
)
def test_words_of_no_known_language_or_of_two_leave_it_to_statistics(question: str) -> None:
    assert _by_words(question) == ""


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Name three papers of 2025.", "en"),
        ("Quelle est la couleur du zèbre ?", "fr"),
        ("Wie lang ist der Kanal, und wann wurde er gebaut?", "de"),
        ("Quanti anni ha il direttore dell'istituto The Tide?", "it"),
        ("硕士课程每年的学费是多少？", "zh"),
        ("Python 3.11 是哪一年发布的?", "zh"),
        ("この研究所の所長は誰ですか", "ja"),
    ],
)
def test_other_questions_are_told_by_script_or_statistics(question: str, language: str) -> None:
    assert language_of(question) == language


def test_the_questions_of_the_demo() -> None:
    assert [language_of(one.question) for one in bundled_questions()] == ["en", "en", "en", "en", "zh"]
