"""Compares a rendered page with its source."""

from __future__ import annotations

import re
from collections import Counter
from urllib.parse import urljoin

import msgspec
from lxml import etree

from memory.url_key import BadUrl, join_link, key_of
from perception.document.dom import Element, parse_page

TAKEN_AWAY = 0.2
"""Tolerated share of a source's words that are missing in the rendered page: consent texts and notes for old browsers."""

_TEXTS = etree.XPath("//text()[not(ancestor::script or ancestor::style or ancestor::noscript or ancestor::template)]")
_LINKS = etree.XPath("//a/@href | //area/@href")
_SOURCES = etree.XPath("//img/@src | //source/@src | //video/@src | //audio/@src | //form/@action")
_BASE = etree.XPath("string(//base/@href)")
_NUMBERED = re.compile(r"[^\W_]*\d[^\W_]*")


class PageWords(msgspec.Struct, frozen=True, kw_only=True):
    """All words of a page, visible or not, and its links."""

    words: Counter[str]
    links: frozenset[str]
    """URL keys."""


def words_of(html: str, url: str) -> PageWords:
    """Words and links of a page at this URL."""
    root = parse_page(html)
    base = urljoin(url, _BASE(root)) if _BASE(root) else url
    words: Counter[str] = Counter()
    for text in _TEXTS(root):
        words.update(text.split())
    return PageWords(words=words, links=frozenset(_addresses(root, base)))


def difference_of(source: PageWords, rendered: PageWords, again: PageWords | None = None) -> str:
    """The first difference of the rendered page from the source, in a few words; "" for none.

    `again` is the source fetched a second time, to ignore dynamic content (a clock, a counter, a token in a link).
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
    """A word with parts that contain digits replaced by a wildcard."""
    return _NUMBERED.sub("0", word)
