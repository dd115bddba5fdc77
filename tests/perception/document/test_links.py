"""Where links lead, what they are called, and the words around them."""

from __future__ import annotations

import pytest

from perception.document.links import CONTEXT_CHARS
from tests.perception.pages import HERE, read


def test_links_are_absolute_and_numbered_in_order() -> None:
    page = read("<a href='a.html'>A</a> <a href='/b'>B</a> <a href='../c?x=1'>C</a> <a href='//other.example/d'>D</a>")
    assert [(link.id, link.label, link.url) for link in page.links] == [
        (1, "A", "https://example.org/docs/a.html"),
        (2, "B", "https://example.org/b"),
        (3, "C", "https://example.org/c?x=1"),
        (4, "D", "https://other.example/d"),
    ]
    assert page.link(3) == page.links[2]
    assert (page.link(0), page.link(5)) == (None, None)


@pytest.mark.parametrize(
    "href",
    [
        "mailto:a@example.org",
        "javascript:void(0)",
        "tel:123",
        "#part",
        HERE,
        HERE + "#part",
        "",
        " ",
        "http://[",
        "data:,x",
    ],
)
def test_what_leads_to_no_other_page_is_no_link(href: str) -> None:
    assert read(f"<a href='{href}'>label</a>").links == ()


def test_a_route_in_the_fragment_is_a_page_of_its_own() -> None:
    assert [link.url for link in read("<a href='#/users'>Users</a>").links] == [HERE + "#/users"]


def test_an_address_with_one_label_is_one_link() -> None:
    page = read("<a href='/a'>A</a><p><a href='/a'>A</a></p><a href='/a'>Other</a><a href='/b'>A</a>")
    assert [(link.label, link.url[-2:]) for link in page.links] == [("A", "/a"), ("Other", "/a"), ("A", "/b")]


@pytest.mark.parametrize(
    "markup",
    [
        "<a href='/x' aria-label='图书馆'><i></i></a>",
        "<a href='/x' title='图书馆'><b></b></a>",
        "<a href='/x'><img src='i.png' alt='图书馆'></a>",
        "<a href='/x'><svg aria-label='图书馆'></svg></a>",
        "<a href='/x'>  图书<span>馆</span> </a>",
    ],
)
def test_labels(markup: str) -> None:
    assert [link.label for link in read(markup).links] == ["图书馆"]


def test_context_is_the_words_around_the_label() -> None:
    page = read("<p>Ask the <a href='/desk'>help desk</a> before noon.</p>")
    assert page.links[0].context == "Ask the before noon."


def test_a_link_that_is_its_block_has_no_context() -> None:
    assert read("<ul><li><a href='/x'>Maps</a></li></ul>").links[0].context == ""


def test_context_is_short() -> None:
    page = read(f"<p>{'before ' * 100}<a href='/x'>here</a>{' after' * 100}</p>")
    assert len(page.links[0].context) <= CONTEXT_CHARS + 1


def test_heading_region_and_relation() -> None:
    page = read(
        "<h1>学校</h1><h2>部门</h2><p><a href='/a'>招生</a></p><nav><a rel='Next nofollow' href='/b'>下一页</a></nav>"
    )
    first, second = page.links
    assert (first.heading, first.region) == ("部门", "main")
    assert (second.region, second.rel) == ("nav", ("next", "nofollow"))


def test_a_link_that_is_its_heading_stands_under_the_one_above() -> None:
    page = read("<h1>Journal</h1><h2><a href='/a'>Article</a></h2>")
    assert page.links[0].heading == "Journal"
