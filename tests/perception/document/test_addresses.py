from __future__ import annotations

from urllib.parse import urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perception.document.addresses import absolute_url, without_fragment

BASE = "http://reef.example/fleet/index.html?page=2#top"
PATHS = st.text("abz0/._-", min_size=1, max_size=20).filter(lambda path: not path.startswith("///"))


@pytest.mark.parametrize(
    ("href", "url"),
    [
        ("mantis.html", "http://reef.example/fleet/mantis.html"),
        ("./mantis.html#crew", "http://reef.example/fleet/mantis.html#crew"),
        ("../", "http://reef.example/"),
        ("/boats", "http://reef.example/boats"),
        ("//other.example/x", "http://other.example/x"),
        ("///other.example/x", "http://other.example/x"),
        ("http:////other.example/x", "http://other.example/x"),
        ("https:/other.example/x", "https://other.example/x"),
        ("https:other.example", "https://other.example"),
        ("http:/boats", "http://reef.example/boats"),
        ("https:", ""),
        ("///", ""),
        ("?page=3", "http://reef.example/fleet/index.html?page=3"),
        ("#crew", "http://reef.example/fleet/index.html?page=2#crew"),
        (" \n/two\nlines ", "http://reef.example/twolines"),
        ("HTTPS://Other.example/A", "https://Other.example/A"),
        ("a:b", ""),
        ("mailto:a@reef.example", ""),
        ("javascript:void(0)", ""),
        ("data:text/html,hi", ""),
        ("tel:+49", ""),
        ("http://[broken/", ""),
        ("http://host:99999/", ""),
        ("", ""),
    ],
)
def test_an_address_as_a_page_writes_it_is_made_absolute(href: str, url: str) -> None:
    assert absolute_url(BASE, href) == url


@given(PATHS)
def test_the_short_way_for_plain_files_gives_what_the_rule_gives(path: str) -> None:
    assert absolute_url(BASE, path) in (urljoin(BASE, path), "")


@given(st.text(max_size=40))
def test_nothing_that_a_page_may_write_breaks_it(href: str) -> None:
    url = absolute_url(BASE, href)
    assert url == "" or url.startswith(("http://", "https://"))


def test_a_fragment_that_is_a_route_belongs_to_the_address() -> None:
    assert without_fragment("http://a/b#c") == "http://a/b"
    assert without_fragment("http://a/b#/c") == "http://a/b#/c"
    assert without_fragment("http://a/b#!c") == "http://a/b#!c"
    assert without_fragment("http://a/b") == "http://a/b"
