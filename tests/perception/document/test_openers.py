"""Closed parts of a page: their text and links are named with what opens them; what nothing opens stays hidden."""

# ruff: noqa: E501 (a page stands on one line)
from __future__ import annotations

import pytest

from tests.perception.pages import read

CLOSED = "data-walker-hidden=''"
TEXTS = {
    "bootstrap tab": (
        f"<ul class=nav role=tablist><li><a href='#a' role=tab>One</a><li><a href='#b' role=tab>Two</a></ul><div id=a>x</div><div id=b {CLOSED}><p>kept</p></div>",
        "Two",
    ),
    "aria tab": (
        f"<div role=tablist><button role=tab id=t1>Linux</button><button role=tab id=t2>Mac</button></div><div role=tabpanel aria-labelledby=t2 {CLOSED}>kept</div>",
        "Mac",
    ),
    "tab by order": (
        f"<div><ul><li>甲</li><li>乙</li></ul><div class=p>x</div><div class=p {CLOSED}>kept</div></div>",
        "乙",
    ),
    "accordion": (f"<h3><button aria-expanded=false>Why?</button></h3><div {CLOSED}><p>kept</p></div>", "Why?"),
    "bootstrap accordion": (
        f"<div><h5><button data-bs-target='#c'>Why?</button></h5></div><div id=c class=collapse {CLOSED}>kept</div>",
        "Why?",
    ),
    "list of questions": (f"<dl><dt class=faq-question>Why?</dt><dd {CLOSED}>kept</dd></dl>", "Why?"),
    "details": ("<details><summary>More</summary><p>kept</p></details>", "More"),
    "rendered details": (f"<details><summary>More</summary><p {CLOSED}>kept</p></details>", "More"),
    "dialog": (
        f"<main><p>Talk <button data-target='#m'>Abstract</button></p></main><div id=m {CLOSED}><p>kept</p></div>",
        "Abstract",
    ),
    "long heading that is declared to open": (
        f"<h4 data-toggle=collapse>{'A talk of many words about the sea and all that is in it, with its speakers, ' * 2}</h4><div {CLOSED}>kept</div>",
        "A talk of many words about the sea and all that is in it, with its speakers, A t",
    ),
    "pop-up beside a picture": (
        f"<div class=speaker><div class=photo><a class=anchor id=n1></a><img src=i.jpg alt='Ida Brandt'></div><div class='pop-box hide' {CLOSED}><p>kept</p></div></div>",
        "Ida Brandt",
    ),
    "tooltip within what it explains": (
        f"<p>Ask for <span class=term>SLA<span class=tooltiptext {CLOSED}>kept</span></span> now</p>",
        "SLA",
    ),
    "tooltip that a word names": (
        f"<div><p>The <a aria-describedby=d>tide table</a> of today</p><p>Words</p><div id=d role=tooltip {CLOSED}>kept</div></div>",
        "tide table",
    ),
    "box without height": (
        "<button aria-expanded=false aria-controls=z>Terms</button><div id=z><p>kept</p></div>",
        "Terms",
    ),
}
LINKS = "<a href='/a'>A</a> <a href='/b'>B</a> prose that nobody sees"
MENUS = {
    "sub-menu": (f"<nav><ul><li><a href='/p'>Parts</a><ul {CLOSED}><li>{LINKS}</li></ul></li></ul></nav>", "Parts"),
    "bootstrap 3": (
        f"<header><button data-target='.navbar-collapse' aria-label='Menu'></button><div class='navbar-collapse' {CLOSED}>{LINKS}</div></header>",
        "Menu",
    ),
    "burger elsewhere": (
        f"<div><button class=hamburger title='Open menu'></button></div><div id=mobile-menu {CLOSED}>{LINKS}</div>",
        "Open menu",
    ),
    "checkbox": (
        f"<input type=checkbox id=t {CLOSED}><label for=t>Contents</label><nav {CLOSED}>{LINKS}</nav>",
        "Contents",
    ),
    "side bar": (
        f"<aside class=sidebar><ul><li><span>Halls</span><ul {CLOSED}><li>{LINKS}</li></ul></li></ul></aside>",
        "Halls",
    ),
    "drawer beside the window": (
        "<button aria-controls=d>Menu</button><div id=d><p><a href='/a' data-walker-hidden='off-screen'>A</a></p><p data-walker-hidden='off-screen'>prose that nobody sees</p></div>",
        "Menu",
    ),
}


@pytest.mark.parametrize("name", TEXTS)
def test_text_in_a_closed_part_says_what_opens_it(name: str) -> None:
    markup, opener = TEXTS[name]
    block = next(block for block in read(f"<h1>T</h1>{markup}").blocks if "kept" in block.text)
    assert (block.opener, block.hidden, block.region) == (opener, False, "main")


@pytest.mark.parametrize("name", MENUS)
def test_links_in_a_closed_menu_are_within_reach_and_its_prose_is_not(name: str) -> None:
    markup, opener = MENUS[name]
    page = read(f"<h1>T</h1>{markup}")
    link = next(link for link in page.links if link.label == "A")
    assert (link.opener, link.hidden, link.context) == (opener, False, "")
    assert all(block.hidden for block in page.blocks if "nobody" in block.text)


@pytest.mark.parametrize(
    "markup",
    [
        f"<div {CLOSED}><a href='/a'>A</a><a href='/b'>B</a><a href='/c'>C</a></div>",
        "<a href='/a' data-walker-hidden='off-screen'>A</a>",
        f"<p>Seen <a href='/z'>Z</a> <a href='/a' {CLOSED}>A</a></p>",
        f"<nav {CLOSED}><a href='/a'>A</a></nav><button class=burger {CLOSED}>Menu</button>",
        f"<a href='#main'>Skip</a><div id=main><p>text</p><div {CLOSED}><a href='/a'>A</a></div></div>",
    ],
)
def test_a_link_that_no_visible_control_opens_stays_hidden(markup: str) -> None:
    link = next(link for link in read(f"<h1>T</h1><p>Words of a page.</p>{markup}").links if link.label == "A")
    assert (link.opener, link.hidden) == ("", True)


@pytest.mark.parametrize(
    "markup",
    [
        f"<p>Words of a page that is long enough to be a text, and that opens nothing by itself at all.</p><div class=popup {CLOSED}>nobody</div>",
        f"<a href='/top'>Top</a><div class=pop-up {CLOSED}><p>nobody</p></div>",
        f"<div class=card><b>Ida</b></div><div><div class=notes {CLOSED}>nobody</div></div>",
    ],
)
def test_a_pop_up_that_belongs_to_nothing_stays_hidden(markup: str) -> None:
    block = next(block for block in read(f"<h1>T</h1>{markup}").blocks if "nobody" in block.text)
    assert (block.opener, block.hidden) == ("", True)


def test_a_link_is_where_it_is_seen() -> None:
    page = read(f"<div {CLOSED}><a href='/a'>A</a></div><p>See <a href='/a'>A</a></p>")
    assert [(link.hidden, link.block, link.context) for link in page.links] == [(False, 2, "See")]


def test_hidden_headings_head_nothing() -> None:
    page = read(f"<h1>T</h1><div {CLOSED}><h2>Secret</h2></div><p>Words</p>")
    assert page.blocks[-1].headings == ("T",)


@pytest.mark.parametrize("tag", ["li", "dd", "blockquote"])
def test_a_hidden_word_in_an_item_is_hidden(tag: str) -> None:
    page = read(f"<{tag}>seen <span {CLOSED}>unseen</span></{tag}>")
    assert [(block.text, block.hidden) for block in page.blocks] == [("seen", False), ("unseen", True)]


def test_closed_text_does_not_count_as_visible() -> None:
    page = read("<details><summary>More</summary><p>folded words</p></details>")
    assert page.signals.text_chars == len("More")
