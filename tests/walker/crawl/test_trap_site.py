"""The trap site itself: its real pages are what it says, and its traps never end."""

from __future__ import annotations

import re
import urllib.request
from urllib.parse import urljoin

import pytest
from lxml import etree

from tests.sites.traps import TRAPS, Shape, serve_traps, truth


def links_of(address: str) -> list[str]:
    with urllib.request.urlopen(address, timeout=60) as answer:
        root = etree.fromstring(answer.read(), parser=etree.HTMLParser(encoding="utf-8"))
        found = [urljoin(answer.url, href) for href in root.xpath("//a/@href")]
        found += [urljoin(answer.url, text.split("url=")[1]) for text in root.xpath("//meta[@http-equiv]/@content")]
    return list(dict.fromkeys(found))


def test_the_usual_shape_has_120_pages_and_90_items() -> None:
    assert len(set(truth().pages)) == len(truth().pages) == 120
    assert len({item.name for item in truth().items}) == 90


def test_every_real_page_is_reached_and_nothing_else() -> None:
    with serve_traps(traps=()) as site:
        seen, waiting = {site.address + "/"}, [site.address + "/"]
        while waiting:
            for link in links_of(waiting.pop()):
                if link not in seen:
                    seen.add(link)
                    waiting.append(link)
        assert {url.removeprefix(site.address) for url in seen} == set(site.truth().pages)
        assert set(site.counts()) == {"real"}


@pytest.mark.parametrize("name", TRAPS)
def test_a_trap_never_ends(name: str) -> None:
    with serve_traps(traps=(name,)) as site:
        start = site.address + TRAPS[name].entry
        assert start in links_of(site.address + "/")
        seen, waiting = {start}, [start]
        for _ in range(60):
            for link in links_of(waiting.pop(0)):
                inside = re.match(rf"{site.address}/({'|'.join(TRAPS[name].prefixes)})(?=[/?]|$)", link)
                if inside and link not in seen:
                    seen.add(link)
                    waiting.append(link)
        assert waiting
        assert site.counts()[name] >= 60
        assert site.counts()["missing"] == 0


def test_a_trap_that_is_off_is_not_there() -> None:
    with serve_traps(traps=("calendar",)) as site:
        assert site.address + TRAPS["mirror"].entry not in links_of(site.address + "/")
        assert site.page_at("/mirror/00112233445566aa").status == 404
        site.traps = frozenset()
        assert site.page_at("/calendar/2026/11").status == 404


def test_shapes_grow() -> None:
    assert len(truth(Shape(pages=200, chapters=300)).pages) == 5 + 5 * 200 + 5 * 200 * 6 + 300
