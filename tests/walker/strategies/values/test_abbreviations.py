"""What an abbreviation stands for."""

from __future__ import annotations

import pytest

from walker.strategies.values.abbreviations import asked_abbreviation, expansions_in


@pytest.mark.parametrize(
    ("question", "abbreviation"),
    [
        ("What does HAL stand for?", "HAL"),
        ("What does the abbreviation SPA stand for in the report?", "SPA"),
        ("What is HEP short for in Scikit-HEP?", "HEP"),
        ("What is the full name of IRIS-HEP?", "IRIS-HEP"),
        ("Wofür steht die Abkürzung PGP bei diesem Treffen?", "PGP"),
        ("¿Qué significan las siglas OSOR?", "OSOR"),
        ("Que signifie le sigle AIPD ?", "AIPD"),
        ("KISS 法则是哪句英文的缩写？", "KISS"),
        ("URL 是什么的缩写？", "URL"),
        ("NASAは何の略ですか", "NASA"),
        ("Which object identifier stands for Google?", ""),
        ("Which width stands for Full HD?", ""),
        ("What does a star beside a commit stand for?", ""),
        ("Who stood for president of the ACM?", ""),
    ],
)
def test_a_question_says_which_abbreviation_it_wants_written_out(question: str, abbreviation: str) -> None:
    assert asked_abbreviation(question) == abbreviation


@pytest.mark.parametrize(
    ("text", "abbreviation", "words"),
    [
        ("这里的 KISS 是 Keep It Simple, Stupid 的缩写", "KISS", ["Keep It Simple, Stupid"]),
        ("The Geoscience Community Analysis Toolkit (GeoCAT) reads grids.", "GeoCAT", ["Geoscience Community Analysis Toolkit"]),
        ("JSON is the JavaScript Object Notation.", "JSON", ["JavaScript Object Notation"]),
        ("XML: eXtensible Markup Language", "XML", ["eXtensible Markup Language"]),
        ("a spatio-temporal asset catalog", "STAC", ["spatio-temporal asset catalog"]),
        ("une analyse d’impact relative à la vie privée (AIVP)", "AIVP", ["analyse d’impact relative à la vie privée"]),
        ("zum Palastgartenpicknick (PGP) im Park", "PGP", ["Palastgartenpicknick"]),
        ("PA (Programming Assignment) costs 5 euros per adult", "PA", ["Programming Assignment"]),
        ("Use the Map. Open Books are below.", "MOB", []),
        ("groups A, B, C and D", "ABCD", []),
        ("the Palastgartenpicknick in the park", "PGP", []),
    ],
)  # fmt: skip
def test_words_whose_beginnings_spell_it_are_found(text: str, abbreviation: str, words: list[str]) -> None:
    assert [text[one.start : one.end] for one in expansions_in(text, abbreviation)] == words


def test_it_is_told_whether_the_abbreviation_stands_beside_them() -> None:
    beside, apart = "a Board Support Crate (BSC)", "BSC boards are many; each has a Board Support Crate"
    assert [one.is_beside for text in (beside, apart) for one in expansions_in(text, "BSC")] == [True, False]
