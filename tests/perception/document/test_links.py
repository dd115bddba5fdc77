"""Where links lead, what they are called, and the words around them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perception.document.links import CONTEXT_CHARS
from perception.observation import Place
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


@pytest.mark.parametrize(
    "markup",
    [
        "<p>Ask  the <a href='/desk'> help\n desk</a> before <a href='/noon'>noon</a>.</p>",
        "<p><a href='/a'>One</a><a href='/b'>two</a>, <b><a href='/c'>three</a></b></p>",
        "<ul><li><a href='/a'>招生</a>简章 <a href='/b'>下载</a></li></ul>",
        "<table><tr><td>x</td><td><a href='/a'>Row one</a></td></tr><tr><td>y</td><td><a href='/b'>two</a> z</td></tr></table>",
        "<pre>\n\n  def <a href='/f'>f</a>(x):\n    return <a href='/g'> g</a>(x)\n</pre>",
        "before<div><a href='/a'>A</a></div>between <a href='/b'>B</a><p>after</p>",
        "<a href='/a'><h3>A card</h3></a>",
        "<p>first<br><a href='/a'>second line</a></p>",
    ],
)
def test_a_link_stands_in_its_block_where_its_label_does(markup: str) -> None:
    page = read(markup)
    assert page.links
    for link in page.links:
        assert page.blocks[link.block - 1].text[link.start : link.end] == link.label


def test_a_label_that_goes_on_in_other_blocks_begins_in_the_first() -> None:
    page = read("Cards: <a href='/a'><h3>Maps</h3><p>of the town</p></a>")
    link = page.links[0]
    assert (link.label, page.blocks[link.block - 1].text[link.start : link.end]) == ("Maps of the town", "Maps")


def test_a_link_without_words_has_a_place_and_no_width() -> None:
    page = read(
        "<p>See <a href='/x'><img src='i.png' alt='map'></a> here</p><div><a href='/y' title='y'><i></i></a></div>"
    )
    assert [(link.block, link.start, link.end) for link in page.links] == [(1, 3, 3), (0, 0, 0)]


def test_a_link_that_stands_again_says_where() -> None:
    page = read("<nav><a href='/a'>Maps</a></nav><p>See <a href='/a'>Maps</a>.</p><p><a href='/a'>maps</a></p>")
    assert [link.label for link in page.links] == ["Maps", "maps"]
    assert page.links[0].again == (Place(block=2, start=4, end=8),)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["", "a", "b i", " x", "y "]), st.booleans(), st.sampled_from(["", " ", " z", "<br>"])
        ),
        max_size=8,
    )
)
def test_places_are_right_however_white_space_falls(parts: list[tuple[str, bool, str]]) -> None:
    markup = "".join(
        f"<a href='/{number}'>{label}</a>{after}" if linked else label + after
        for number, (label, linked, after) in enumerate(parts)
    )
    page = read(f"<p>{markup}</p>")
    for link in page.links:
        if link.block:
            assert page.blocks[link.block - 1].text[link.start : link.end] == link.label


@pytest.mark.parametrize(
    ("icon", "name"),
    [
        ('<i class="fab fa-github fa-lg"></i>', "github"),
        ('<img src="/icons/mail-box.svg">', "mail box"),
        ('<svg><use href="#icon-calendar"></use></svg>', "calendar"),
        ('<img src="/i/8f3a9c0d1e.png">', ""),
    ],
)
def test_a_link_that_is_an_icon_has_its_name(icon: str, name: str) -> None:
    (link,) = read(f'<p>Text <a href="/there">{icon}</a></p>').links
    assert link.label == name
