"""A bookshop of a thousand books, whose lists overlap and whose links are relative."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sites.practice.books import A_PAGE, ALL_BOOKS, CATEGORY_SIZES, books_site
from tests.sites.practice.crawled import crawled
from tests.sites.serving import LoopbackSite, serving

POD = {
    "each": "article.product_pod",
    "fields": {
        "title": {"select": "h3 a", "attr": "title"},
        "price": {"select": ".price_color", "type": "number"},
        "stock": {"select": ".availability", "type": "boolean"},
        "rating": {"select": ".star-rating", "attr": "class"},
        "url": {"select": "h3 a", "type": "url"},
    },
}
LISTS = {"exclude": "re:^/catalogue/[^/]+_\\d+/index"}


@pytest.fixture(scope="module")
def site() -> Iterator[LoopbackSite]:
    with serving(LoopbackSite(books_site, keep_alive=True)) as server:
        yield server


async def test_every_book_of_overlapping_lists_is_there_once(site: LoopbackSite, tmp_path: Path) -> None:
    found = await crawled(site, tmp_path, scope=LISTS, pages=[{"match": "**", "items": POD}])
    assert {(item["url"], item["title"], item["price"], item["rating"], item["stock"]) for item in found.items} == {
        (f"/catalogue/{book.slug}/index.html", book.title, book.price, f"star-rating {book.rating}", True)
        for book in ALL_BOOKS
    }
    assert len(found.items) == len(ALL_BOOKS)
    lists = sum(-(-size // A_PAGE) for size in CATEGORY_SIZES)
    assert len(found.paths("/catalogue/category/books/")) == lists
    assert (found.report.failures, found.report.cuts) == ({}, {})


async def test_products_are_read_from_their_own_pages(site: LoopbackSite, tmp_path: Path) -> None:
    book = {
        "fields": {
            "title": "h1",
            "upc": "//th[.='UPC']/following-sibling::td",
            "tax": {"select": "//th[.='Tax']/following-sibling::td", "type": "number"},
            "available": {"select": ".product_main .availability", "type": "integer"},
            "category": ".breadcrumb li:nth-child(3)",
        }
    }
    scope = {"include": "re:^/catalogue/(page-\\d+|[^/]+_\\d+/index)\\.html"}
    rule = {"match": "re:^/catalogue/[^/]+_\\d+/index", "items": book}
    found = await crawled(site, tmp_path, scope=scope, pages=[rule], counter={"mode": "quota", "target": 60})
    assert (found.report.stop_reason, len(found.items)) == ("quota reached", 60)
    titles = {f"/catalogue/{book.slug}/index.html": book.title for book in ALL_BOOKS}
    assert all(titles[item["page_url"]] == item["title"] for item in found.items)
    assert all(item["tax"] == 0 and 1 <= item["available"] <= 22 and len(item["upc"]) == 16 for item in found.items)
