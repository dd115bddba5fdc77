"""Items by rules, values by types, and records that no rule names."""

from __future__ import annotations

from typing import Any

import pytest

from perception.document.dom import parse_page
from perception.snapshot import Snapshot
from walker.crawl.job_records import CrawlItem
from walker.crawl.pages.detected_items import find_items
from walker.crawl.pages.field_values import date_of, number_of
from walker.crawl.pages.items import identity_at, read_items
from walker.crawl.script.spec import ItemRule

URL = "https://example.org/list?page=2"
CARD = (
    "<div class=card id=a1><h2><a href='item/1'>Red  lamp</a></h2><span class=price>$1,234.50</span>"
    "<time datetime=2024-05-06>last May</time>"
    "<i class=stock>In stock</i><ul><li>round</li><li>red</li></ul><img src='/i/1.png'><s hidden></s></div>"
    "<div class=card id=a2><h2><a href='item/2'>Chair</a></h2><span class=price>—</span><i class=stock>Sold out</i></div>"
    "<div class=card id=a3><h2></h2></div>"
)


def items(rule: dict[str, Any], html: str = CARD) -> tuple[CrawlItem, ...]:
    snapshot = Snapshot(url=URL, final_url=URL, status=200, html=html)
    return read_items(parse_page(html), [ItemRule.model_validate(rule)], URL, snapshot)


FIELDS = {
    "name": {"select": "h2", "required": True},
    "price": {"select": ".price", "type": "number"},
    "made": {"select": "time", "type": "date"},
    "stock": {"select": ".stock", "type": "boolean"},
    "tags": {"select": "li", "type": "list"},
    "url": {"select": "h2 a", "type": "url"},
    "picture": {"select": "./img", "attr": "src", "type": "url"},
    "id": {"select": "", "attr": "id"},
    "inner": {"select": "h2 a", "type": "html"},
}


def test_fields_have_their_types() -> None:
    first, second = items({"each": ".card", "fields": FIELDS})
    assert first.fields == {
        "name": "Red lamp",
        "price": 1234.5,
        "made": "2024-05-06",
        "stock": True,
        "tags": ["round", "red"],
        "url": "https://example.org/item/1",
        "picture": "https://example.org/i/1.png",
        "id": "a1",
        "inner": '<a href="item/1">Red  lamp</a>',
    }
    assert (second.fields["price"], second.fields["made"], second.fields["stock"], second.fields["tags"]) == (
        None,
        None,
        False,
        [],
    )


def test_the_address_tells_items_apart_unless_a_key_does() -> None:
    assert [item.identity for item in items({"each": ".card", "fields": FIELDS})] == [
        "https://example.org/item/1",
        "https://example.org/item/2",
    ]
    assert [item.identity for item in items({"each": ".card", "fields": FIELDS, "key": ["name", "price"]})] == [
        '["Red lamp",1234.5]',
        '["Chair",null]',
    ]
    assert items({"each": ".card", "fields": {"name": "h2"}})[0].identity == '{"name":"Red lamp"}'


def test_one_item_a_page_is_its_page() -> None:
    (item,) = items(
        {"fields": {"heading": "h1", "n": {"select": "b", "type": "integer"}}}, "<h1>Lamp</h1><b>1 200 pieces</b>"
    )
    assert item.fields == {"heading": "Lamp", "n": 1200}
    assert item.identity == "https://example.org/list?page=2"


def test_an_item_without_fields_finds_name_text_and_address() -> None:
    assert items({"each": ".card"})[1].fields == {
        "name": "Chair",
        "text": "Chair —Sold out",
        "url": "https://example.org/item/2",
    }


def test_xpath_may_give_texts_and_numbers() -> None:
    rule = {
        "each": "//div[@class='card']",
        "fields": {
            "name": "./h2/a/text()",
            "count": {"select": "./ul/li[1]/text()"},
            "n": {"select": "(count(.//li))", "type": "integer"},
        },
    }
    assert items(rule)[0].fields == {"name": "Red lamp", "count": "round", "n": 2}


def test_equal_items_of_a_page_are_one() -> None:
    assert len(items({"each": "p", "fields": {"t": ""}}, "<p>a</p><p>a</p><p>b</p>")) == 2


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("$1,234.50", 1234.5),
        ("1.234,50 €", 1234.5),
        ("1 234 567 kr", 1234567),
        ("1\u00a0234,5", 1234.5),
        ("1'234.50 CHF", 1234.5),
        ("1,23,456.70", 123456.7),
        ("12,5", 12.5),
        ("1,234", 1234),
        ("1.234", 1.234),
        ("1.234 €", 1234),
        ("0.125", 0.125),
        ("0,125", 0.125),
        ("-3.5 °C", -3.5),
        ("\u22127", -7),
        ("１２３円", 123),
        ("from 3 to 5", 3),
        ("v2.0", 2),
        ("1.2.3", 1.23),
        ("12.", 12),
        (".5", 0.5),
        ("6.02e23", 6.02e23),
        ("none", None),
        ("", None),
    ],
)
def test_numbers(text: str, number: float | None) -> None:
    assert number_of(text) == number


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2024-05-06", "2024-05-06"),
        ("2024-05-06T12:30:00Z", "2024-05-06T12:30:00+00:00"),
        ("Published 2024-05-06", "2024-05-06"),
        ("6 May 2024", "2024-05-06"),
        ("May 6, 2024", "2024-05-06"),
        ("6. Mai 2024", "2024-05-06"),
        ("2024年5月6日", "2024-05-06"),
        ("2024-13-45", None),
        ("no date", None),
        ("x" * 200 + " 2024", None),
    ],
)
def test_dates(text: str, date: str | None) -> None:
    assert date_of(text) == date


def test_a_date_may_be_told_from_when_the_page_was_had() -> None:
    assert date_of("2 days ago", 1_715_000_000.0) == "2024-05-04"


def page(body: str) -> str:
    return f"<main><h1>Things</h1>{body}</main>"


def found_on(html: str) -> tuple[CrawlItem, ...]:
    return find_items(parse_page(html), Snapshot(url=URL, final_url=URL, status=200, html=html))


def test_the_main_list_is_found_and_navigation_is_not() -> None:
    nav = "<nav><ul>" + "".join(f"<li><a href='/n/{n}'>Section {n}</a></li>" for n in range(12)) + "</ul></nav>"
    rows = "".join(f"<tr><td><a href='/p/{n}'>Person {n}</a></td><td>Room {n}</td></tr>" for n in range(5))
    table = f"<table><tr><th>Name</th><th>Room</th></tr>{rows}</table>"
    html = f"{nav}<main><h1>People</h1>{table}</main>"
    found = found_on(html)
    assert len(found) == 5
    assert found[0].fields == {
        "name": "Person 0",
        "text": "Person 0 | Room 0",
        "url": "https://example.org/p/0",
        "Name": "Person 0",
        "Room": "Room 0",
    }
    assert found[0].identity == "https://example.org/p/0"


def test_an_article_lists_nothing() -> None:
    sections = "".join(f"<h2>Part</h2><p>{'Words of a part. ' * 9}</p>" for _ in range(4))
    assert found_on(page(sections)) == ()


@pytest.mark.parametrize(
    ("fields", "identity"),
    [
        ({"url": "HTTPS://Example.org/a?utm_source=x#part"}, "https://example.org/a#part"),
        ({"url": "/relative", "n": 1}, "/relative"),
        ({"url": "", "n": 1}, '{"n":1,"url":""}'),
        ({"url": ["a"]}, '{"url":["a"]}'),
        ({"b": 1, "a": 2}, '{"a":2,"b":1}'),
    ],
)
def test_an_item_of_a_function_is_known_by_its_address_or_by_all_of_it(fields: dict[str, Any], identity: str) -> None:
    assert identity_at(fields.get("url"), fields) == identity


def test_a_link_that_names_another_thing_does_not_make_two_records_one() -> None:
    cards = "".join(
        f"<div class=saying><span>Saying number {n} of these.</span><span>by Ann <a href=/ann>(about)</a></span></div>"
        for n in range(4)
    )
    assert len({item.identity for item in found_on(page(cards))}) == 4


def test_the_blocks_of_a_record_do_not_run_into_each_other() -> None:
    cards = "".join(f"<article class=pod><h3><a href=/{n}>Book {n}</a></h3><p>£{n}.00</p></article>" for n in range(4))
    assert [item.fields["text"] for item in found_on(page(cards))][:2] == ["Book 0 £0.00", "Book 1 £1.00"]
