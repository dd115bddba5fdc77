"""Fields and records without a model, from what sites write in many forms; where it is not sure, nothing, with the reason."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel

from tests.walker.extraction.paper_extraction import DATE, NUMBER, ROOT, TEXT, URL, extracted, many, one
from traces.events import FieldsExtracted, MoveTaken
from walker.errors import RootUnreachable
from walker.extraction.schemas.program_schema import typed_schema
from walker.seams.outcome import StopReason
from walker.testing.fakes import Paper


def _page(body: str, title: str = "Mug – Shop", head: str = "") -> str:
    return f'<html lang="en"><head><title>{title}</title>{head}</head><body><main>{body}</main></body></html>'


class Mug(BaseModel):
    price: float
    weight: str | None


async def _field(body: str, name: str, schema: dict[str, Any]) -> Any:
    outcome, _ = await extracted({ROOT: _page(f"<h1>Mug</h1>{body}")}, one("Product", (), **{name: schema}))
    return outcome.fields[name]


@pytest.mark.parametrize(
    ("body", "name", "schema", "value"),
    [
        ("<p>Price: 12.50 €</p>", "price", NUMBER, 12.5),
        ("<p>Preis: 12,50 €</p>", "price", NUMBER, 12.5),
        ("<table><tr><th>Price</th><td>12,500.50 kr (2 left)</td></tr></table>", "price", NUMBER, 12500.5),
        ("<p>Weight: 350 g</p>", "weight_kg", NUMBER, 0.35),
        ("<table><tr><th>Release date</th><td>5 May 2027</td></tr></table>", "published", DATE, "2027-05-05"),
        ("<dl><dt>Stock</dt><dd>In stock (22 available)</dd></dl>", "in_stock", {"type": "boolean"}, True),
        ("<p>Status: Sold out</p>", "status", {"type": "string", "enum": ["available", "sold_out"]}, "sold_out"),
        ("<p>Colour: blue</p>", "farbe", TEXT, "blue"),
        ("<p>Tags: red, round, heavy</p>", "tags", {"type": "array", "items": TEXT}, ["red", "round", "heavy"]),
        ("<p>Lieferzeit: 3 Tage</p>", "delivery", {**TEXT, "description": "Lieferzeit"}, "3 Tage"),
        (
            "<table><tr><th>Greatest depth of water</th><td>1.8 m</td></tr><tr><th>Depth of sand</th><td>2 m</td></tr></table>",
            "depth", {**TEXT, "description": "Greatest depth of water"}, "1.8 m",
        ),
        ("<p>When: 6 to 9 September 2027</p>", "start_date", DATE, "2027-09-06"),
        ("<h2>Zutaten</h2><ul><li>2 Eier</li><li>Salz</li></ul>", "ingredients", {"type": "array", "items": TEXT}, ["2 Eier", "Salz"]),
        ('<p class="time-track">Graphics</p>', "track", TEXT, "Graphics"),
        ('<p class="time-track">14:25 - 14:50</p>', "track", {**TEXT, "description": "When the track begins"}, "14:25 - 14:50"),
        ('<p class="time-start">14:25 - 14:50</p>', "time", TEXT, "14:25 - 14:50"),
        ('<p class="video-ratio">16:10</p>', "ratio", TEXT, "16:10"),
        ('<a href="mailto:a@shop.example">write to us</a>', "email", {"type": "string", "format": "email"}, "a@shop.example"),
    ],
)  # fmt: skip
async def test_a_labelled_value_is_read(body: str, name: str, schema: dict[str, Any], value: Any) -> None:
    outcome, _ = await extracted({ROOT: _page(f"<h1>Mug</h1>{body}")}, one("Product", (), **{name: schema}))
    assert outcome.data == {name: value}


@pytest.mark.parametrize(
    ("body", "name", "schema", "reason"),
    [
        ("<p>Price: 12 €</p><p>Price: 15 €</p>", "price", NUMBER, "several"),
        ("<p>Price: from 12 € to 15 €</p>", "price", NUMBER, "2 numbers"),
        ("<p>Shipping price: 4 €</p>", "price", NUMBER, "no label"),
        ("<p>Price: on request</p>", "price", NUMBER, "no number"),
        ('<p class="price"><del>19 €</del></p>', "price", NUMBER, "no label"),
        ("<p>Weight: 3 lb</p>", "weight_kg", NUMBER, "kg is wanted"),
        ("<p>Weight: 3</p>", "weight_kg", NUMBER, "without a unit"),
        ("<p>Date: 03/04/2027</p>", "date", DATE, "two ways"),
        ("<p>Date: 6 to 9 May 2027</p>", "date", DATE, "range"),
        ("<p>Price: 12 €</p>", "price", {"type": "number", "maximum": 10}, "outside"),
        ("<p>It costs about 12 € or so.</p>", "price", NUMBER, "no label"),
        ('<p data-walker-hidden="">Price: 12 €</p>', "price", NUMBER, "no label"),
        ('<p class="time-track">14:25 - 14:50</p>', "track", TEXT, "no label"),
        (
            '<p class="track-time">2:25 pm to 3 p.m.</p>',
            "track",
            {**TEXT, "description": "The stream of the talk"},
            "no label",
        ),
    ],
)
async def test_what_is_not_sure_is_none_with_the_reason(
    body: str, name: str, schema: dict[str, Any], reason: str
) -> None:
    field = await _field(body, name, schema)
    assert field.value is None
    assert reason in field.reason


async def test_a_field_that_may_be_null_but_not_be_left_out_is_null_where_it_has_no_value() -> None:
    """As pydantic and dataclasses have it: `weight: str | None` without a default."""
    schema = typed_schema(Mug)
    outcome, _ = await extracted({ROOT: _page("<h1>Mug</h1><p>Price: 12.50 €</p>")}, schema.plain)
    assert outcome.data == {"price": 12.5, "weight": None}
    assert schema.typed(outcome.data) == Mug(price=12.5, weight=None)
    assert (outcome.answered, outcome.missing) == (True, ("weight",))


async def test_where_nothing_is_required_and_nothing_found_the_question_is_not_answered() -> None:
    outcome, _ = await extracted({ROOT: _page("<h1>Mug</h1><p>Blue.</p>")}, one("Product", (), price=NUMBER))
    assert (outcome.data, outcome.missing) == ({}, ("price",))
    assert (outcome.answered, outcome.answer, outcome.stop_reason) == (False, "", StopReason.DEAD_END)


async def test_markup_and_page_that_differ_give_nothing() -> None:
    script = '<script type="application/ld+json">{"@type": "Product", "name": "Mug", "price": "1.00"}</script>'
    field = await _field(f"{script}<p>Price: 12 €</p>", "price", NUMBER)
    assert field.value is None
    assert "12" in field.reason


async def test_related_things_and_other_names_are_not_the_things() -> None:
    script = (
        '<script type="application/ld+json">{"@type": "Book", "name": "Tides", "publisher": {"@type": "Organization", "name": "Quay"},'
        ' "author": {"@type": "Person", "name": "Ada Low", "url": "https://ada.example/"}}</script>'
    )
    related = "".join(
        f'<div class="card"><h3><a href="/{n}">B{n}</a></h3><p class="price">{n} €</p></div>' for n in (1, 2, 3)
    )
    page = _page(f"<h1>Tides</h1>{related}", head=script)
    outcome, _ = await extracted(
        {ROOT: page}, one("Book", name=TEXT, author=TEXT, publisher=TEXT, price=NUMBER, url=URL)
    )
    got = {name: field.value for name, field in outcome.fields.items()}
    assert got == {"name": "Tides", "author": "Ada Low", "publisher": "Quay", "price": None, "url": None}


async def test_nested_objects_and_amounts() -> None:
    script = (
        '<script type="application/ld+json">{"@type": "LocalBusiness", "name": "Kiln", "address": {"@type": "PostalAddress",'
        ' "streetAddress": "4 Old Quay", "addressLocality": "Norham"}}</script>'
    )
    address = {"type": "object", "properties": {"street": TEXT, "city": TEXT}}
    money = {"type": "object", "properties": {"amount": NUMBER, "currency": TEXT}}
    page = _page("<h1>Kiln</h1><p>Price: € 12.50</p>", head=script)
    outcome, _ = await extracted({ROOT: page}, one("LocalBusiness", address=address, price=money))
    assert outcome.data == {
        "address": {"street": "4 Old Quay", "city": "Norham"},
        "price": {"amount": 12.5, "currency": "EUR"},
    }


CHAIRS = (
    "<h1>Committee</h1><h4>General Chairs</h4><ul><li><a href='/a'>Ana Ruiz</a><br>ETS</li><li>{second}<br>Unity</li></ul>"
    "<h4>Papers Chairs</h4><ul><li><a href='/c'>Cem Ok</a></li><li><a href='/d'>Dee Poe</a></li></ul>"
)
HOURS = (
    "<h1>Kiln</h1><h2>Opening hours</h2><table><tr><th>Day</th><th>Opens</th></tr><tr><td>Monday</td><td>9:30</td></tr>"
    "<tr><td>Friday</td><td>10:00</td></tr></table>"
)
PERSON = {"type": "object", "properties": {"name": TEXT}, "required": ["name"]}
DAY = {
    "type": "object",
    "properties": {"day": TEXT, "opens": {"type": "string", "format": "time"}},
    "required": ["day"],
}


async def test_a_list_of_objects_within_a_thing_is_the_list_that_the_page_names_so() -> None:
    lists = {"general_chairs": {"type": "array", "items": PERSON}, "papers_chairs": {"type": "array", "items": PERSON}}
    page = _page(CHAIRS.format(second="<a href='/b'>Ben Lee</a>"))
    outcome, _ = await extracted({ROOT: page}, one("Committee", **lists))
    assert outcome.data == {
        "general_chairs": [{"name": "Ana Ruiz"}, {"name": "Ben Lee"}],
        "papers_chairs": [{"name": "Cem Ok"}, {"name": "Dee Poe"}],
    }
    assert outcome.fields["general_chairs[1].name"].quote == "Ben Lee"
    shop, _ = await extracted(
        {ROOT: _page(HOURS)}, one("Shop", name=TEXT, opening_hours={"type": "array", "items": DAY})
    )
    hours = [{"day": "Monday", "opens": "09:30:00"}, {"day": "Friday", "opens": "10:00:00"}]
    assert shop.data == {"name": "Kiln", "opening_hours": hours}


async def test_an_entry_of_such_a_list_without_a_value_is_told_as_missing() -> None:
    lists = {"name": TEXT, "general_chairs": {"type": "array", "items": PERSON}}
    outcome, _ = await extracted({ROOT: _page(CHAIRS.format(second="Ben Lee"))}, one("Committee", **lists))
    assert outcome.data == {"name": "Committee", "general_chairs": [{"name": "Ana Ruiz"}]}
    assert outcome.missing == ("general_chairs[1].name",), "else the list would be taken for the whole"
    assert (outcome.answered, outcome.is_complete) == (True, False)
    whole, _ = await extracted(
        {ROOT: _page(CHAIRS.format(second="<a href='/b'>Ben Lee</a>"))}, one("Committee", **lists | {"motto": TEXT})
    )
    assert (whole.missing, whole.is_complete) == (("motto",), True), "what is optional may be missing"


async def test_two_different_lists_of_that_name_are_none() -> None:
    twice = CHAIRS.format(second="<a href='/b'>Ben Lee</a>").replace("Papers", "General")
    lists = {"name": TEXT, "general_chairs": {"type": "array", "items": PERSON}}
    outcome, _ = await extracted({ROOT: _page(twice)}, one("Committee", **lists))
    assert outcome.data == {"name": "Committee"}
    assert outcome.fields["general_chairs"].reason == "the page gives several: 2 lists on it are called so"


async def test_records_are_those_of_the_list_that_the_page_names_so_and_not_of_the_one_beside_it() -> None:
    page = _page(CHAIRS.format(second="<a href='/b'>Ben Lee</a>"))
    for name, wanted in (("general_chairs", ["Ana Ruiz", "Ben Lee"]), ("papers_chairs", ["Cem Ok", "Dee Poe"])):
        outcome, _ = await extracted({ROOT: page}, one("Committee", **{name: {"type": "array", "items": PERSON}}))
        assert outcome.data is not None
        assert [entry["name"] for entry in outcome.data[name]] == wanted


async def test_an_entry_that_gives_nothing_is_a_record_that_is_not_complete() -> None:
    page = _page(CHAIRS.format(second="Ben Lee"))
    outcome, _ = await extracted({ROOT: page}, one("List", general_chairs={"type": "array", "items": PERSON}))
    assert outcome.data == {"general_chairs": [{"name": "Ana Ruiz"}]}
    assert [record.is_complete for record in outcome.records] == [True, False]


PAPER = (
    '<div class="paper"><span class="li-cite-author"><a href="/a{n}">Ana Ruiz</a></span> (202{n}).'
    ' <a href="/p{n}">On the tides of harbour {n}</a>.</div>'
)


async def test_who_wrote_a_thing_is_not_its_title_where_their_names_stand_before_it() -> None:
    page = _page("<h1>Publications</h1>" + "".join(PAPER.format(n=n) for n in (1, 2, 3)))
    outcome, _ = await extracted({ROOT: page}, many("Publication", ("title",), title=TEXT, url=URL))
    assert outcome.data == [{"title": f"On the tides of harbour {n}", "url": f"{ROOT}p{n}"} for n in (1, 2, 3)]


async def test_in_a_list_of_writers_their_names_are_what_is_listed() -> None:
    cards = "".join(
        f'<li><b class="author"><a href="/{n}">Ana Ruiz {n}</a></b> <a href="/w{n}">Site</a></li>' for n in "ab"
    )
    outcome, _ = await extracted({ROOT: _page(f"<ul>{cards}</ul>")}, many("Person", ("name",), name=TEXT))
    assert outcome.data == [{"name": "Ana Ruiz a"}, {"name": "Ana Ruiz b"}]


async def test_pieces_of_one_list_are_records_together_though_only_the_first_stands_below_its_name() -> None:
    days = "".join(
        f"<section><p>Some words</p>{CARD.format(n=n)}{CARD.format(n=n + 1)}</section>" for n in range(1, 19, 2)
    )
    items = {"type": "array", "items": one("Item", ("name", "price"), name=TEXT, price=NUMBER)}
    outcome, _ = await extracted({ROOT: _page(f"<h2>Items</h2>{days}")}, one("List", items=items))
    assert outcome.data is not None
    assert len(outcome.data["items"]) == 18


CARD = '<article class="card"><h2><a href="/{n}">Item {n}</a></h2><p class="price">{n}.50 €</p></article>'


async def test_records_of_all_pages_of_a_list_each_once() -> None:
    first = _page("".join(CARD.format(n=n) for n in (1, 2, 3)) + '<a rel="next" href="/?page=2">Next</a>')
    second = _page("".join(CARD.format(n=n) for n in (3, 4)))
    schema = many("Item", ("name", "price"), name=TEXT, price=NUMBER, url=URL)
    outcome, events = await extracted({ROOT: first, f"{ROOT}?page=2": second}, schema, most_pages=5)
    assert [record.data["price"] for record in outcome.records] == [1.5, 2.5, 3.5, 4.5]
    assert outcome.data is not None
    assert outcome.data[3] == {"name": "Item 4", "price": 4.5, "url": f"{ROOT}4"}
    assert outcome.records[3].page == f"{ROOT}?page=2"
    assert (outcome.stop_reason, outcome.pages) == (StopReason.ANSWERED, 2)
    assert [event.records for event in events if isinstance(event, FieldsExtracted)] == [3, 2]


async def test_entries_of_a_list_that_say_the_same_are_two_where_they_lead_to_different_pages() -> None:
    leads = ("/tides-2019", "/Tides-2020", "/marsh", "/marsh")
    titles = ("Tides of mud", "Tides of Mud", "Marsh", "Marsh")
    papers = "".join(
        f'<div class="paper year-{place}"><a href="{lead}">{title}</a></div>'
        for place, (lead, title) in enumerate(zip(leads, titles, strict=True), start=2019)
    )
    outcome, _ = await extracted({ROOT: _page(f"<h2>Papers</h2>{papers}")}, many("Paper", ("title",), title=TEXT))
    assert [record.data["title"] for record in outcome.records] == ["Tides of mud", "Tides of Mud", "Marsh"]


async def test_a_record_without_a_required_field_is_kept_apart() -> None:
    rows = "<tr><td>Ash</td><td>12</td></tr><tr><td>Elm</td><td>tall</td></tr><tr><td>Oak</td><td>20</td></tr>"
    page = _page(f"<table><tr><th>Tree</th><th>Height</th></tr>{rows}</table>")
    outcome, _ = await extracted({ROOT: page}, many("Tree", ("tree", "height"), tree=TEXT, height=NUMBER))
    assert outcome.data == [{"tree": "Ash", "height": 12}, {"tree": "Oak", "height": 20}]
    assert [record.is_complete for record in outcome.records] == [True, False, True]
    assert not outcome.is_complete
    assert "no number" in outcome.records[1].fields["height"].reason


async def test_a_list_without_the_optional_fields_is_still_the_list() -> None:
    links = "<ul>" + "".join(f'<li><a href="/about/{n}">About part {n}</a></li>' for n in range(5)) + "</ul>"
    page = _page(links + "".join(CARD.format(n=n) for n in (1, 2, 3)))
    optional = dict.fromkeys(("author", "colour", "material", "publisher", "weight"), TEXT)
    outcome, _ = await extracted({ROOT: page}, many("Thing", ("name", "price"), name=TEXT, price=NUMBER, **optional))
    assert outcome.data == [{"name": f"Item {n}", "price": n + 0.5} for n in (1, 2, 3)]
    names_alone = many("Thing", ("name",), name=TEXT, **optional)
    outcome, _ = await extracted({ROOT: _page(links)}, names_alone)
    assert outcome.data is None


async def test_a_question_names_the_record_that_is_meant() -> None:
    page = _page("<h1>Stall</h1>" + "".join(CARD.format(n=n) for n in (1, 2, 3)))
    schema = one("Item", ("price",), name=TEXT, price=NUMBER)
    outcome, _ = await extracted({ROOT: page}, schema, question="What does item 2 cost?")
    assert outcome.data == {"name": "Item 2", "price": 2.5}
    nobody, _ = await extracted({ROOT: page}, schema, question="What does it cost?")
    assert nobody.data is None


async def test_pages_are_followed_until_the_fields_are_found() -> None:
    pages = {
        ROOT: _page('<h1>Kiln</h1><p><a href="/news">News</a> <a href="/contact">Contact and opening hours</a></p>'),
        f"{ROOT}news": _page("<h1>News</h1><p>Nothing.</p>"),
        f"{ROOT}contact": _page(
            "<h1>Contact</h1><p>Telephone: 0800 123</p><p>Opening hours: 9 to 5</p>", title="Contact – Kiln"
        ),
    }
    schema = one("Shop", ("phone", "opening_hours"), phone=TEXT, opening_hours=TEXT)
    outcome, events = await extracted(pages, schema, most_pages=5, question="Extract Shop: phone, opening_hours")
    assert outcome.data == {"phone": "0800 123", "opening_hours": "9 to 5"}
    assert outcome.fields["phone"].page == f"{ROOT}contact"
    assert [event.url for event in events if isinstance(event, MoveTaken)] == [ROOT, f"{ROOT}contact"]
    short, _ = await extracted(pages, schema, most_pages=1)
    assert (short.answered, short.stop_reason, short.missing) == (False, StopReason.BUDGET, ("phone", "opening_hours"))


async def test_a_page_on_another_thing_adds_nothing() -> None:
    pages = {
        ROOT: _page('<h1>Blue mug</h1><p>Price: 12 €</p><a href="/pan">Weight of the pan</a>', title="Blue mug"),
        f"{ROOT}pan": _page("<h1>Iron pan</h1><p>Weight: 3 kg</p>", title="Iron pan"),
    }
    outcome, _ = await extracted(
        pages, one("Product", ("name", "price", "weight"), name=TEXT, price=NUMBER, weight=TEXT), most_pages=3
    )
    assert outcome.fields["weight"].value is None
    assert outcome.data is None


async def test_pages_below_the_root_go_before_those_of_another_year() -> None:
    chairs = "<h1>Committee</h1><p>Chair: {}</p>"
    pages = {
        f"{ROOT}2019/": _page('<a href="/2017/committee">The chair of the committee</a> <a href="people">People</a>'),
        f"{ROOT}2017/committee": _page(chairs.format("Ben Okoro")),
        f"{ROOT}2019/people": _page(chairs.format("Ana Ruiz")),
    }
    outcome, _ = await extracted(pages, one("Committee", ("chair",), chair=TEXT), most_pages=3, root=f"{ROOT}2019/")
    assert outcome.data == {"chair": "Ana Ruiz"}


async def test_a_root_that_cannot_be_had_is_told() -> None:
    with pytest.raises(RootUnreachable):
        await extracted({}, one(name=TEXT))
    with pytest.raises(RootUnreachable, match="the server answered with status 404"):
        await extracted({ROOT: Paper(html=_page("Not here"), status=404)}, one(name=TEXT))
    walled = _page('<form><input type="password" name="key"></form>')
    with pytest.raises(RootUnreachable, match="the page is a login wall"):
        await extracted({ROOT: walled}, one(name=TEXT))


async def test_a_name_in_full_and_never_a_price() -> None:
    cards = "".join(
        f'<div class="card"><h4 class="price">${n}.99</h4>'
        f'<h4><a href="/{n}" title="A rather long name {n}">A rather long n...</a></h4></div>'
        for n in (1, 2, 3)
    )
    outcome, _ = await extracted({ROOT: _page(cards)}, many("Product", ("title",), title=TEXT, price=NUMBER))
    assert [record.data["title"] for record in outcome.records] == [f"A rather long name {n}" for n in (1, 2, 3)]
    assert outcome.records[0].fields["title"].quote == 'title="A rather long name 1"'


async def test_entries_are_told_apart_from_the_text_around_them() -> None:
    card = (
        '<div class="quote"><span class="text">“Be {n}.”</span><small class="author">Ada {n}</small>'
        '<div class="tags">Tags: {tags}</div></div>'
    )
    tags = ('<a class="tag">calm</a> <a class="tag">sea</a>', '<a class="tag">wind</a>', "")
    page = _page("".join(card.format(n=n, tags=tags[n]) for n in range(3)))
    schema = many("Quote", ("text",), text=TEXT, author=TEXT, tags={"type": "array", "items": TEXT})
    outcome, _ = await extracted({ROOT: page}, schema)
    assert [record.data["tags"] for record in outcome.records] == [["calm", "sea"], ["wind"], None]
    assert [record.data["author"] for record in outcome.records] == ["Ada 0", "Ada 1", "Ada 2"]


async def test_what_stands_in_brackets_behind_a_label_is_no_part_of_its_name() -> None:
    field = await _field("<dl><dt>Area (km²)</dt><dd>468</dd></dl>", "area", NUMBER)
    assert (field.value, field.label) == (468, "Area (km²)")
