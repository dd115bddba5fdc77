"""What people see in the main part of a page is text of it, whatever its boxes are called; strips of links are not."""

# ruff: noqa: E501 (a page stands on one line)
from __future__ import annotations

import pytest

from perception.document.regions.regions import named_region
from tests.perception.pages import read

PROSE = (
    "<p>The flume stands in the lower hall and was built for lectures. It is open from Monday to Friday, and visitors are "
    "asked to ring the bell beside the blue door twice. Groups of more than ten people write a week before they come, "
    "so that the pumps are warm and somebody is there who can tell them how the water is made to run in both directions.</p>"
)
NOTE = "Pumps must be bled before the first run of a season."
LINKS = "".join(f"<li><a href='/{name}'>{name}</a></li>" for name in ("halls", "pumps", "tides", "staff"))

BOXES = {
    "footer of a card between others": f"<div><h1>T</h1><div><div class='post-footer'>{NOTE}</div></div><div><p>x</p></div></div>",
    "links of the last section above a copyright": f"<div><h1>T</h1>{PROSE}<h2>Partners</h2><ul><li><a href='/a'>{NOTE}</a></li></ul></div><p>© 2020</p>",
    "dialog of the text": f"<main><h1>T</h1><div role='dialog'><p>{NOTE}</p></div></main>",
    "page in a footer wrapper": f"<div class='sticky-footer'>{PROSE}<p>{NOTE}</p></div>",
    "sphinx sidebar in an article": f"<article><h1>T</h1>{PROSE}<aside class='sidebar'><p>Title</p><p>{NOTE}</p></aside></article>",
    "docbook sidebar": f"<div class='section'><h2>T</h2>{PROSE}<div class='sidebar'><p class='title'>TIP</p><div class='para'>{NOTE}</div></div></div>",
    "sphinx admonition": f"<section><h1>T</h1><div class='admonition note'><p class='admonition-title'>Note</p><p>{NOTE}</p></div></section>",
    "sphinx footnote": f"<section><h1>T</h1>{PROSE}<aside class='footnote-list'><aside role='doc-footnote'><p>{NOTE}</p></aside></aside></section>",
    "mdbook quote": f"<main><h1>T</h1>{PROSE}<blockquote class='warning'><p>{NOTE}</p></blockquote></main>",
    "bootstrap callout": f"<div class='container'><h1>T</h1><div class='alert alert-info' role='alert'>{NOTE}</div></div>",
    "bootstrap card footer": f"<main><h1>T</h1><div class='card'><div class='card-body'>x</div><div class='card-footer'>{NOTE}</div></div></main>",
    "wordpress text widget": f"<div id='content'>{PROSE}</div><div id='sidebar'><div class='widget'><h3>Hours</h3><p>{NOTE}</p></div></div>",
    "wordpress body class": f"<div class='sidebar page'><div id='main'><h1>T</h1>{PROSE}<p>{NOTE}</p></div></div>",
    "mediawiki box": f"<div id='content'><h1>T</h1><div class='navbox-not thumb'><div class='thumbcaption'>{NOTE}</div></div></div>",
    "menu of a kitchen": f"<h1>Canteen</h1><div class='menu'><p>{NOTE}</p><p>{NOTE}</p></div>",
    "header with title and lead": f"<header><h1>Flume days</h1>{PROSE}<p>{NOTE}</p></header><main><p>x</p></main>",
    "details that are open": f"<main><h1>T</h1><details open><summary>More</summary><p>{NOTE}</p></details></main>",
    "plain html of old": f"<center><font size=5>T</font></center><table><tr><td>{PROSE}<p>{NOTE}</td></tr></table>",
    "chinese notice": f"<div class='main'><h1>通知</h1><div class='right sidebar'><p>{NOTE}</p></div></div>",
    "complementary role in main": f"<main><h1>T</h1>{PROSE}<div role='complementary'><p>{NOTE}</p></div></main>",
}

STRIPS = {
    "footer among other names": (
        f"<div><h1>T</h1>{PROSE}<h2>Mill group</h2><p>{NOTE}</p></div><div class='container-footer'><p>Mill group of Oderby</p><ul>{LINKS}</ul></div><script>x</script>",
        "tides",
    ),
    "footer in two parts": (
        f"<div><h1>T</h1>{PROSE}</div><div><div class='footer-top'><ul>{LINKS}</ul></div><div class='footer_bottom'>Pier 4</div></div>",
        "tides",
    ),
    "unnamed footer with a copyright": (
        f"<div><h1>T</h1>{PROSE}<h2>Mill group</h2><p>{NOTE}</p></div><div><ul>{LINKS}</ul><p>© 2020 Mill group</p></div>",
        "tides",
    ),
    "dialog behind the text": (
        f"<main><h1>T</h1>{PROSE}</main><footer>x</footer><div><div role='dialog'><h3>Feedback</h3><p>What about?</p></div></div>",
        "What about?",
    ),
    "sphinx related": (
        f"<div class='related' role='navigation'><ul>{LINKS}</ul></div><div class='body'><h1>T</h1>{PROSE}</div>",
        "tides",
    ),
    "docbook navheader": (
        f"<div class='navheader'><table><tr><td><a href='/p'>Prev</a></td><td><a href='/n'>Next</a></td></tr></table></div><h1>T</h1>{PROSE}",
        "Prev",
    ),
    "unnamed top strip": (
        f"<p><a href='/p'>Previous</a> | <a href='/u'>Up</a> | <a href='/n'>Next</a></p><h1>T</h1>{PROSE}",
        "Up",
    ),
    "unnamed bottom strip": (
        f"<h1>T</h1>{PROSE}<ul><li><a href='/p'>Prev 6.2 Pumps</a><li><a href='/u'>Up</a></ul>",
        "Up",
    ),
    "chinese strip": (
        f"<h1>题</h1>{PROSE}<p><a href='/a'>上一篇</a> <a href='/b'>下一篇</a> <a href='/'>返回首页</a></p>",
        "返回",
    ),
    "mdbook side bar": (
        f"<nav id='sidebar' class='sidebar'><ol>{LINKS}</ol></nav><main><h1>T</h1>{PROSE}</main>",
        "tides",
    ),
    "wordpress recent posts": (
        f"<div id='content'>{PROSE}</div><div id='sidebar'><h3>Recent</h3><ul>{LINKS}</ul></div>",
        "tides",
    ),
    "mediawiki panel": (
        f"<div id='content'><h1>T</h1>{PROSE}</div><div id='mw-navigation'><ul>{LINKS}</ul></div>",
        "tides",
    ),
    "bootstrap navbar": (
        f"<div class='navbar-collapse'><ul class='navbar-nav'>{LINKS}</ul></div><h1>T</h1>{PROSE}",
        "tides",
    ),
    "layout column": (
        f"<table><tr><td width=150>{LINKS.replace('li>', 'p>')}</td><td>{PROSE * 2}</td></tr></table>",
        "tides",
    ),
    "breadcrumb": (
        f"<div class='breadcrumbs'><a href='/'>Home</a> &gt; <a href='/h'>Halls</a> &gt; Flume</div><h1>T</h1>{PROSE}",
        "Halls",
    ),
    "rights": (f"<h1>T</h1>{PROSE}<p>© 2021 Hydraulics</p>", "Hydraulics"),
    "last change": (f"<h1>T</h1>{PROSE}<p>Last updated on 3 May 2021.</p>", "3 May"),
    "chinese rights": (f"<h1>题</h1>{PROSE}<div>某大学水利系 版权所有 京ICP备05000001号</div>", "水利系"),
}


@pytest.mark.parametrize("name", BOXES)
def test_boxes_of_the_text_are_text(name: str) -> None:
    block = next(block for block in read(BOXES[name]).blocks if NOTE in block.text)
    assert (block.region, block.hidden) == ("main", False)


@pytest.mark.parametrize("name", STRIPS)
def test_strips_of_links_and_last_lines_are_not(name: str) -> None:
    markup, word = STRIPS[name]
    page = read(markup)
    assert next(block for block in page.blocks if word in block.text).region != "main"
    assert any("blue door" in block.text and block.region == "main" for block in page.blocks)


def test_what_a_part_named_like_a_footer_says_is_text() -> None:
    told = "<p>Pier 4, Oderby. Open from nine to five.</p><a href='/w'>Write to us</a>"
    page = read(f"<div><h1>T</h1>{PROSE}</div><div class='container-footer'>{told}</div>")
    assert next(block for block in page.blocks if "Pier 4" in block.text).region == "main"


@pytest.mark.parametrize(
    "markup",
    [
        f"<h1>Contents</h1><ul>{LINKS}</ul>",
        f"<ul>{LINKS}</ul>",
        f"<h1>T</h1>{PROSE}<h2>See also</h2><ul>{LINKS}</ul>",
        f"<h1>T</h1>{PROSE}<ul>{LINKS}</ul>",
        f"<div class='toc'><ul>{LINKS}</ul></div>",
    ],
)
def test_the_lists_of_an_index_are_what_it_is_about(markup: str) -> None:
    page = read(markup)
    assert next(block for block in page.blocks if "tides" in block.text).region == "main"
    assert next(link for link in page.links if link.label == "tides").region == "main"


def test_a_list_that_became_a_strip_is_no_list_of_the_text() -> None:
    page = read(f"<ul>{LINKS}</ul><h1>T</h1>{PROSE}<ul><li>one</li><li>two</li></ul>")
    assert [found.region for found in page.record_sets] == ["nav", "main"]


def test_a_copyright_in_a_sentence_is_text() -> None:
    page = read(f"<h1>T</h1>{PROSE}<p>The file copyright holds the licence.</p>")
    assert page.blocks[-1].region == "main"


@pytest.mark.parametrize(
    ("names", "region"),
    [("box sidebar", "aside"), ("left-menu", "hint"), ("entry", ""), ("navy-blue", ""), ("footnotes", ""), ("", "")],
)
def test_names_only_hint(names: str, region: str) -> None:
    assert named_region(names) == region


def test_a_layout_of_two_columns_is_no_row_of_data() -> None:
    page = read(
        f"<table><tr><td>Flume</td><td>Hall</td></tr><tr><td>{LINKS.replace('li>', 'p>')}</td><td>{PROSE * 4}</td></tr></table>"
    )
    assert all(block.kind != "row" for block in page.blocks)


def test_rows_know_their_columns_and_headers_do_not() -> None:
    page = read(
        "<table><caption>Halls</caption><tr><th>Hall</th><th>Area (ha)</th></tr><tr><td>North</td><td>892</td></tr></table>"
        "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>"
    )
    assert [(block.kind, block.text, block.columns) for block in page.blocks] == [
        ("caption", "Halls", ()),
        ("row", "Hall | Area (ha)", ()),
        ("row", "North | 892", ("Hall", "Area (ha)")),
        ("row", "a | b", ()),
        ("row", "c | d", ()),
    ]


@pytest.mark.parametrize(
    "name", ["footer among other names", "unnamed footer with a copyright", "dialog behind the text"]
)
def test_what_ends_a_page_stands_not_under_the_last_heading_of_its_text(name: str) -> None:
    page = read(STRIPS[name][0])
    around = [block for block in page.blocks if block.region != "main"]
    assert around
    assert all("Mill group" not in block.headings for block in around)
    listed = [found for found in page.record_sets if "tides" in {record.name for record in found.records}]
    assert all(found.region != "main" and "Mill group" not in found.headings for found in listed)


def test_cards_that_became_a_footer_are_no_list_of_the_text() -> None:
    cards = "".join(f"<div class='f'><a href='/{name}'>{name}</a></div>" for name in ("halls", "pumps", "tides"))
    page = read(
        f"<div><h1>T</h1>{PROSE}<h2>Mill group</h2><p>{NOTE}</p></div><div>{cards}<p>© 2020 Mill group</p></div>"
    )
    assert [(found.region, found.headings) for found in page.record_sets] == [("footer", ())]
