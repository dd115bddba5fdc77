"""HTML parsing: any text or bytes give a tree, however malformed."""

from __future__ import annotations

import re
from typing import Any

from lxml import etree

from perception.document.addresses import absolute_url

Element = Any
"""An lxml HTML element; lxml ships no types."""

LONGEST_HTML = 12_000_000
"""Characters of a page that are parsed; the rest is ignored. Ten megabytes of markup take about two seconds."""

DEEPEST_BOX = 400
"""Depth of nested elements; Chromium nests at most 512, libxml2 2,048."""
_BOX = re.compile(
    r"<(/?)(?:div|span|section|article|main|table|ul|ol|dl|center|blockquote|font|b|i|em|strong|u|small|big)\b[^>]*>",
    re.IGNORECASE,
)
_UNPARSABLE = re.compile("[\x00\ud800-\udfff]")


def parse_page(text: str, *, is_flat: bool = False) -> Element:
    """The root element of a page. Never fails: input that is not HTML gives a page with an empty body. `is_flat`: elements nested too
    deeply were removed already."""
    data = _UNPARSABLE.sub("", text[:LONGEST_HTML]).encode()
    # Plain elements: the classes of lxml.html cost a third more for each element that is touched.
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
    try:
        root = etree.fromstring(data, parser=parser) if data.strip() else None
    except etree.XMLSyntaxError:
        root = None
    if (error := parser.error_log.last_error) is not None and "Excessive depth" in error.message and not is_flat:
        # The parser drops everything after this point.
        return parse_page(_flattened(text), is_flat=True)
    return root if root is not None else etree.fromstring(b"<html><body></body></html>", parser=parser)


def _flattened(text: str) -> str:
    """The markup without the tags that are nested deeper than in any real page; their content is kept, as browsers do."""
    depth = 0

    def shallow(tag: re.Match[str]) -> str:
        nonlocal depth
        is_kept = depth <= DEEPEST_BOX
        depth = max(0, depth - 1) if tag[1] else depth + 1
        return tag[0] if is_kept and depth <= DEEPEST_BOX else " "

    return _BOX.sub(shallow, text)


def base_address(root: Element, url: str) -> str:
    """The base URL of a page: its own URL, or that of its `<base href>`."""
    base = root.find(".//base[@href]")
    return (absolute_url(url, base.get("href")) if base is not None else "") or url


def text_in(element: Element | None) -> str:
    """All text within an element, white space collapsed; "" for none."""
    return " ".join("".join(element.itertext()).split()) if element is not None else ""
