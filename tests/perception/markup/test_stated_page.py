"""What a page states under labels, in each of the forms in which sites write it."""

from __future__ import annotations

import pytest

from perception.document.dom import parse_page
from perception.markup.parts import StatedPage, Thing
from perception.markup.stated_page import read_stated

URL = "https://site.example/things/one"


def _stated(body: str, head: str = "") -> StatedPage:
    return read_stated(parse_page(f"<html><head>{head}</head><body>{body}</body></html>"), URL)


def _texts(thing: Thing) -> dict[str, str]:
    return {part.label: part.text for part in thing.parts}


@pytest.mark.parametrize(
    ("body", "label", "text", "source"),
    [
        ("<dl><dt>Price</dt><dd>12 €</dd></dl>", "Price", "12 €", "definitions"),
        ("<table><tr><th>Price</th><td>12 €</td></tr></table>", "Price", "12 €", "table"),
        ("<p><b>Price:</b> 12 €</p>", "Price", "12 €", "labelled"),
        ("<p>Colour: red<br>Price： 12 €</p>", "Price", "12 €", "labelled"),
        ("<div><span>Price</span><span>12 €</span></div>", "Price", "12 €", "labelled"),
        ("<h3>Price</h3><p>12 €</p>", "Price", "12 €", "labelled"),
        ('<span class="priceTag">12 €</span>', "price tag", "12 €", "class"),
        ('<p>by Ada Low</p>', "author", "Ada Low", "text"),
        ('<a href="tel:+441">+44 1</a>', "phone", "+44 1", "link"),
    ],
)  # fmt: skip
def test_a_label_and_its_text(body: str, label: str, text: str, source: str) -> None:
    found = [(part.label, part.text, part.source) for part in _stated(body).whole.parts]
    assert (label, text, source) in found


def test_data_in_scripts_is_read_with_what_is_in_it() -> None:
    script = """<script type="application/ld+json">{"@context": "https://schema.org", "@graph": [
        {"@type": "WebPage", "name": "Shop page", "mainEntity": {"@id": "#mug"}},
        {"@id": "#mug", "@type": "Product", "name": "Mug", "offers": [{"@type": "Offer", "price": 12.5}], "brand": {"@id": "#b"}},
        {"@id": "#b", "@type": "Brand", "name": "Hearth"}]}</script>"""
    mug = next(thing for thing in _stated("", script).things if thing.kinds == ("Product",))
    assert mug.name == "Mug"
    assert [(name, _texts(inner)) for name, inner in mug.inner] == [
        ("offers", {"price": "12.5"}),
        ("brand", {"name": "Hearth"}),
    ]
    assert mug.parts[0].quote == '"name": "Mug"'


@pytest.mark.parametrize("broken", ["{", "[1, 2", "null", '"text"', "[" * 4000])
def test_a_script_that_is_no_item_gives_nothing(broken: str) -> None:
    assert _stated("", f'<script type="application/ld+json">{broken}</script>').things == ()


@pytest.mark.parametrize(
    "body",
    [
        """<div itemscope itemtype="https://schema.org/Event"><b itemprop="name">Fair</b>
        <time itemprop="startDate" datetime="2027-05-01">1 May</time>
        <div itemprop="location" itemscope><i itemprop="name">Quay</i></div></div>""",
        """<div vocab="https://schema.org/" typeof="Event"><b property="name">Fair</b>
        <time property="startDate" datetime="2027-05-01">1 May</time>
        <div property="location" typeof="Place"><i property="name">Quay</i></div></div>""",
    ],
)
def test_items_in_attributes(body: str) -> None:
    (event,) = _stated(body).things
    assert (event.kinds, event.name) == (("Event",), "Fair")
    start = next(part for part in event.parts if part.label == "startDate")
    assert (start.text, start.machine) == ("1 May", "2027-05-01")
    assert [(name, inner.name) for name, inner in event.inner] == [("location", "Quay")]


def test_what_several_members_of_a_list_have_is_none_of_the_pages() -> None:
    cards = "".join(
        f'<div class="card"><h3><a href="/{n}">T{n}</a></h3><p class="price">{n} €</p></div>' for n in (1, 2, 3)
    )
    page = _stated(f'<h1>One</h1><p class="price">9 €</p><section>{cards}</section>')
    assert [part.text for part in page.whole.parts if part.label == "price"] == ["9 €"]
    (group,) = [group for group in page.groups if len(group.things) == 3]
    assert [thing.name for thing in group.things] == ["T1", "T2", "T3"]
    assert [_texts(thing)["url"] for thing in group.things] == [f"https://site.example/{n}" for n in (1, 2, 3)]


@pytest.mark.parametrize(
    ("classes", "counts"),
    [
        (["talk year-2019", "talk year-2020", "talk year-2020"], [3]),
        (["y2019", "y2020", "y2021"], [3]),
        (["talk kind-1 year-2019", "talk kind-2 year-2019", "talk kind-2 year-2020"], [3]),
        (["talk topic-sea", "talk topic-ice topic-sea", "talk"], [3]),
        (["talk talk--wide", "talk", "talk"], [3]),
        (["main col-8", "main col-8", "main col-4", "main col-4"], [2, 2]),
        (["talk", "talk", "note", "note"], [2, 2]),
        (["u-big m-1", "u-big m-1", "u-red m-1"], [2]),
    ],
)
def test_classes_that_sort_a_list_do_not_divide_it(classes: list[str], counts: list[int]) -> None:
    cards = "".join(
        f'<div class="{given}"><h3><a href="/{n}">Talk {n}</a></h3><p>Price: {n} €</p></div>'
        for n, given in enumerate(classes)
    )
    assert [len(group.things) for group in _stated(f"<section>{cards}</section>").groups] == counts


def test_a_year_in_classes_does_not_divide_lists_under_its_headings() -> None:
    years = "".join(
        f'<h2>{year}</h2><ul>{"".join(f"""<li class="talk of-{year}"><a href="/{year}/{n}">Talk</a>""" for n in "ab")}</ul>'
        for year in (2019, 2020)
    )
    assert {group.shape for group in _stated(years).groups} == {"li talk of-0"}


def test_rows_are_things_with_the_columns_as_labels() -> None:
    (group,) = _stated("<table><tr><th>Tree</th><th>Height</th></tr><tr><td>Ash</td><td>12 m</td></tr></table>").groups
    assert [_texts(thing) for thing in group.things] == [{"Tree": "Ash", "Height": "12 m"}]
    assert group.things[0].parts[1].quote == "Ash | 12 m"


def test_what_nobody_sees_and_navigation_are_left_out() -> None:
    page = _stated(
        '<nav><p>Price: 1 €</p></nav><p hidden>Price: 2 €</p><div data-walker-hidden=""><p>Price: 3 €</p></div>'
        "<footer>Price: 4 €</footer>"
    )
    assert page.whole.parts == ()


def test_struck_text_is_marked() -> None:
    parts = _stated(
        '<p class="price"><del>19 €</del></p><p class="price-old">20 €</p><p class="cost">12 €</p>'
    ).whole.parts
    assert {part.text: part.crossed for part in parts} == {"19 €": True, "20 €": True, "12 €": False}


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ("<header><h1>The Site</h1></header><main><h1>Mug</h1></main>", ["Mug"]),
        ("<div><h1>Search</h1></div><div><h1>Mug</h1></div>", ["Mug"]),
        ("<h1>One</h1><h1>Two</h1>", ["One", "Two"]),
    ],
)
def test_the_heading_that_names_the_page(body: str, name: list[str]) -> None:
    parts = _stated(body, "<title>Mug | The Site</title>").whole.parts
    assert [part.text for part in parts if part.label == "name"] == name


@pytest.mark.parametrize("tag", ["div", "a", "p", "div itemscope itemprop=x"])
def test_elements_nested_without_end_are_no_failure(tag: str) -> None:
    page = _stated(f"<h1>Mug</h1>{f'<{tag}>' * 3000}Price: 12 €")
    assert page.whole.parts
