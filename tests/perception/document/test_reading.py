"""Blocks with their headings and regions, what is hidden, and pages that are broken, empty or huge."""

from __future__ import annotations

from importlib import resources

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from perception.document.reading import observe, observe_text
from perception.observation import Block, Observation
from perception.snapshot import Layout, Snapshot
from tests.fixtures.processor_time import processor_seconds
from tests.perception.pages import HERE, read, read_raw


def texts(page: Observation) -> list[str]:
    return [block.text for block in page.blocks]


def block_with(page: Observation, words: str) -> Block:
    return next(block for block in page.blocks if words in block.text)


def test_each_unit_of_text_is_a_block_of_its_kind() -> None:
    page = read(
        "<h1>Library</h1><p>Open  every\n day.</p><ul><li>Maps</li><li>Music</li></ul>"
        "<dl><dt>ISBN</dt><dd>A number.</dd></dl><blockquote>Silence.</blockquote><pre>a = 1\n  b = 2</pre>"
    )
    assert [(block.kind, block.text) for block in page.blocks] == [
        ("heading", "Library"),
        ("paragraph", "Open every day."),
        ("item", "Maps"),
        ("item", "Music"),
        ("term", "ISBN"),
        ("definition", "A number."),
        ("quote", "Silence."),
        ("code", "a = 1\n  b = 2"),
    ]
    assert [block.id for block in page.blocks] == list(range(1, 9))


def test_inline_elements_do_not_split_words_and_blocks_do_not_join_them() -> None:
    page = read("<div>un<span>brok</span><em>en</em></div><div>next</div>")
    assert texts(page) == ["unbroken", "next"]


def test_the_lines_that_a_page_breaks_a_text_into_are_known_and_its_text_is_one_line() -> None:
    (block,) = read("<p>Ana <b>Ruiz</b><br> <br>Harbour <br/>  Pier 5</p>").blocks
    assert block.text == "Ana Ruiz Harbour Pier 5"
    assert block.lines == ("Ana Ruiz", "Harbour", "Pier 5")
    rows = read("<table><tr><th>Name<th>Place</tr><tr><td>Ana<br>Ruiz<td>Pier<br>5</tr></table>").blocks
    assert [(row.kind, row.lines) for row in rows] == [("row", ("Name | Place",)), ("row", ("Ana Ruiz | Pier 5",))]


def test_a_row_of_a_table_is_one_block() -> None:
    page = read("<table><tr><th>姓名</th><th>职称</th></tr><tr><td>王芳</td><td>教授</td></tr></table>")
    assert [(block.kind, block.text) for block in page.blocks] == [("row", "姓名 | 职称"), ("row", "王芳 | 教授")]


def test_heading_paths_follow_the_levels() -> None:
    page = read("<h1>大学</h1><h2>学院</h2><h3>数学</h3><p>甲</p><h2>图书馆</h2><p>乙</p><h1>附录</h1><p>丙</p>")
    assert block_with(page, "甲").headings == ("大学", "学院", "数学")
    assert block_with(page, "乙").headings == ("大学", "图书馆")
    assert block_with(page, "丙").headings == ("附录",)
    assert block_with(page, "数学").headings == ("大学", "学院")
    assert [block.level for block in page.blocks if block.kind == "heading"] == [1, 2, 3, 2, 1]


def test_headings_of_navigation_do_not_stand_above_the_text() -> None:
    page = read("<h1>Guide</h1><nav><h2>Menu</h2><p>Home</p></nav><p>Body</p>")
    assert block_with(page, "Body").headings == ("Guide",)
    assert block_with(page, "Home").headings == ("Menu",)


@pytest.mark.parametrize(
    ("markup", "region"),
    [
        ("<nav>words</nav>", "nav"),
        ("<header>words</header>", "header"),
        ("<footer>words</footer>", "footer"),
        ("<aside>words</aside>", "aside"),
        ("<main>words</main>", "main"),
        ("<div role='navigation'>words</div>", "nav"),
        ("<div role='contentinfo'>words</div>", "footer"),
        ("<div class='sidebar'><a href='/a'>words</a> <a href='/b'>more</a></div>", "aside"),
        ("<div class='sidebar'>words</div>", "main"),
        ("<div id='footer'><p>words</p></div>", "footer"),
        ("<article><header>words</header></article>", "main"),
        ("<div class='navigate-well'>words</div>", "main"),
    ],
)
def test_regions(markup: str, region: str) -> None:
    assert block_with(read(markup), "words").region == region


@pytest.mark.parametrize("attribute", ["data-walker-hidden=''", "hidden"])
def test_what_is_not_rendered_is_marked_hidden(attribute: str) -> None:
    page = read(f"<p>shown</p><div {attribute}><p>folded <a href='/x'>away</a></p></div><p>again</p>")
    assert [(block.text, block.hidden) for block in page.blocks] == [
        ("shown", False),
        ("folded away", True),
        ("again", False),
    ]
    assert page.links[0].hidden


def test_a_hidden_word_does_not_join_the_words_around_it() -> None:
    page = read("<p>seen <span data-walker-hidden=''>unseen</span> seen too</p>")
    assert all("unseen" not in block.text for block in page.blocks if not block.hidden)
    assert block_with(page, "unseen").hidden


def test_code_keeps_its_white_space_and_loses_its_colours() -> None:
    page = read("<pre><span class='k'>def</span> <span>f</span>():\n    <b>return</b> 1\n</pre><p>After   it</p>")
    assert [(block.kind, block.text) for block in page.blocks] == [
        ("code", "def f():\n    return 1"),
        ("paragraph", "After it"),
    ]


def test_frames_and_shadow_roots_are_read_where_they_stand() -> None:
    page = read(
        "<h1>Top</h1><div data-walker-frame='https://example.org/in'><p>Inside a frame</p></div>"
        "<x-card><div data-walker-shadow=''><p>In the shadow</p><a href='/s'>Deep</a></div></x-card>"
    )
    assert texts(page) == ["Top", "Inside a frame", "In the shadow", "Deep"]
    assert block_with(page, "frame").headings == ("Top",)
    assert page.links[0].url == "https://example.org/s"


def test_scripts_styles_and_templates_are_no_text() -> None:
    page = read("<script>var a</script><style>p{}</style><template><p>t</p></template><noscript>n</noscript><p>x</p>")
    assert texts(page) == ["x"]


def test_permalink_signs_are_no_text() -> None:
    page = read("<h2 id='use'>Use<a class='headerlink' href='#use'>¶</a></h2><p>Words</p>")
    assert texts(page) == ["Use", "Words"]
    assert block_with(page, "Words").anchor == "use"


def test_the_head_is_read() -> None:
    page = read_raw(
        "<html lang='zh-CN'><head><title> 图书\n馆 </title><meta name='description' content='藏书  目录'>"
        "<link rel='canonical' href='/lib'><meta http-equiv='refresh' content='3; url=/next'></head><body></body></html>"
    )
    assert (page.title, page.language, page.description) == ("图书 馆", "zh", "藏书 目录")
    assert page.canonical_url == "https://example.org/lib"
    assert page.refresh_url == "https://example.org/next"


def test_a_page_without_title_is_called_by_its_heading() -> None:
    assert read("<h1>Opening hours</h1>").title == "Opening hours"


def test_base_changes_where_links_lead() -> None:
    page = read("<a href='b.html'>B</a><a href='/c'>C</a>", head="<base href='https://other.example/a/'>")
    assert [link.url for link in page.links] == ["https://other.example/a/b.html", "https://other.example/c"]


@pytest.mark.parametrize("base", ["javascript:void(0)", "http://[", ""])
def test_a_base_that_means_nothing_is_passed_over(base: str) -> None:
    page = read("<a href='b.html'>B</a>", head=f"<base href='{base}'>")
    assert [link.url for link in page.links] == ["https://example.org/docs/b.html"]


@pytest.mark.parametrize("html", ["", " \n", "\x00", "<html></html>", "<html><body></body></html>", "<!doctype html>"])
def test_an_empty_page_has_nothing_on_it(html: str) -> None:
    page = read_raw(html)
    assert (page.blocks, page.links, page.controls, page.record_sets) == ((), (), (), ())
    assert page.signals.text_chars == 0


@pytest.mark.parametrize(
    "html",
    [
        "<p>kept<table><tr><td>kept",
        "<ul><li>kept<li>kept</ul></ul></div>",
        "<a href='x'>kept<a href='y'>kept",
        "<h1>kept<p>kept</h1>",
        "<div " * 50 + ">kept</div>",
        "<td>kept</td>",
        "<frameset><frame src='a'></frameset><p>kept",
    ],
)
def test_broken_markup_keeps_its_text(html: str) -> None:
    assert "kept" in " ".join(texts(read_raw(html)))


def test_deep_nesting_is_read() -> None:
    assert len(read_raw("<div>" * 5000 + "deep" + "</div>" * 5000).blocks) <= 1


def test_reading_is_pure() -> None:
    html = "<h1>A</h1><ul><li><a href='/b'>B</a></li><li>C</li></ul>"
    assert read(html) == read(html)


def test_ten_megabytes_take_seconds() -> None:
    row = "<tr><td><a href='/p/{0}'>Item {0}</a></td><td>Some words about item {0} that fill the row</td></tr>"
    rows = "".join(row.format(number) for number in range(95_000))
    html = f"<table><tr><th>Name</th><th>Words</th></tr>{rows}</table>"
    assert len(html) > 9_000_000
    pages: list[Observation] = []
    assert processor_seconds(lambda: pages.append(read(html))) < 20
    assert len(pages[0].blocks) >= 10_000


MARKUP = st.lists(
    st.one_of(
        st.text(max_size=20),
        st.sampled_from(
            "<p> </p> <ul> <li> </ul> <dl> <dt> <dd> </dl> <table> <tr> <td> <th> </table> <pre> </pre> <a_href='x'> "
            "<a_href='http://[::'> </a> <h1> </h1> <h3> <div_class='c'> </div> <nav> <b> <br> <span_hidden> </span> "
            "<body> </body> <base_href='//['> <input_type=search> <select> <svg> <form_action='?'> <button> <![CDATA[ "
            "<meta_http-equiv=refresh_content='0;'> <title> <frameset> <template> <img_width=3> <caption>".split()
        ).map(lambda tag: tag.replace("_", " ")),
    ),
    max_size=30,
).map("".join)


@settings(deadline=None)
@given(st.text())
def test_arbitrary_text_is_read(text: str) -> None:
    assert read_raw(text).status == 200


@settings(max_examples=300, deadline=None)
@given(MARKUP)
@example("0<A\x0b><INPUT>")
@example("<pre>0\u20280")
@example("0<br>|")
def test_arbitrary_markup_is_read(html: str) -> None:
    page = read_raw(html)
    assert [block.id for block in page.blocks] == list(range(1, len(page.blocks) + 1))
    assert all(block.text and all(block.lines) for block in page.blocks)
    assert all(" ".join(block.lines) == block.text for block in page.blocks)
    assert [link.id for link in page.links] == list(range(1, len(page.links) + 1))
    assert [found.id for found in page.record_sets] == list(range(1, len(page.record_sets) + 1))


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ('<h2 id=boats>Boats<a href="#boats"><span class=sr-only>Permalink</span><i></i></a></h2>', "Boats"),
        ('<section id=boats><h2>Boats <span><a href="#boats">link to this</a></span></h2></section>', "Boats"),
        ('<h2 id=boats><a href="#boats">Boats</a></h2>', "Boats"),
        ('<h2 id=boats>Boats, see <a href="#crew">crew</a></h2>', "Boats, see crew"),
    ],
)
def test_a_link_of_a_heading_to_itself_is_no_part_of_it(markup: str, text: str) -> None:
    assert block_with(read(f"<main>{markup}<p id=crew>The crew.</p></main>"), "Boats").text == text


@pytest.mark.parametrize(
    ("html", "height", "scrolls", "grows"),
    [
        ("<p>Text</p><script>more()</script>", 3000, True, True),
        ("<p>Text</p><script>more()</script>", 3000, False, False),
        ("<p>Text</p><script>more()</script>", 900, True, True),
        ("<p>Text</p>", 3000, True, False),
        ("<p>1-20 of 57</p><script>more()</script>", 3000, True, True),
        ("<p>1-57 of 57</p><script>more()</script>", 3000, True, False),
    ],
)
def test_only_a_page_whose_scripts_hear_of_scrolling_may_grow(
    html: str, height: int, scrolls: bool, grows: bool
) -> None:
    layout = Layout(viewport_width=1280, viewport_height=900, page_height=height)
    snapshot = Snapshot(url=HERE, final_url=HERE, status=200, html=html, layout=layout, scrolls=scrolls)
    assert observe(snapshot).may_grow is grows


@pytest.mark.parametrize(
    "button",
    [
        '<button class="copy">Copy to clipboard</button>',
        '<span class="copy-code" role="button">Copied!</span>',
        '<div class="clipboard-tip">复制</div>',
    ],
)
def test_what_copies_code_is_no_part_of_it(button: str) -> None:
    code = "cp a b  # copy\nprint(1)"
    (block,) = read(f'<pre><code><span class="k">cp</span> a b  # copy\nprint(1)</code>{button}</pre>').blocks
    assert block.text == code


@pytest.mark.parametrize("name", ["index.html", "people/index.html", "courses/msc.html", "zh/index.html"])
def test_the_text_alone_is_that_of_the_whole_observation(name: str) -> None:
    html = (resources.files("walker.demo") / "institute" / name).read_text(encoding="utf-8")
    page = Snapshot(url=f"http://a.example/{name}", final_url=f"http://a.example/{name}", status=200, html=html)
    whole, text = observe(page), observe_text(page)
    assert text.blocks == tuple(msgspec.structs.replace(block, columns=()) for block in whole.blocks)
    named = ("title", "language", "description", "url", "status", "refresh_url", "canonical_url")
    assert [getattr(text, one) for one in named] == [getattr(whole, one) for one in named]


@pytest.mark.parametrize("mode", ["open", "closed"])
def test_a_shadow_root_in_the_markup_is_text_and_any_other_template_is_not(mode: str) -> None:
    made = read(f"<div>Boats<template shadowrootmode={mode}><p>The <a href=/m>Mantis</a>.</p></template></div>")
    assert [block.text for block in made.blocks] == ["Boats", "The Mantis."]
    assert [link.label for link in made.links] == ["Mantis"]
    assert read("<div>Boats<template><p>The Mantis.</p></template></div>").links == ()


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("at most 2<sup>64</sup> rows", "at most 2⁶⁴ rows"),
        ("10<sup>-6</sup> s on 5 km<sup class='unit'>2</sup>", "10⁻⁶ s on 5 km²"),
        ("on the 15<sup>th</sup> of H<sub>2</sub>O", "on the 15th of H2O"),
        ("in 1999<sup><a href='#n1'>1</a></sup>, see <a href='#n2'>Boats<sup>2</sup></a>", "in 1999 1, see Boats2"),
    ],
)
def test_a_power_is_not_read_as_further_digits(markup: str, text: str) -> None:
    assert [block.text for block in read(f"<main><p>{markup}</p></main>").blocks] == [text]
