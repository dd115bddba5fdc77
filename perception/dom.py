"""Parsing: any text or bytes become a tree, however broken they are."""

from __future__ import annotations

import codecs
import re
from typing import Any

from charset_normalizer import from_bytes
from lxml import etree

Element = Any
"""An lxml HTML element; lxml ships no types."""

LONGEST_HTML = 12_000_000
"""Characters of one page that are read; what follows is left out. Ten megabytes of markup take about two seconds."""

_META_CHARSET = re.compile(rb"""<meta[^>]+charset\s*=\s*["']?\s*([a-zA-Z0-9_:.-]+)""", re.IGNORECASE)
_HEADER_CHARSET = re.compile(r"""charset\s*=\s*["']?([a-zA-Z0-9_:.-]+)""", re.IGNORECASE)
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_UNPARSABLE = re.compile("[\x00\ud800-\udfff]")


def parse_page(text: str) -> Element:
    """The root element of a page. Never fails: what is no HTML gives a page with an empty body."""
    data = _UNPARSABLE.sub("", text[:LONGEST_HTML]).encode()
    # Plain elements: the classes of lxml.html cost a third more for each element that is touched.
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
    try:
        root = etree.fromstring(data, parser=parser) if data.strip() else None
    except etree.XMLSyntaxError:
        root = None
    return root if root is not None else etree.fromstring(b"<html><body></body></html>", parser=parser)


def decode_html(data: bytes, content_type: str = "") -> str:
    """Bytes of a page as text: byte order mark, HTTP header, `<meta>`, then detection (WHATWG encoding sniffing order)."""
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    declared = [match.group(1) for match in [_HEADER_CHARSET.search(content_type)] if match]
    declared += [match.group(1).decode() for match in [_META_CHARSET.search(data[:4096])] if match]
    for name in (*declared, "utf-8"):
        try:
            # A page that says GB2312 means its superset, as browsers take it.
            return data.decode("gb18030" if name.lower() in ("gb2312", "gbk") else name)
        except (LookupError, UnicodeDecodeError):
            continue
    guess = from_bytes(data[:200_000]).best()
    return data.decode(guess.encoding if guess else "utf-8", "replace")
