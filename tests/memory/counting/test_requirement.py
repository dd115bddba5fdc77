"""The reader as a whole: languages, widths, odd input. What is counted is in test_counting_*."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.counting.asked_number import chinese_number
from memory.counting.requirement import Requirement, may_be_stated, read_requirement, wants_names
from tests.fixtures.processor_time import processor_seconds


@pytest.mark.parametrize("language", ["", "en", "zh", "fr"])
def test_the_language_is_only_a_hint(language: str) -> None:
    assert read_requirement("列出五个内置函数", language).target == 5
    assert read_requirement("List five built-in functions", language).target == 5


def test_full_width_digits_and_curly_quotes_are_read() -> None:
    assert read_requirement("请列出５个数据库").target == 5
    assert read_requirement("In the ‘Top 10’ list, name ３ tools").target == 3


def test_a_chinese_noun_in_an_english_question_is_kept() -> None:
    assert read_requirement("How many 教授 are listed on the page?") == Requirement(mode="exhaustive", noun="教授")


def test_the_question_stands_at_the_end_of_a_long_text() -> None:
    text = "The institute was founded long ago. " * 500
    assert read_requirement(text + "Name four of its laboratories.").target == 4


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How many offices does the firm have?", True),
        ("How many laboratories belong to the institute?", True),
        ("How many offices are listed?", False),
        ("How many functions does the chapter describe?", False),
        ("How many rows does the table have?", False),
        ("List all offices of the firm.", False),
        ("Name five offices.", False),
        ("Wie viele Arten von Mitgliedern kennt die Satzung?", True),
        ("Wie viele Projekte sind auf der Seite aufgeführt?", False),
        ("Combien de sports l'association propose-t-elle ?", True),
        ("Combien d'ateliers figurent sur la page ?", False),
        ("¿Cuántos talleres hay?", True),
        ("Nenne drei Vorträge.", False),
        ("学科はいくつありますか。", True),
        ("講座がいくつ掲載されていますか。", False),
        ("该实验室有多少名教授?", True),
        ("页面上列出了多少位教授?", False),
        ("列出所有教授的姓名。", False),
    ],
)
def test_how_many_leaves_open_if_a_number_is_stated(question: str, expected: bool) -> None:
    assert may_be_stated(question) is expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("List all tools of the shop.", True),
        ("Which tools are there? List them all.", True),
        ("How many tools are there? List them all.", True),
        ("Welche Werkzeuge gibt es? Bitte alle.", True),
        ("哪几个学院在该楼？", True),
        ("How many tools are there?", False),
        ("Wie viele Werkzeuge gibt es?", False),
        ("该学院有多少位教授?", False),
        ("Name three tools of the shop.", False),
        ("Which tools are there?", False),
    ],
)
def test_names_are_wanted_of_a_whole_list_that_is_asked_for_without_a_number(question: str, expected: bool) -> None:
    assert wants_names(question, read_requirement(question)) is expected


@pytest.mark.parametrize(
    "unit",
    [
        *("name ", "how many ", "which the s ", "list all ", "列出有三个", "有多少", "比多", "，", "a", "'"),
        *(
            "nenne ",
            "wie viele x stehen auf ",
            "combien a b ",
            "which? name two of the ",
            "welche? ",
            "alle, ",
            "por favor ",
        ),
        *("2 (", "全部"),
    ],
)
def test_no_text_takes_long(unit: str) -> None:
    assert processor_seconds(lambda: read_requirement(unit * 20_000)) < 2.0


@given(st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    requirement = read_requirement(text)
    assert (requirement.mode == "quota") == (requirement.target > 1)


@pytest.mark.parametrize("question", ["", "   ", "?", "。", "how many", "多少", "list", "name 5", "列出"])
def test_fragments_count_nothing(question: str) -> None:
    assert read_requirement(question) == Requirement()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3),
        ("十", 10),
        ("十二", 12),
        ("二十", 20),
        ("三十五", 35),
        ("两百", 200),
        ("一百零五", 105),
        ("仨", 3),
        ("一打", 12),
    ],
)
def test_chinese_numbers(text: str, value: int) -> None:
    assert chinese_number(text) == value
