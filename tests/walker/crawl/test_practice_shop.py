"""A shop of computers whose lists go on by links, by buttons that are no links, by "more", and by scrolling."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.sites.practice.crawled import crawled
from tests.sites.practice.shop import PRODUCTS, shop_site, table_rows
from tests.sites.serving import LoopbackSite, serving

CARD: dict[str, Any] = {
    "each": ".card",
    "fields": {
        "title": {"select": ".title", "attr": "title"},
        "price": {"select": ".price", "type": "number"},
        "url": {"select": ".title", "type": "url"},
    },
}
SHOP = "/test-sites/e-commerce"
ALL = {(product.id, product.name, product.price) for product in PRODUCTS}


@pytest.fixture(scope="module")
def site() -> Iterator[LoopbackSite]:
    with serving(LoopbackSite(shop_site, keep_alive=True)) as server:
        yield server


def products(items: list[dict[str, Any]], version: str) -> set[tuple[int, str, float]]:
    mine = [item for item in items if f"/{version}/" in item.get("url", "")]
    return {(int(item["url"].rpartition("/")[2]), item["title"], item["price"]) for item in mine}


async def test_pages_by_links(site: LoopbackSite, tmp_path: Path) -> None:
    scope = {"path": f"{SHOP}/static"}
    found = await crawled(site, tmp_path, f"{SHOP}/static", scope=scope, pages=[{"match": "**", "items": CARD}])
    assert products(found.items, "static") == ALL
    assert len(found.items) == len(ALL) == len(found.paths(f"{SHOP}/static/product/"))


async def test_sitemaps_lead_to_what_no_link_does(site: LoopbackSite, tmp_path: Path) -> None:
    found = await crawled(site, tmp_path, sitemaps="robots", scope={"include": [f"{SHOP}/scroll/product/*"]})
    assert len(found.paths(f"{SHOP}/scroll/product/")) == len(PRODUCTS)


async def test_columns_of_a_head_of_several_rows(site: LoopbackSite, tmp_path: Path) -> None:
    scope = {"path": "/test-sites/tables/"}
    found = await crawled(site, tmp_path, "/test-sites/tables/multi", scope=scope, items="auto")
    names = ("#", "First Name", "Last Name", "Username")
    assert [tuple(item[name] for name in names) for item in found.items] == table_rows()


async def test_pages_by_script(site: LoopbackSite, tmp_path: Path) -> None:
    lists = {"items": CARD, "follow": False}
    swatch = {"click": "button.swatch[value='512']"}
    rules = [
        {"match": f"{SHOP}/ajax/*/*", "steps": [{"click": "button.page-link", "until": "each"}], **lists},
        {"match": f"{SHOP}/more/*/*", "steps": [{"click": ".ecomerce-items-scroll-more", "until": "gone"}], **lists},
        {"match": f"{SHOP}/scroll/*/*", "steps": [{"scroll": "end"}], **lists},
        {
            "match": f"{SHOP}/*/product/*",
            "steps": [swatch],
            "items": {"fields": {"dear": {"select": ".price", "type": "number"}}},
        },
    ]
    starts = [f"{SHOP}/ajax/computers/laptops", f"{SHOP}/more/computers/tablets", f"{SHOP}/scroll/phones/touch"]
    scope = {"include": ["/test-sites/popups/*"]}
    found = await crawled(
        site,
        tmp_path,
        [*starts, f"{SHOP}/static/product/31", "/test-sites/popups"],
        driver="auto",
        scope=scope,
        pages=rules,
    )
    for version, kind in (("ajax", "laptops"), ("more", "tablets"), ("scroll", "touch")):
        expected = {(one.id, one.name, one.price) for one in PRODUCTS if one.group[1] == kind}
        assert products(found.items, version) == expected, version
    assert [item["dear"] for item in found.items if "dear" in item] == [PRODUCTS[0].price + 40]
    assert found.paths("/test-sites/popups/") == [f"/test-sites/popups/{number}" for number in (1, 2, 3)]
    assert found.report.failures == {}
