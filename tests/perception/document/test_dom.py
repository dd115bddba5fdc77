"""Any text becomes a tree, and any bytes become text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perception.document.dom import LONGEST_HTML, parse_page


def words(text: str) -> str:
    return " ".join("".join(parse_page(text).itertext()).split())


@pytest.mark.parametrize("text", ["", "   ", "\x00", "<!-- nothing -->", "<", "<?xml version='1.0'?>", "\ud800"])
def test_what_is_no_html_is_still_a_tree(text: str) -> None:
    assert parse_page(text).tag == "html"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<p>one<p>two", "onetwo"),
        ("<div><b>one</div></b>", "one"),
        ("plain text", "plain text"),
        ("<p>a\x00b</p>", "ab"),
        ("<p>a<!-- secret -->b</p>", "ab"),
        ("<p>图书馆 &amp; 档案</p>", "图书馆 & 档案"),
        ("<meta charset=latin-1><p>naïve 语言</p>", "naïve 语言"),
    ],
)
def test_text_survives_broken_markup(text: str, expected: str) -> None:
    assert words(text) == expected


def test_what_follows_the_longest_page_is_left_out() -> None:
    text = "<p>kept</p>" + " " * LONGEST_HTML + "<p>left out</p>"
    assert words(text) == "kept"


@settings(deadline=None)
@given(st.text())
def test_parsing_never_fails(text: str) -> None:
    assert isinstance(parse_page(text).tag, str)
