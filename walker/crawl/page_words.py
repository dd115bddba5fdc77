"""Visible text of a page, fast: line breaks go where blocks end, and lxml writes the text out."""

from __future__ import annotations

import re
from functools import lru_cache

import msgspec
from lxml import etree

from perception.dom import Element
from perception.tags import BLOCKS, region_of
from perception.visible import without_unseen

FEW_WORDS = 10
"""A main part with fewer is none: then the whole page is."""

_UNREAD = ("script", "style", "noscript", "template", "head", "svg", "datalist", "object", "textarea", "select")
_LINES = (*sorted(BLOCKS), "br", "option")
_PERHAPS_HIDDEN = etree.XPath("//*[@data-walker-hidden or @hidden or @style]")
_HIDING_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_MARGIN_TAGS = ("nav", "aside", "footer", "header", "div", "ul", "section", "table")
_HAN = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]")


class PageWords(msgspec.Struct, frozen=True, kw_only=True):
    """Text in lines: blocks, rows of tables, entries of lists. White space is collapsed within them."""

    whole: str
    main: str
    """Without navigation, margins and foot; the whole where little else is there."""

    @property
    def count(self) -> int:
        """Words, where Chinese, Japanese and Korean characters are one each."""
        han = 0 if self.whole.isascii() else len(_HAN.findall(self.whole))
        return len(self.whole.split() if not han else _HAN.sub(" ", self.whole).split()) + han


def take_words(root: Element, html: str) -> PageWords:
    """Text of a parsed page. The tree is used up: what is not shown or not text is removed from it."""
    body = root.find("body")
    body = body if body is not None else root
    drop_unread(body, html)
    for element in body.iter(*_LINES):
        if element.tag in ("td", "th"):
            element.tail = f" {element.tail or ''}"
            continue
        element.text = f"\n{element.text or ''}"
        element.tail = f"\n{element.tail or ''}"
    whole = _lines(body)
    drop_margins(body)
    main = _lines(body)
    return PageWords(whole=whole, main=main if len(main.split()) >= FEW_WORDS or len(main) > len(whole) // 2 else whole)


def drop_unread(body: Element, html: str) -> None:
    """Take out what is no text for a reader, and what is not shown. `html` is the page's markup: most have nothing to look for."""
    etree.strip_elements(body, *_UNREAD, with_tail=False)
    lower = html.lower()
    if "hidden" not in lower and "display" not in lower:
        return
    for element in _PERHAPS_HIDDEN(body):
        attributes = element.attrib
        if (
            "data-walker-hidden" in attributes
            or "hidden" in attributes
            or _HIDING_STYLE.search(attributes.get("style") or "")
        ):
            drop(element)


def drop_margins(body: Element) -> None:
    """Take out navigation, margins and foot, by tags, roles and the usual names."""
    for element in list(body.iter(*_MARGIN_TAGS)):
        attributes = element.attrib
        if not _is_margin(
            element.tag, attributes.get("role") or "", attributes.get("id") or "", attributes.get("class") or ""
        ):
            continue
        if next(element.iter("h1", "main"), None) is None:
            drop(element)


@lru_cache(maxsize=1 << 13)
def _is_margin(tag: str, role: str, name: str, classes: str) -> bool:
    return region_of(tag, role, f"{name} {classes}", "main") in ("nav", "aside", "footer")


def drop(element: Element) -> None:
    """Take an element out and leave what follows it."""
    parent = element.getparent()
    if parent is None:
        return
    if element.tail:
        before = element.getprevious()
        if before is not None:
            before.tail = (before.tail or "") + element.tail
        else:
            parent.text = (parent.text or "") + element.tail
    parent.remove(element)


def _lines(body: Element) -> str:
    written = etree.tostring(body, method="text", encoding="unicode", with_tail=False)
    if not written.isascii():
        written = without_unseen(written)
    return "\n".join([line for one in written.split("\n") if (line := " ".join(one.split()))])
