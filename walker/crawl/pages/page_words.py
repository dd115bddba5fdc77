"""Fast extraction of visible text: line breaks are inserted at block ends, and lxml serialises the text."""

from __future__ import annotations

import re
from functools import lru_cache

import msgspec
from lxml import etree

from perception.document.dom import Element
from perception.document.regions.regions import names_margin
from perception.document.tags import BLOCKS
from perception.document.visible import without_unseen

FEW_WORDS = 10
"""Least words of the main content; with fewer, the whole page is the main content."""

# Not the head: without a `<body>` tag the parser leaves unknown elements such as `<main>` there.
_UNREAD = ("script", "style", "noscript", "template", "title", "svg", "datalist", "object", "textarea", "select")
_LINES = (*sorted(BLOCKS), "br", "option")
_HIDDEN_BY = {
    "data-walker-hidden": etree.XPath("//*[@data-walker-hidden]"),
    " hidden": etree.XPath("//*[@hidden]"),
    "display:": etree.XPath("//*[@style]"),
    "visibility:": etree.XPath("//*[@style]"),
}
"""Substrings of markup that hides elements, and the XPath to run then; checking every element costs as much as all links."""
_HIDING_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_MARGIN_TAGS = ("nav", "aside", "footer", "header", "div", "ul", "section", "table")
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_HAN = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]")


class PageWords(msgspec.Struct, frozen=True, kw_only=True):
    """Text in lines: blocks, table rows, list items. White space is collapsed within them."""

    whole: str
    main: str
    """Text without navigation, asides and footer; all text if little else is left."""

    @property
    def count(self) -> int:
        """Word count; each Chinese, Japanese or Korean character counts as a word."""
        han = 0 if self.whole.isascii() else len(_HAN.findall(self.whole))
        return len(self.whole.split() if not han else _HAN.sub(" ", self.whole).split()) + han


def take_words(root: Element, html: str) -> PageWords:
    """Text of a parsed page. Consumes the tree: invisible and non-text elements are removed from it."""
    drop_unread(root, html)
    for element in root.iter(*_LINES):
        try:
            if element.tag in ("td", "th"):
                element.tail = f" {element.tail or ''}"
                continue
            element.text = f"\n{element.text or ''}"
            element.tail = f"\n{element.tail or ''}"
        except ValueError:  # lxml parses control characters (`&#31;`) that it refuses to serialise
            element.text, element.tail = f"\n{_sound(element.text)}", f"\n{_sound(element.tail)}"
    whole = _lines(root)
    drop_margins(root)
    main = _lines(root)
    return PageWords(whole=whole, main=main if len(main.split()) >= FEW_WORDS or len(main) > len(whole) // 2 else whole)


def drop_unread(root: Element, html: str) -> None:
    """Remove non-text and invisible elements. `html` is the page's markup, searched first as a pre-filter."""
    etree.strip_elements(root, *_UNREAD, with_tail=False)
    for name, find in _HIDDEN_BY.items():
        if name not in html:
            continue
        for element in find(root):
            if not name.endswith(":") or _HIDING_STYLE.search(element.get("style") or ""):
                drop(element)


def drop_margins(root: Element) -> None:
    """Remove navigation, asides and footer, by tags, roles and conventional class names."""
    for element in list(root.iter(*_MARGIN_TAGS)):
        attributes = element.attrib
        if not _is_margin(
            element.tag, attributes.get("role") or "", attributes.get("id") or "", attributes.get("class") or ""
        ):
            continue
        if next(element.iter("h1", "main"), None) is None:
            drop(element)


@lru_cache(maxsize=1 << 13)
def _is_margin(tag: str, role: str, name: str, classes: str) -> bool:
    return names_margin(tag, role, f"{name} {classes}")


def drop(element: Element) -> None:
    """Remove an element and keep the text after it."""
    parent = element.getparent()
    if parent is None:
        return
    if element.tail:
        before = element.getprevious()
        if before is not None:
            before.tail = _sound(before.tail) + _sound(element.tail)
        else:
            parent.text = _sound(parent.text) + _sound(element.tail)
    parent.remove(element)


def _sound(text: str | None) -> str:
    return _UNWRITABLE.sub(" ", text) if text else ""


def _lines(root: Element) -> str:
    written = etree.tostring(root, method="text", encoding="unicode", with_tail=False)
    if not written.isascii():
        written = without_unseen(written)
    return "\n".join([line for one in written.split("\n") if (line := " ".join(one.split()))])
