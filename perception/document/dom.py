"""HTML parsing: any text or bytes give a tree, however malformed."""

from __future__ import annotations

import re
from collections.abc import Sequence
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
PARTS_AT_MOST = 12
"""Parts of a card; a line of highlighted code or of formulas has more."""
SENTENCE_WORDS = 3
"""Words from which what follows a name is a sentence of its own: "Java" and "Script" are one word."""
COPY_CHARS = 40
"""Of what a button that copies code says; more is code."""
_COPYING = re.compile(r"cop(?:y|ied)|clip", re.IGNORECASE)
_COPY_WORD = re.compile(r"\bcop(?:y|ied)|复制|複製|コピー|kopier|copier|copiar|copié", re.IGNORECASE)
_IN_HEAD = frozenset("base basefont bgsound link meta noframes noscript script style template title".split())
"""Elements that may stand in a head (HTML, section 13.2.6.4.4); any other begins the body, whose tag may be left out."""
_UNPARSABLE = re.compile("[\x00\ud800-\udfff]")
_RAISED = re.compile("[+\u2212-]?[0-9]{1,4}")
_TO_RAISED = str.maketrans("0123456789+-\u2212", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻")


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
    if root is None:
        return etree.fromstring(b"<html><body></body></html>", parser=parser)
    _begin_body(root)
    return root


def _begin_body(root: Element) -> None:
    """Move what the parser left in the head into the body: it knows no element newer than HTML 4 that begins one."""
    head = root.find("head")
    first = next((child for child in head if child.tag not in _IN_HEAD), None) if head is not None else None
    if first is None:
        return
    moved = [first, *first.itersiblings()]
    body = root.find("body")
    if body is None:
        body = etree.SubElement(root, "body")
    elif body.text:
        moved[-1].tail, body.text = (moved[-1].tail or "") + body.text, None
    body[:0] = moved


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


def raised_text(element: Element, before: Sequence[str]) -> str:
    """The text of a `sup` element up to its first child, given the fragments before it: a power in raised characters, for 2 to the
    power of 64 is not 264; the number of a footnote, which is a link, apart from a number before it."""
    text = element.text or ""
    if len(element) == 0 and element.getparent().tag != "a":
        return text.translate(_TO_RAISED) if _RAISED.fullmatch(text) else text
    is_in_number = bool(before) and before[-1][-1:].isdigit() and text_in(element)[:1].isdigit()
    return f" {text}" if is_in_number else text


def stands_apart(element: Element) -> bool:
    """Whether only style sets an inline element apart from the one right before it, as the name and the role on a card: both have a
    class and more than a letter, or a sentence follows what ends within a word; and the parent, of few parts, has no text of its own
    between them."""
    before, parent = element.getprevious(), element.getparent()
    if before is None or before.tail or not isinstance(before.tag, str):
        return False
    if len(parent) > PARTS_AT_MOST or any((part.tail or "").strip() for part in parent) or (parent.text or "").strip():
        return False
    name, text = text_in(before), text_in(element)
    if before.get("class") and element.get("class"):
        return len(name) > 1 and len(text) > 1
    joins = (name[-1:].islower() or name[-1:].isdigit()) and text[:1].isupper()
    return joins and len(name) > 1 and len(text.split()) >= SENTENCE_WORDS


def code_in(element: Element) -> str:
    """All text within a block of code but for what copies it, white space as it is."""
    if element.find(".//button") is None:
        whole = "".join(element.itertext())
        if _COPY_WORD.search(whole) is None:
            return whole
    pieces = [element.text or ""]
    walker = etree.iterwalk(element, events=("start", "end"))
    for event, inner in walker:
        if event == "end":
            pieces.append((inner.tail or "") if inner is not element else "")
        elif inner is not element and _copies(inner):
            walker.skip_subtree()
        elif inner is not element:
            pieces.append(inner.text or "")
    return "".join(pieces)


def _copies(element: Element) -> bool:
    """Whether an element is a button that copies the code around it."""
    if element.tag == "button" or element.get("role") == "button":
        return True
    if element.tag == "code":
        return False
    is_named = _COPYING.search(f"{element.get('class') or ''} {element.get('id') or ''}") is not None
    return is_named and len("".join(element.itertext())) <= COPY_CHARS
