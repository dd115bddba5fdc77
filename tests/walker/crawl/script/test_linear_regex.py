from __future__ import annotations

import re
from typing import Any

import pytest
import re2
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fixtures.processor_time import processor_seconds
from walker.crawl.script import linear_regex
from walker.crawl.script.linear_regex import BadExpression, ExpressionTooSlow, compile_search
from walker.crawl.script.patterns import LONGEST_URL, Pattern, why_no_pattern

NESTED = (
    r"(a+)+b",
    r"(a|a)*b",
    r"(a*)*b",
    r"(.*,)*x",
    r"(/?[a-z]+)*x",
    r"(\d+|\w+)*$",
    r"(x{1,5}){1,20}y",
    r"(a?){30}a",
    r"(aa|a)*b",
    r"(a|(?i:A))*b",
    r".*a.*b.*c.*d.*e",
)
"""Each keeps an engine that goes back busy for years on one of these texts."""
HOSTILE = tuple(
    text[:LONGEST_URL] for one in "a1,x/" for text in (one * 5000, "/" + one * 4090 + "-", (one + "/") * 3000)
)


@pytest.mark.parametrize("expression", NESTED)
def test_repeats_of_repeats_are_quick_on_any_address(expression: str) -> None:
    search = compile_search(expression)
    assert processor_seconds(lambda: [search(text) for text in HOSTILE]) < 2


@pytest.mark.parametrize(
    ("expression", "found", "not_found"),
    [
        (r"(/[a-z]+)*x", "/a/x", "/a/y"),
        (r"(?:[a-z]+-)*[a-z]+$", "/a-b-c", "/a-1"),
        (r"/\d{4}/\d{1,2}/.*\.html$", "/2024/1/a.html", "/2024/1/a.htm"),
        (r"^/(en|de|fr)/", "/de/a", "/a/de/"),
        (r"(?i)\.(pdf|zip)$", "/a.PDF", "/a.pdf?b"),
        (r"[?&]page=(1?\d|20)(&|$)", "/a?page=17", "/a?page=21"),
        (r"^/p/(\d+|\w+)$", "/p/a1", "/p/a-1"),
        (r"^/blog/(?!archive)", "/blog/a", "/blog/archive/a"),
        (r"(?<=id=)\d+$", "/a?id=5", "/a?ids=5"),
        (r"/(\w+)/\1/", "/a/a/", "/a/b/"),
        (r"^/(?>a+)b\Z", "/aab", "/aac"),
        (r"^/a{,3}$", "/aa", "/aaaa"),
        (r"(?x) ^/a  b $", "/ab", "/a b"),
        (r"^/a{2000}$", "/" + "a" * 2000, "/aa"),
    ],
)
def test_an_expression_means_what_it_means_to_python(expression: str, found: str, not_found: str) -> None:
    for text, wanted in ((found, True), (not_found, False)):
        assert (re.search(expression, text) is not None) is wanted
        assert Pattern("re:" + expression).matches("https://example.org" + text) is wanted


PIECES = st.sampled_from(
    r"a b / \d \w \s . ^ $ \b [ab] [^a] [\w-] (?:a|b) (a) (?P<n>b) (?i:B) a* b+? a{2} a{1,2} b{2,} (ab|a)* (?:a?)+ \. \/ ? {".split()
)


@settings(max_examples=600, deadline=None)
@given(st.lists(PIECES, min_size=1, max_size=5).map("".join), st.text("aAbB1/.-? {", max_size=8))
def test_re2_finds_what_python_finds(expression: str, text: str) -> None:
    try:
        expected = re.search(expression, text) is not None
    except re.error:
        assert why_no_pattern("re:" + expression)
        return
    assert (compile_search(expression)(text) is not None) is expected


def test_what_re2_lacks_has_a_limit_on_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linear_regex, "MOST_SECONDS", 0.05)
    search = compile_search(r"(?=x)(x|xx|xxx)*y|(?=x)(x*)(x*)(x*)(x*)z")
    with pytest.raises(
        ExpressionTooSlow, match=r"^/x+\.\.\.: the pattern re:\(\?=x\).* takes more than .* Write it without"
    ):
        search("/" + "x" * 4000 + "-yz-")


@pytest.mark.parametrize(
    ("expression", "why"),
    [
        ("(", r"not a regular expression \(missing \), unterminated subpattern at position 0\)"),
        ("[z-a]", r"not a regular expression \(bad character range z-a at position 1\)"),
        (r"x(?=(a+)+b)", r"repeats what repeats, such as \(a\+\)\+"),
        (r"(?!y)(?:.*,)*x", "repeats what repeats"),
        (r"(?!y)(x{1,5}){1,20}z", "repeats what repeats"),
    ],
)
def test_what_cannot_be_used_says_why(expression: str, why: str) -> None:
    with pytest.raises(BadExpression, match=why):
        compile_search(expression)
    assert re.search(why, why_no_pattern("re:" + expression))


@pytest.mark.filterwarnings("ignore:Possible nested set:FutureWarning")
def test_a_class_that_python_would_misread_is_refused() -> None:
    with pytest.raises(BadExpression, match=r"is none in Python; write \[A-Za-z\]"):
        compile_search(r"/[[:alpha:]]+/")


def test_common_expressions_go_to_re2() -> None:
    def engine(expression: str) -> Any:
        return getattr(compile_search(expression), "__self__", None)

    assert isinstance(engine(r"/\d{4}/"), re2._Regexp)
    assert engine(r"(?=a)b") is None
