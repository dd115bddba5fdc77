from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from walker.crawl.script.patterns import BadPattern, Pattern, PatternSet, path_and_query

HOST = "https://example.org"


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("/docs/*", "/docs/a", True),
        ("/docs/*", "/docs/a?page=2", True),
        ("/docs/*", "/docs/a/b", False),
        ("/docs/**", "/docs/a/b?c=/d", True),
        ("/docs/**", "/doc", False),
        ("**", "/anything/at?all=1", True),
        ("*.pdf", "/a/b/c.pdf", True),
        ("*.pdf", "/c.pdf", True),
        ("*.pdf", "/c.pdf?x=1", False),
        ("print/**", "/a/print/b", True),
        ("print/**", "/a/blueprint/b", False),
        ("/a/**/z", "/a/b/c/z", True),
        ("/a/**/z", "/a/z", False),
        ("/a**z", "/a/z", True),
        ("/a/b*c/d", "/a/bxxc/d", True),
        ("/a/b*c/d", "/a/bx/c/d", False),
        ("**/a*b", "/ax/ab", True),
        ("/*?sort=*", "/list?sort=name", True),
        ("/*?sort=*", "/list?page=1", False),
        ("/ü*", "/%c3%bcber", True),
        ("/%7Eann/*", "/~ann/x", True),
        ("/A", "/a", False),
        ("re:/\\d{4}/", "/blog/2024/x", True),
        ("re:^/\\d{4}/", "/blog/2024/x", False),
    ],
)
def test_what_a_pattern_matches(pattern: str, path: str, matches: bool) -> None:
    assert Pattern(pattern).matches(HOST + path) is matches


def test_a_pattern_with_a_scheme_is_compared_with_the_whole_address() -> None:
    assert Pattern("https://*.example.org/**").matches("https://a.example.org/x#y")
    assert not Pattern("https://*.example.org/**").matches("http://a.example.org/x")
    assert Pattern("re:^https?://(a|b)\\.org").matches("http://b.org/")


@pytest.mark.parametrize(
    ("url", "part"),
    [
        ("https://a.org", "/"),
        ("https://a.org?x=/y", "/?x=/y"),
        ("https://a.org/b/c?d#e", "/b/c?d"),
        ("https://a.org#/route", "/"),
    ],
)
def test_the_part_of_an_address_that_counts(url: str, part: str) -> None:
    assert path_and_query(url) == part


def test_of_a_set_the_first_that_matches_is_told() -> None:
    patterns = PatternSet(["/a/**", "*.html", "https://example.org/c"])
    assert patterns.first_match(HOST + "/b/x.html") == "*.html"
    assert patterns.first_match(HOST + "/c") == "https://example.org/c"
    assert patterns.first_match(HOST + "/d") == ""
    assert not PatternSet(())


@cache
def by_definition(pattern: str, text: str) -> bool:
    """A star tries every length."""
    if not pattern:
        return not text
    if pattern.startswith("**"):
        rest = pattern.lstrip("*")
        return any(by_definition(rest, text[at:]) for at in range(len(text) + 1))
    if pattern[0] == "*":
        stop = (text.find("/") + 1 or len(text) + 1) - 1
        return any(by_definition(pattern[1:], text[at:]) for at in range(stop + 1))
    return bool(text) and text[0] == pattern[0] and by_definition(pattern[1:], text[1:])


@settings(max_examples=600, deadline=None)
@given(st.text("ab/*", max_size=9), st.text("ab/", max_size=10))
def test_a_pattern_matches_what_its_definition_says(pattern: str, path: str) -> None:
    pattern, path = "/" + pattern, "/" + path
    assert Pattern(pattern).matches(HOST + path) is by_definition(pattern, path)


def test_no_glob_is_slow_on_any_address() -> None:
    """Tried the naive way, twelve stars over four thousand characters would never end."""
    many = Pattern("/" + "**a*b" * 12 + "c")
    assert not many.matches(HOST + "/" + "ab" * 2000)


@pytest.mark.parametrize("text", ["", "  ", "re:", "re: ", "re:(", "re:[z-a]", "/" + "a" * 2000, r"re:(?!x)(a+)+b"])
def test_what_is_no_pattern_says_why(text: str) -> None:
    with pytest.raises(BadPattern, match=r"\w"):
        Pattern(text)
