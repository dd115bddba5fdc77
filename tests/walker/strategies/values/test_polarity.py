"""Yes and no, from what a passage says."""

from __future__ import annotations

import pytest

from walker.strategies.answers.conflicts import are_at_odds, says_the_same
from walker.strategies.values.polarity import says_yes, verdict_in, yes_or_no


@pytest.mark.parametrize(
    ("question", "passage", "language", "is_yes"),
    [
        ("Is the harbour open in winter?", "The harbour is open all year.", "en", True),
        ("Is the harbour open in winter?", "In winter the harbour is not open.", "en", False),
        ("Can I moor without a booking?", "Mooring doesn't need a booking.", "en", True),
        ("Was the old crane ever painted red?", "The crane was painted red in 1950, but is not any more.", "en", True),
        ("Do children pay on the ferry?", "Children travel on the ferry free of charge.", "en", False),
        ("Is the ferry free for children?", "Children travel on the ferry free of charge.", "en", True),
        ("May I moor at the old pier?", "You are advised to avoid mooring at the old pier.", "en", False),
        ("Darf ich am alten Steg anlegen?", "Vom Anlegen am alten Steg wird abgeraten.", "de", False),
        ("Peut-on amarrer au vieux quai ?", "Il est déconseillé d'amarrer au vieux quai.", "fr", False),
        ("¿Se puede amarrar en el muelle viejo?", "Se desaconseja amarrar en el muelle viejo.", "es", False),
        ("可以停靠旧码头吗？", "请避免停靠旧码头。", "zh", False),
        ("Sind Hunde an Bord erlaubt?", "Hunde sind an Bord nicht erlaubt.", "de", False),
        ("Muss ich für die Fähre zahlen?", "Die Fähre ist für Gäste kostenlos.", "de", False),
        ("Le phare est-il ouvert en hiver ?", "Le phare n'est pas ouvert en hiver.", "fr", False),
        ("¿Se puede entrar con perros?", "Se puede entrar con perros.", "es", True),
        ("可以带狗上船吗？", "狗不可以上船。", "zh", False),
        ("犬は乗れますか？", "犬は乗れません。", "ja", False),
    ],
)
def test_yes_is_what_neither_or_both_of_question_and_passage_deny(
    question: str, passage: str, language: str, is_yes: bool
) -> None:
    assert says_yes(question, passage, language) is is_yes
    assert verdict_in(yes_or_no(question, passage, language)) is is_yes


@pytest.mark.parametrize(
    ("question", "passage", "answer"),
    [
        ("外面的人能注册吗？", "仅限本校学生注册。", "不能：仅限本校学生注册。"),
        ("港口冬天开放吗？", "港口冬天开放。", "是：港口冬天开放。"),
        ("一楼有餐厅吗？", "一楼没有餐厅。", "没有：一楼没有餐厅。"),
    ],
)
def test_chinese_answers_with_the_verb_of_the_question(question: str, passage: str, answer: str) -> None:
    assert yes_or_no(question, passage, "zh") == answer


def test_in_an_unknown_language_the_passage_stands_alone() -> None:
    assert yes_or_no("Можно?", "Можно.", "ru") == "Можно."


def test_verdicts_agree_whatever_proves_them_and_yes_and_no_are_at_odds() -> None:
    assert says_the_same("Yes: it is open.", "Yes: doors open at nine.")
    assert not says_the_same("Yes: it is open.", "No: it is open.")
    assert are_at_odds("Yes: it is open.", "No: it is shut.")
    assert not are_at_odds("Yes: it is open.", "Yes: it is never shut.")
    assert verdict_in("Not found") is None


def test_one_value_in_two_spellings_is_one_answer() -> None:
    assert says_the_same("31 metres", "31 m")
    assert not says_the_same("31 metres", "32 m")
    assert not says_the_same("in May", "on Sundays")
