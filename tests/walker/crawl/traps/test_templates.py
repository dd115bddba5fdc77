"""Patterns of addresses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walker.crawl.traps.templates import family_of, kind_of, template_of


@pytest.mark.parametrize(
    ("url", "template"),
    [
        ("http://x", "x/"),
        ("http://X/About", "x/{w}"),
        ("http://x/catalog/shoes/", "x/catalog/{w}/"),
        ("http://x/item/17", "x/item/{n}"),
        ("http://x/item/17-red-lamp.html", "x/item/{n}-{w}.html"),
        ("http://x/how-to-wire-a-lamp", "x/{w}"),
        ("http://x/guide/chapter-3", "x/guide/chapter-{n}"),
        ("http://x/2024/05/06/a-first-post", "x/{date}/{w}"),
        ("http://x/calendar/2026/11", "x/calendar/{date}"),
        ("http://x/calendar/11/2026", "x/calendar/{date}"),
        ("http://x/day/2026-11-05", "x/day/{date}"),
        ("http://x/s/9f3ab2c144e1/help", "x/s/{id}/{w}"),
        ("http://x/o/123e4567-e89b-12d3-a456-426614174000", "x/o/{id}"),
        ("http://x/node/48213377", "x/node/{id}"),
        ("http://x/list?page=3&sort=up", "x/list?page&sort"),
        ("http://x/list?sort=up&page=3", "x/list?page&sort"),
        ("http://x/find?q=a&amp;amp;lang=en", "x/find?lang&q"),
        ("http://x/cal?on=2026-11-05", "x/cal?on={date}"),
        ("http://x/shop?s=9f3ab2c144e1aa", "x/shop?s={id}"),
        ("http://x/a/help/help/help/", "x/a/help+/"),
        ("http://x/a/b/a/b/a/b/", "x/a/b+/"),
        ("http://x/a;jsessionid=9f3a/b", "x/a/{w}"),
        ("http://x/#/route/3", "x/#/route/{n}"),
        ("http://x/page#part", "x/{w}"),
    ],
)
def test_what_tells_pages_of_a_kind_apart_is_left_out(url: str, template: str) -> None:
    assert template_of(url) == template


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("http://x/item/17", "number"),
        ("http://x/show?id=17", "number"),
        ("http://x/wiki/Lamp", "word"),
        ("http://x/calendar/2026/11", "date"),
        ("http://x/cal?y=2026&m=11", "date"),
        ("http://x/list?page=3", "page"),
        ("http://x/feed?after=40", "page"),
        ("http://x/forms?page_num=2", "page"),
        ("http://x/lost/fedcba9876543210", "token"),
        ("http://x/help/help/help/", "deep"),
        ("http://x/a/b/c/d/e/f/g/h/i/j", "deep"),
    ],
)
def test_kinds_of_addresses(url: str, kind: str) -> None:
    assert kind_of(template_of(url)) == kind


def test_a_family_has_the_first_folder_and_the_slots_below() -> None:
    families = {
        family_of(template_of(f"http://x/shop{rest}"))
        for rest in ("/red/lamps", "/blue?size=3", "/green/big/lamps?a=b")
    }
    assert families == {"x/shop/{w}"}
    assert family_of(template_of("http://x/shop/17")) != family_of(template_of("http://x/shop/lamps"))


@given(st.text())
def test_any_text_has_a_template(text: str) -> None:
    for url in (text, f"http://x/{text}"):
        template = template_of(url)
        assert isinstance(family_of(template), str)
        assert kind_of(template)


@given(st.integers(0, 999_999), st.integers(0, 999_999))
def test_numbers_do_not_count(first: int, second: int) -> None:
    assert template_of(f"http://x/item/{first}-red-lamp") == template_of(f"http://x/item/{second}-red-lamp")
