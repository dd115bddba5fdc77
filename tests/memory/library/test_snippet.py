"""Snippets show the words of the query, marked, on one line."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memory.library.query_terms import terms_of
from memory.library.snippet import snippet_of


def test_the_words_that_were_asked_for_are_marked() -> None:
    snippet = snippet_of("Limits and\nbackups.\nA limit of get_path().", terms_of("limited path"))
    assert snippet.marked("[", "]") == "[Limits] and backups. A [limit] of [get_path]()."


def test_the_densest_stretch_of_a_long_passage_is_shown() -> None:
    text = "backup " + "word " * 100 + "The backup of the database runs at night. " + "word " * 100
    snippet = snippet_of(text, terms_of("database backup at night"))
    assert "[backup] of the [database] runs at [night]" in snippet.marked("[", "]")
    assert snippet.text.startswith("… ")
    assert snippet.text.endswith(" …")
    assert len(snippet.text) < 260


def test_chinese_is_marked_by_its_characters() -> None:
    snippet = snippet_of("图书馆每晚两点备份数据库。", terms_of("数据库备份"))
    assert snippet.marked("[", "]") == "图书馆每晚两点[备份数据库]。"


def test_without_a_word_of_the_query_the_beginning_is_shown() -> None:
    snippet = snippet_of("word " * 200, ("other",))
    assert snippet.text.startswith("word word")
    assert snippet.marks == ()


@given(st.text(max_size=900), st.lists(st.text(min_size=1, max_size=6), max_size=4))
def test_marks_are_ranges_of_the_text_in_order(text: str, terms: list[str]) -> None:
    snippet = snippet_of(text, [*terms, *text.casefold().split()[:3]])
    assert "\n" not in snippet.text
    last = 0
    for start, end in snippet.marks:
        assert last <= start < end <= len(snippet.text)
        last = end
    assert snippet.marked("", "") == snippet.text
