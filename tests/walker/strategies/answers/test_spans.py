"""Spans of a passage that have the form of an answer."""

from __future__ import annotations

import pytest

from walker.strategies.answers.spans import candidate_spans
from walker.strategies.question.answer_type import AnswerKind, AnswerType


def texts(text: str, kind: AnswerKind, language: str = "en", noun: str = "") -> set[str]:
    return {span.text for span in candidate_spans(text, AnswerType(kind=kind, noun=noun), frozenset(), language)}


@pytest.mark.parametrize(
    ("text", "kind", "language", "answer"),
    [
        ("The vessel was launched on 12 May 1997 in Kiel.", "date", "en", "12 May 1997"),
        ("Das Schiff lief am 12. Mai 1997 vom Stapel.", "date", "de", "12. Mai 1997"),
        ("Le navire fut lancé le 12 mai 1997.", "date", "fr", "12 mai 1997"),
        ("El barco se botó el 12 de mayo de 1997.", "date", "es", "12 de mayo de 1997"),
        ("この船は1997年5月12日に進水した。", "date", "ja", "1997年5月12日"),
        ("该船于 1997 年 5 月 12 日下水。", "date", "zh", "1997 年 5 月 12 日"),
        ("Der Beitrag beträgt 50,00 € im Monat.", "number", "de", "50,00 €"),
        ("The lamp is 12,500.50 kr in all.", "number", "en", "12,500.50 kr"),
        ("She carries a crew of six.", "number", "en", "six"),
        ("投票总人数 = 99 人", "number", "zh", "99 人"),
        ("Das Training beginnt um 20:30 Uhr.", "time", "de", "20:30 Uhr"),
        ("It was added in 4.4.20 and removed later.", "version", "en", "4.4.20"),
        ("The station is led by Ana Ruiz since then.", "person", "en", "Ana Ruiz"),
        ("一等奖：张盛宇，二等奖空缺", "person", "zh", "张盛宇"),
        ("Write to info@reef.example for a berth.", "email", "en", "info@reef.example"),
        ("Call +49 361 1234567 before noon.", "phone", "en", "+49 361 1234567"),
        ("See RFC 2616 for the details.", "code", "en", "RFC 2616"),
    ],
)
def test_each_type_is_found_in_its_language(text: str, kind: AnswerKind, language: str, answer: str) -> None:
    assert answer in texts(text, kind, language)


def test_the_number_of_a_chapter_is_no_amount() -> None:
    assert "2.1" not in texts("2.1 Boats and their crews", "person")


def test_a_key_and_its_value_answer_the_question_that_has_the_key() -> None:
    asked = frozenset(("capac",))
    found = list(candidate_spans("Capacity: large hall", AnswerType(kind="phrase"), asked))
    assert any(span.text == "large hall" and span.fit > 0.9 for span in found)


def test_offsets_are_those_of_the_text() -> None:
    text = "It took 25 minutes, then 3 hours."
    for span in candidate_spans(text, AnswerType(kind="number"), frozenset()):
        assert text[span.start : span.end].strip() == span.text


@pytest.mark.parametrize(
    ("text", "language", "answer"),
    [
        ("La régate aura lieu le 25 mai au port.", "fr", "25 mai"),
        ("La regata es el 31 de agosto en el puerto.", "es", "31 de agosto"),
        ("Bis zum 30. November ist zu kündigen.", "de", "30. November"),
        ("Hasta del 3 de mayo se puede.", "es", "3 de mayo"),
        ("The pier shop reopens on 12-10-2024 at last.", "en", "12-10-2024"),
        ("We sail on Tuesday evenings.", "en", "Tuesday evenings"),
        ("Wir segeln jeden Dienstagabend.", "de", "Dienstagabend"),
        ("Le port ferme en été.", "fr", "en été"),
        ("周三 19:30 出航", "zh", "周三 19:30"),
        ("毎週月曜日に出航します", "ja", "月曜日"),
        ("The gates are shut at 18.30 pm.", "en", "18.30 pm"),
        ("The assembly is held in May.", "en", "May"),
    ],
)
def test_a_day_without_its_year_tells_when(text: str, language: str, answer: str) -> None:
    assert answer in texts(text, "date", language)


def test_a_day_without_its_year_is_no_number() -> None:
    assert "25 mai" not in texts("La régate aura lieu le 25 mai.", "number", "fr")


def test_other_words_tell_when_only_where_there_is_no_date() -> None:
    assert texts("It opened on Tuesday, 12 May 1997, at 10:30.", "date") == {"12 May 1997"}
    assert texts("You may go.", "date") == texts("Il a été lancé.", "date", "fr") == set()
