"""A site of sayings, shown in all the ways in which sites for practice show them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.sites.practice.crawled import crawled
from tests.sites.practice.quotes import AUTHORS, QUOTES, quotes_site
from tests.sites.serving import LoopbackSite, serving

TEXTS = {quote.text for quote in QUOTES}
QUOTE: dict[str, Any] = {
    "each": ".quote",
    "fields": {"text": ".text", "author": ".author", "tags": {"select": ".tag", "type": "list"}},
}


@pytest.fixture(scope="module")
def site() -> Iterator[LoopbackSite]:
    with serving(LoopbackSite(quotes_site, keep_alive=True)) as server:
        yield server


async def test_sayings_on_pages_and_under_tags_are_found_once(site: LoopbackSite, tmp_path: Path) -> None:
    found = await crawled(site, tmp_path, pages=[{"match": "**", "items": QUOTE}])
    assert {(item["text"], item["author"], tuple(item["tags"])) for item in found.items} == {
        (quote.text, quote.author, quote.tags) for quote in QUOTES
    }
    assert (len(found.items), found.report.stop_reason) == (len(QUOTES), "complete")
    assert {path.split("/")[2] for path in found.paths("/author/")} == set(AUTHORS)
    assert {f"/page/{number}/" for number in range(1, 11)} <= set(found.paths())
    assert found.report.failures == {"login wall: Quotes to Try": 1}


async def test_sayings_are_told_apart_though_their_only_link_is_their_author(
    site: LoopbackSite, tmp_path: Path
) -> None:
    found = await crawled(site, tmp_path, items="auto")
    assert {item["text"].split("”")[0] + "”" for item in found.items} == TEXTS, "and no cloud of tags"
    assert len(found.items) == len(QUOTES)
    assert all("It’s so.” by " in item["text"] for item in found.items)


def _told_apart(place: str) -> dict[str, Any]:
    """Sayings that are not those of other pages, by something else that is only on this one."""
    return {"each": ".quote", "fields": {**QUOTE["fields"], "place": place}}


async def test_sayings_that_need_a_browser(site: LoopbackSite, tmp_path: Path) -> None:
    author = QUOTES[1].author
    scripts = [
        {"match": "/scroll", "items": _told_apart("//h4[@id='loading']")},
        {"match": "re:^/js/", "items": QUOTE},
        {"match": "/js-delayed/**", "items": _told_apart("//a[contains(@href, 'js-delayed')]"), "follow": False},
        {
            "match": "/search.aspx",
            "steps": [
                {"type": "#author", "text": author},
                {"wait_for": "#author option[selected]"},
                {"type": "#tag", "text": QUOTES[1].tags[0]},
                {"submit": "#filterform"},
                {"wait_for": ".results .quote"},
            ],
            "items": QUOTE | {"key": ["text"]},
        },
        {"match": "/", "items": {"fields": {"out": "a[href='/logout']"}}, "follow": False},
    ]
    found = await crawled(
        site,
        tmp_path,
        ["/scroll", "/js/", "/js-delayed/", "/search.aspx", "/"],
        driver="auto",
        scope={"include": ["/js/**"]},
        pages=scripts,
        login={
            "url": "/login",
            "steps": [
                {"type": "#username", "text": "${SITE_USER}"},
                {"type": "#password", "text": "${SITE_PASSWORD}"},
                {"click": "input[type=submit]"},
            ],
            "check": "a[href='/logout']",
        },
    )
    assert found.report.failures == {}
    by_page: dict[str, set[str]] = {}
    for item in found.items:
        by_page.setdefault(item["page_url"].split("/")[1], set()).add(item.get("text", item.get("out", "")))
    assert {text for texts in by_page.values() for text in texts if text != "Logout"} == TEXTS
    assert by_page[""] == {"Logout"}
    assert by_page["scroll"] == TEXTS, "all of them, though no step scrolls"
    assert by_page["js-delayed"] == {quote.text for quote in QUOTES[:10]}, "though no step waits"
    assert by_page["filter.aspx"] == {
        quote.text for quote in QUOTES if quote.author == author and QUOTES[1].tags[0] in quote.tags
    }
    assert {f"/js/page/{number}/" for number in range(1, 11)} <= set(found.paths("/js/"))
