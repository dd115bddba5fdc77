"""What a browser shows that a page's source does not hold."""

from __future__ import annotations

import re
from collections import Counter
from urllib.parse import urljoin

import msgspec
from lxml import etree

from memory.url_key import BadUrl, join_link, key_of
from perception.document.dom import Element, parse_page

TAKEN_AWAY = 0.2
"""Share of a source's words that a browser may leave out, before the page is doubted: consent texts and old-browser notes."""

_TEXTS = etree.XPath("//text()[not(ancestor::script or ancestor::style or ancestor::noscript or ancestor::template)]")
_LINKS = etree.XPath("//a/@href | //area/@href")
_SOURCES = etree.XPath("//img/@src | //source/@src | //video/@src | //audio/@src | //form/@action")
_BASE = etree.XPath("string(//base/@href)")
_NUMBERED = re.compile(r"[^\W_]*\d[^\W_]*")


class PageWords(msgspec.Struct, frozen=True, kw_only=True):
    """All words of a page, shown or not, and where it leads."""

    words: Counter[str]
    links: frozenset[str]
    """Keys of addresses."""


def words_of(html: str, url: str) -> PageWords:
    """Those of a page at an address."""
    root = parse_page(html)
    base = urljoin(url, _BASE(root)) if _BASE(root) else url
    words: Counter[str] = Counter()
    for text in _TEXTS(root):
        words.update(text.split())
    return PageWords(words=words, links=frozenset(_addresses(root, base)))


def difference_of(source: PageWords, rendered: PageWords, again: PageWords | None = None) -> str:
    """What the browser has that the source has not, in a few words; "" for nothing.

    `again` is the source fetched a second time: what looks like something that changed by itself (a clock, a counter, a token
    in a link) is no difference.
    """
    lost = rendered.words - source.words
    lost_links = rendered.links - source.links
    if again is not None:
        changing = {_shape(word) for word in (again.words - source.words)}
        lost = Counter({word: count for word, count in lost.items() if _shape(word) not in changing})
        moving = {_shape(link) for link in again.links - source.links}
        lost_links = frozenset(link for link in lost_links if _shape(link) not in moving)
    if lost:
        return f"{lost.total()} words that the source has not, such as {next(iter(lost))[:40]!r}"
    if lost_links:
        return f"{len(lost_links)} links that the source has not, such as {min(lost_links)[:80]}"
    gone = (source.words - rendered.words).total()
    if gone > TAKEN_AWAY * source.words.total():
        return f"{gone} words of the source are not in the page"
    return ""


def _addresses(root: Element, base: str) -> set[str]:
    found = set()
    for href in (*_LINKS(root), *_SOURCES(root)):
        if address := join_link(base, str(href)):
            try:
                found.add(str(key_of(address)))
            except BadUrl:
                continue
    return found


def _shape(word: str) -> str:
    """A word with whatever has a digit in it left open."""
    return _NUMBERED.sub("0", word)
