"""What a question of two facts leaves out of its second half, and changes between two times; every name is invented."""

from __future__ import annotations

import pytest

from walker.rules.language import language_of
from walker.strategies.question.question import read_question


def parts(question: str) -> tuple[str, list[str]]:
    read = read_question(question, language_of(question))
    return read.operation, [part.text for part in read.parts]


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        (
            "By how many boats did the Larkmoor fleet grow between May 2011 and 2014?",
            [
                "How many boats were in the Larkmoor fleet in May 2011?",
                "How many boats were in the Larkmoor fleet in 2014?",
            ],
        ),
        (
            "By how much did the yearly fee at Lowmere fall from the end of 2019 to 2021?",
            [
                "How much was the yearly fee at Lowmere at the end of 2019?",
                "How much was the yearly fee at Lowmere in 2021?",
            ],
        ),
        (
            "Um wie viele Mitglieder ist der Verein Torfhaus von 2010 bis 2015 gewachsen?",
            [
                "Wie viele Mitglieder hatte der Verein Torfhaus im Jahr 2010?",
                "Wie viele Mitglieder hatte der Verein Torfhaus im Jahr 2015?",
            ],
        ),
        (
            "De combien de membres le club de Brevanne a-t-il augmenté entre 2010 et 2015 ?",
            [
                "Combien de membres avait le club de Brevanne en 2010 ?",
                "Combien de membres avait le club de Brevanne en 2015 ?",
            ],
        ),
        (
            "¿En cuántos socios creció el coro de Valderón entre 2010 y 2015?",
            [
                "¿Cuántos socios tenía el coro de Valderón en 2010?",
                "¿Cuántos socios tenía el coro de Valderón en 2015?",
            ],
        ),
        (
            "By how many years did Ada Marlow finish her degree before Orin Bell?",
            ["In which year did Ada Marlow finish her degree?", "In which year did Orin Bell finish her degree?"],
        ),
    ],
)
def test_a_change_asks_for_one_quantity_twice(question: str, wanted: list[str]) -> None:
    assert parts(question) == ("difference", wanted)


@pytest.mark.parametrize(
    ("question", "first_is"),
    [
        ("By how many boats did the fleet grow between 2011 and 2014?", "less"),
        ("By how many boats did the fleet shrink between 2011 and 2014?", "more"),
        ("By how many years did Ada finish her course before Orin?", "less"),
        ("How many years before Ada did Orin finish the course?", "more"),
        ("By how much does the limit of a poster exceed the limit of a note?", "more"),
        ("Um wie viele Jahre jünger als Orin war Ada?", "less"),
    ],
)
def test_a_change_tells_which_value_is_more(question: str, first_is: str) -> None:
    assert read_question(question, "en").first_is == first_is


@pytest.mark.parametrize(
    ("question", "second"),
    [
        (
            "Which prize did the choir win at Lowmere in 2022, and which one three years later?",
            "Which prize did the choir win at Lowmere in 2025?",
        ),
        ("Who led the choir in 2011, and who two years earlier?", "Who led the choir in 2009?"),
        (
            "Wer war 2011 Kassenwart von Torfhaus, und wer drei Jahre später?",
            "Wer war 2014 Kassenwart von Torfhaus?",
        ),
        ("Which team won the cup at Larkmoor, and which at Lowmere?", "Which team won the cup at Lowmere?"),
        (
            "An welchem Tag begann der Kurs zum Winter 2025/26 und an welchem der zum Sommer 2026?",
            "An welchem Tag begann der Kurs zum Sommer 2026?",
        ),
        ("Who founded the choir in 2011, and who joined it a year later?", "Who joined the choir in 2012?"),
    ],
)
def test_a_time_or_place_alone_asks_what_the_first_asks(question: str, second: str) -> None:
    operation, texts = parts(question)
    assert operation == "both"
    assert texts[1] == second


@pytest.mark.parametrize(
    ("question", "second"),
    [
        (
            "How many pages has the guide in the small-print series, and with which release did that series begin?",
            "With which release did the small-print series begin?",
        ),
        (
            "How long before the fair must members send in their cakes, and how soon should they answer letters?",
            "How soon should members answer letters?",
        ),
        (
            "In which year was the register of bells opened, and up to how many bells does its first part go?",
            "Up to how many bells does the register of bells's first part go?",
        ),
        ("Wer stand als Erster an der Spitze des Chors, und wer leitet ihn heute?", "Wer leitet den Chor heute?"),
        (
            "Welche Firma baute die Orgel der Kirche, und wie viele Register hat sie?",
            "Wie viele Register hat die Orgel der Kirche?",
        ),
        (
            "Qui dirige le club de Brevanne, et quand a-t-il été fondé ?",
            "Quand a le club de Brevanne été fondé ?",
        ),
        (
            "Quand a ouvert la piscine, et combien de lignes a son bassin ?",
            "Combien de lignes a le bassin de la piscine ?",
        ),
        (
            "¿Quién dirige el club de Valderón y cuántos socios tiene su coro?",
            "Cuántos socios tiene coro del club de Valderón?",
        ),
    ],
)
def test_what_is_pointed_back_to_is_named(question: str, second: str) -> None:
    operation, texts = parts(question)
    assert operation == "both"
    assert texts[1] == second


@pytest.mark.parametrize(
    "question",
    [
        "Welche Nummern kann man an der Kasse eingeben, und welche steht für Abholung?",
        "¿Quién fundó el club y cuándo cerró?",
        "By how many days was the call for talks at Larkmoor prolonged?",
        "How many stations lie between Larkmoor and Lowmere?",
    ],
)
def test_what_leaves_out_nothing_is_not_taken_apart(question: str) -> None:
    assert parts(question)[0] in ("none", "difference")
    assert len(parts(question)[1]) == 1 or "between" in question


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        (
            "Where had the student who gave the talk at Larkmoor done research before she came to Lowmere?",
            [
                "Who is the student who gave the talk at Larkmoor?",
                "Where had it done research before she came to Lowmere?",
            ],
        ),
        (
            "Which award has the author who was born in Torfhaus received for her second novel?",
            ["Who is the author who was born in Torfhaus?", "Which award has it received for her second novel?"],
        ),
        (
            "An welchem Wochentag gibt die Person, die sich um die Webseite des Chors kümmert, ihren Tanzkurs?",
            [
                "Welche Person, die sich um die Webseite des Chors kümmert?",
                "An welchem Wochentag gibt er ihren Tanzkurs?",
            ],
        ),
    ],
)
def test_what_is_described_in_the_midst_is_found_first(question: str, wanted: list[str]) -> None:
    assert parts(question) == ("chain", wanted)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        (
            "青禾剧社的作者和 Marlow 的维护者分别在哪个城市演讲？",
            ["青禾剧社的作者在哪个城市演讲？", "Marlow的维护者在哪个城市演讲？"],
        ),
        (
            "青禾剧社和白鹭书院的成员分别有多少人？",
            ["青禾剧社的成员有多少人？", "白鹭书院的成员有多少人？"],
        ),
    ],
)
def test_each_of_two_in_chinese_keeps_its_own_words(question: str, wanted: list[str]) -> None:
    assert parts(question) == ("both", wanted)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        (
            "How much does a family pay at Lowmere in total, if you add up the base fee and the surcharge?",
            [
                "How much does a family pay at Lowmere for the base fee?",
                "How much does a family pay at Lowmere for the surcharge?",
            ],
        ),
        (
            "Wie viel Euro zahlt ein Kind in Torfhaus zusammen im Monat, wenn man Grundbeitrag und Aufschlag zusammenrechnet?",
            [
                "Wie viel Euro zahlt ein Kind in Torfhaus im Monat als Grundbeitrag?",
                "Wie viel Euro zahlt ein Kind in Torfhaus im Monat als Aufschlag?",
            ],
        ),
        (
            "Combien paie une famille à Brevanne au total, si l'on additionne la cotisation et la licence ?",
            [
                "Combien paie une famille à Brevanne pour la cotisation ?",
                "Combien paie une famille à Brevanne pour la licence ?",
            ],
        ),
        (
            "¿Cuánto paga una familia en Valderón en total, si se suman la cuota y la licencia?",
            [
                "¿Cuánto paga una familia en Valderón por la cuota?",
                "¿Cuánto paga una familia en Valderón por la licencia?",
            ],
        ),
        (
            "把青禾剧社的成员和导师加起来，一共有多少人？",
            ["青禾剧社的成员有多少人", "青禾剧社的导师有多少人"],
        ),
    ],
)
def test_amounts_that_are_added_up_are_asked_for_one_by_one(question: str, wanted: list[str]) -> None:
    assert parts(question) == ("sum", wanted)
