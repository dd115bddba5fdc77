"""Any text becomes a tree, and any bytes become text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perception.document.dom import LONGEST_HTML, parse_page
from perception.document.reading import observe
from perception.snapshot import Snapshot


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


@pytest.mark.parametrize(
    ("text", "head", "body"),
    [
        ("<title>T</title><main><p>a</p></main>", ["title"], ["main"]),
        ("<title>T</title><header>a</header><p>b</p>c<main>d</main>", ["title"], ["header", "p", "main"]),
        ("<head><title>T</title><my-bar>a</my-bar></head><body>b<main>c</main>", ["title"], ["my-bar", "main"]),
        ("<head><script>a</script><style>b</style></head><body><p>c</p></body>", ["script", "style"], ["p"]),
        ("<meta charset=utf-8><nav>a</nav><style>b</style><main>c</main>", ["meta"], ["nav", "style", "main"]),
    ],
)
def test_the_first_element_that_no_head_has_begins_the_body(text: str, head: list[str], body: list[str]) -> None:
    root = parse_page(text)
    assert [[child.tag for child in root.find(part)] for part in ("head", "body")] == [head, body]


def test_text_keeps_its_order_where_a_body_begins_early() -> None:
    assert words("<title>1</title><nav>2</nav>3<p>4</p>5") == "12345"
    assert words("<head><my-bar>1</my-bar>2</head><body>3<p>4</p></body>") == "1234"
    observation = observe(
        Snapshot(
            url="http://a/", final_url="http://a/", status=200, html="<title>T</title><main><p>Six boats.</p></main>"
        )
    )
    assert [block.text for block in observation.blocks] == ["Six boats."]


def test_what_follows_the_longest_page_is_left_out() -> None:
    text = "<p>kept</p>" + " " * LONGEST_HTML + "<p>left out</p>"
    assert words(text) == "kept"


@settings(deadline=None)
@given(st.text())
def test_parsing_never_fails(text: str) -> None:
    assert isinstance(parse_page(text).tag, str)
