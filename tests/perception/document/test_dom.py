"""Any text becomes a tree, and any bytes become text."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perception.document.dom import LONGEST_HTML, decode_html, parse_page


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


@pytest.mark.parametrize(
    ("data", "content_type"),
    [
        ("图书馆".encode(), ""),
        (codecs.BOM_UTF8 + "图书馆".encode(), "text/html; charset=latin-1"),
        (codecs.BOM_UTF16_LE + "图书馆".encode("utf-16-le"), ""),
        (codecs.BOM_UTF16_BE + "图书馆".encode("utf-16-be"), ""),
        ("图书馆".encode("gbk"), "text/html; charset=GB2312"),
        ("图书馆".encode("gb18030"), 'text/html; charset="gb18030"'),
        ("图书馆".encode(), "text/html; charset=no-such-thing"),
    ],
)
def test_encoding_comes_from_mark_then_header(data: bytes, content_type: str) -> None:
    assert decode_html(data, content_type) == "图书馆"


def test_encoding_comes_from_the_meta_element() -> None:
    text = '<meta http-equiv="Content-Type" content="text/html; charset=gbk"><p>教授名单</p>'
    assert decode_html(text.encode("gbk")) == text


def test_the_header_goes_before_the_meta_element() -> None:
    text = '<meta charset="latin-1"><p>教授</p>'
    assert decode_html(text.encode(), "text/html; charset=utf-8") == text


def test_a_declaration_that_does_not_fit_is_passed_over() -> None:
    text = '<meta charset="ascii"><p>教授</p>'
    assert decode_html(text.encode()) == text


@settings(deadline=None)
@given(st.binary(max_size=300), st.sampled_from(["", "text/html; charset=utf-8", "text/html; charset=shift_jis"]))
def test_decoding_never_fails(data: bytes, content_type: str) -> None:
    assert isinstance(decode_html(data, content_type), str)
