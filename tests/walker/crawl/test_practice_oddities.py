"""Whatever servers answer and pages write: what is kept of it, what it leads to, and what it must not lead to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memory.url_key import key_of
from perception.document.dom import DEEPEST_BOX, parse_page
from perception.encodings import decode_html
from tests.sites.practice.crawled import crawled
from tests.sites.practice.oddities import (
    ANSWERS,
    KEPT_STATUSES,
    LONG,
    LOST_STATUSES,
    REACHED,
    READ_AS,
    REDIRECTED,
    REDIRECTS,
    oddities_site,
)
from tests.sites.serving import LoopbackSite, serving


@pytest.fixture
def site() -> Iterator[LoopbackSite]:
    with serving(LoopbackSite(oddities_site, keep_alive=True)) as server:
        yield server


@pytest.mark.parametrize("driver", ["http", "playwright"])
async def test_links_in_all_ways_of_writing_them(site: LoopbackSite, tmp_path: Path, driver: str) -> None:
    scope = {"include": ["/nothing"]}
    found = await crawled(site, tmp_path, "/links", driver=driver, scope=scope, keep=["links"])
    links = [str(link) for link in found.pages[0]["links"] if str(link).startswith("/")]
    assert [link for link in links if "/never/" in link] == ["/never/nofollow"]
    keys = {key_of(site.home + link.lstrip("/")) for link in links if link.startswith("/reach/") and LONG not in link}
    assert keys == {key_of(f"{site.home}reach/{name}") for name in REACHED}


async def test_links_are_asked_for_as_a_browser_asks(site: LoopbackSite, tmp_path: Path) -> None:
    found = await crawled(site, tmp_path, "/links")
    assert {f"/reach/{name}" for name in REACHED} <= set(found.asked)
    assert [path for path in found.asked if path.startswith("/never")] == []
    assert f"/reach/{LONG}" in found.asked
    assert "/reach/order?b=2&a=1" not in found.asked


async def test_redirects_of_every_kind(site: LoopbackSite, tmp_path: Path) -> None:
    found = await crawled(site, tmp_path, "/index/r")
    assert set(REDIRECTED) <= set(found.paths())
    assert {"/r/meta10", "/r/meta-no-url", "/r/meta-script", "/r/meta-bad", "/r/empty", "/r/nowhere"} <= set(
        found.paths("/r/")
    )
    failed = {page["url"] for page in found.pages if "status" not in page}
    assert failed == {f"/r/{name}" for name in ("loop", "loop2", "itself", "query", "out", "mail", "missing")}
    assert len([page for page in found.pages if page["url"] in REDIRECTS]) >= len(REDIRECTED) - 1


async def test_answers_of_every_status(site: LoopbackSite, tmp_path: Path) -> None:
    found = await crawled(site, tmp_path, "/index/s")
    fine = {f"/s/{status}" for status in KEPT_STATUSES} | {f"/s/{name}" for name in ("seconds", "date")}
    fine |= {"/s/500-then-fine", "/s/503-then-fine"}
    assert set(found.paths("/s/")) == fine
    lost = {page["url"] for page in found.pages if "status" not in page}
    assert lost == set(ANSWERS) - fine
    assert {f"/s/{status}" for status in LOST_STATUSES} <= lost
    assert "/never/of-404" not in found.asked


async def test_contents_of_every_kind(site: LoopbackSite, tmp_path: Path) -> None:
    found = await crawled(site, tmp_path, "/index/c", page_seconds=10, polite={"retries": 0})
    titles = {page["url"]: page.get("title", "") for page in found.pages if "status" in page}
    assert {name: titles.get(f"/c/{name}") for name in READ_AS} == READ_AS
    packed = {
        "gzip": "Gzip",
        "x-gzip": "X-Gzip",
        "deflate": "Deflate",
        "raw-deflate": "Raw deflate",
        "br": "Brotli",
        "zstd": "Zstandard",
        "twice": "Twice",
        "drip": "Dripping",
        "unknown-packing": "Unknown",
        "identity": "Identity",
    }
    assert {name: titles.get(f"/c/{name}") for name in packed} == packed
    lost = "not-gzip cut-chunk long-length binary picture attachment".split()
    assert {f"/c/{name}" for name in lost}.isdisjoint(titles)
    ways = "after-many of-drip based/on deep frame1 frame2 noscript of-no-length of-xhtml of-null".split()
    ways += ["of-no-type", "of-odd-type", "of-two-types"]
    assert {f"/reach/{way}" for way in ways} <= set(found.asked)
    assert [path for path in found.asked if path.startswith("/never")] == []


async def test_what_robots_are_told(site: LoopbackSite, tmp_path: Path) -> None:
    found = await crawled(site, tmp_path, "/index/m")
    assert found.paths("/reach/") == ["/reach/of-noindex", "/reach/of-other-bot"]
    assert "/m/private" not in found.asked
    assert found.paths("/m/private") == []
    assert [path for path in found.asked if path.startswith("/never")] == []


def test_boxes_without_end_lose_nothing() -> None:
    root = parse_page(
        "<h1>Top</h1>"
        + "<div><span>" * 9000
        + "<p><a href=/x>deep</a></p>"
        + "</span></div>" * 9000
        + "<a href=/y>after</a>"
    )
    links = list(root.iter("a"))
    assert [link.get("href") for link in links] == ["/x", "/y"]
    assert sum(1 for _ in links[0].iterancestors()) <= DEEPEST_BOX + 4


@pytest.mark.parametrize(
    ("data", "header", "text"),
    [
        (b"\x93\x94\x80", "text/html; charset=ISO-8859-1", "“”€"),
        (b"\x93\x94\x80", "text/html; charset=latin1", "“”€"),
        ("①髙".encode("cp932"), "text/html; charset=Shift_JIS", "①髙"),
        ("똠".encode("cp949"), "text/html; charset=euc-kr", "똠"),
        ("<meta charset=utf-16le>ü".encode(), "text/html", "<meta charset=utf-16le>ü"),
        ("ü".encode("utf-16-le"), "text/html; charset=utf-16", "ü"),
        ("žluťoučký “kůň”".encode() + b" \xa9", "text/html; charset=utf-8", "žluťoučký “kůň” \ufffd"),
        ("žluťoučký “kůň”".encode() + b" \xa9", "text/html", "žluťoučký “kůň” \ufffd"),
        ("汉字简体页面".encode("gb18030") + b"\xff", "text/html; charset=gb2312", "汉字简体页面\ufffd"),
        (
            b"<!-- <meta charset=big5> --><meta charset=koi8-r>\xf3",
            "text/html",
            "<!-- <meta charset=big5> --><meta charset=koi8-r>С",
        ),
        (b'<?xml version="1.0" encoding="koi8-r"?>\xf3', "text/html", '<?xml version="1.0" encoding="koi8-r"?>С'),
        (b"a+/c", "text/html; charset=undefined", "a+/c"),
        (b"a+/c", "text/html; charset=utf-7", "a+/c"),
        (b"a\\u0041", "text/html; charset=unicode_escape", "a\\u0041"),
    ],
)
def test_names_of_encodings_mean_what_browsers_take_them_for(data: bytes, header: str, text: str) -> None:
    assert decode_html(data, header) == text
