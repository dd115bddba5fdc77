from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.words import STOP_WORDS, tokens


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Limits", "limit"),
        ("tested", "testing"),
        ("Café", "Cafe\u0301"),
        ("ＰＹＴＨＯＮ", "python"),
        ("libraries", "library"),
    ],
)
def test_forms_of_one_word_are_equal(one: str, other: str) -> None:
    assert tokens(one) == tokens(other)


def test_an_identifier_gives_itself_and_its_parts() -> None:
    assert tokens("get_special_folder_path()") == ("get_special_folder_path", "get", "special", "folder", "path")
    assert set(tokens("getFolderPath")) >= {"getfolderpath", "get", "folder", "path"}
    assert set(tokens("asyncio.run")) >= {"asyncio.run", "asyncio", "run"}


def test_a_name_in_mixed_case_is_one_word() -> None:
    assert tokens("SQLite") == ("sqlite",)
    assert tokens("MySQL") == ("mysql",)


def test_versions_dates_and_large_numbers_stay_whole() -> None:
    assert tokens("3.8.6") == ("3.8.6",)
    assert tokens("1,343 files")[0] == "1343"
    assert "2007-12-12" in tokens("on 2007-12-12")


def test_hyphenated_words_are_found_joined_and_apart() -> None:
    assert {"runtim", "run", "time"} <= set(tokens("Run-Time"))


def test_chinese_gives_pairs_that_no_function_word_joins() -> None:
    assert tokens("学校的历史") == ("学校", "历史")
    assert tokens("计算机") == ("计算", "算机")


def test_question_words_are_left_out_unless_there_is_nothing_else() -> None:
    assert tokens("What is the name") == ("name",)
    assert tokens("About us") == ("about", "us")
    assert tokens("") == ()


@given(st.text(max_size=200))
def test_any_text_gives_words_that_are_lower_case_and_not_empty(text: str) -> None:
    words = tokens(text)
    assert all(word and word == word.casefold() for word in words)
    if any(word not in STOP_WORDS for word in words):
        assert not STOP_WORDS.intersection(words)
