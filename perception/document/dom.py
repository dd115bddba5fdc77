"""HTML parsing: any text or bytes give a tree, however malformed."""

from __future__ import annotations

import codecs
import contextlib
import re
from typing import Any

from charset_normalizer import from_bytes
from lxml import etree

from perception.document.addresses import absolute_url

Element = Any
"""An lxml HTML element; lxml ships no types."""

LONGEST_HTML = 12_000_000
"""Characters of a page that are parsed; the rest is ignored. Ten megabytes of markup take about two seconds."""

_META_CHARSET = re.compile(rb"""<meta[^>]+charset\s*=\s*["']?\s*([a-zA-Z0-9_:.-]+)""", re.IGNORECASE)
XML_ENCODING = re.compile(rb"""\s*<\?xml[^>]*?\bencoding\s*=\s*["']([A-Za-z0-9._:-]+)""")
"""The encoding in an XML declaration."""
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_HEADER_CHARSET = re.compile(r"""charset\s*=\s*["']?([a-zA-Z0-9_:.-]+)""", re.IGNORECASE)
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
FOREIGN_FOR_WRONG = 4
"""Non-ASCII characters required for each undecodable byte, else another encoding is tried: one comment in a foreign encoding does
not make a page unreadable."""
_FOREIGN = re.compile("[^\x00-\x7f\ufffd]+")
DEEPEST_BOX = 400
"""Depth of nested elements; Chromium nests at most 512, libxml2 2,048."""
_BOX = re.compile(
    r"<(/?)(?:div|span|section|article|main|table|ul|ol|dl|center|blockquote|font|b|i|em|strong|u|small|big)\b[^>]*>",
    re.IGNORECASE,
)
COPY_CHARS = 40
"""Of what a button that copies code says; more is code."""
_COPYING = re.compile(r"cop(?:y|ied)|clip", re.IGNORECASE)
_COPY_WORD = re.compile(r"\bcop(?:y|ied)|复制|複製|コピー|kopier|copier|copiar|copié", re.IGNORECASE)
_MEANT = {
    **dict.fromkeys("gb2312 gbk gb_2312-80 x-gbk chinese csgb2312".split(), "gb18030"),
    **dict.fromkeys("iso-8859-1 iso8859-1 iso_8859-1 latin1 latin-1 l1 x-cp1252".split(), "windows-1252"),
    **dict.fromkeys("iso-8859-9 iso8859-9 latin5 l5".split(), "windows-1254"),
    **dict.fromkeys("iso-8859-11 tis-620 dos-874".split(), "cp874"),
    **dict.fromkeys("shift_jis shift-jis sjis x-sjis ms_kanji windows-31j".split(), "cp932"),
    **dict.fromkeys("euc-kr ks_c_5601-1987 ksc5601 korean windows-949".split(), "cp949"),
    **dict.fromkeys("big5 big5-hkscs x-x-big5 cn-big5".split(), "big5hkscs"),
    "x-euc-jp": "euc_jp",
    "unicode": "utf-16-le",
    "utf-16": "utf-16-le",
    "logical": "iso-8859-8",
}
"""Encoding labels to the encoding that browsers use for them (WHATWG Encoding, section 4.2)."""
_NO_ENCODINGS = frozenset(
    "undefined idna punycode unicode_escape raw_unicode_escape utf_7 utf7 unicode_1_1_utf_7 u7".split()
)
"""Names that are codecs in Python but no encoding labels in a browser."""
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


def codec_named(name: str) -> str:
    """The Python codec for an encoding label, as browsers resolve the label; "" if it is not a text encoding.

    >>> codec_named("latin1"), codec_named("undefined"), codec_named("base64")
    ('windows-1252', '', '')
    """
    meant = _MEANT.get(name.lower(), name)
    try:
        with contextlib.suppress(UnicodeError):
            b"a".decode(meant)
    except LookupError:
        return ""
    return "" if meant.lower().replace("-", "_") in _NO_ENCODINGS else meant


def base_address(root: Element, url: str) -> str:
    """The base URL of a page: its own URL, or that of its `<base href>`."""
    base = root.find(".//base[@href]")
    return (absolute_url(url, base.get("href")) if base is not None else "") or url


def text_in(element: Element | None) -> str:
    """All text within an element, white space collapsed; "" for none."""
    return " ".join("".join(element.itertext()).split()) if element is not None else ""


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


def decode_html(data: bytes, content_type: str = "") -> str:
    """Bytes of a page as text: byte order mark, HTTP header, `<meta>`, then detection (WHATWG encoding sniffing order)."""
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    declared = [match.group(1) for match in [_HEADER_CHARSET.search(content_type)] if match]
    within = XML_ENCODING.match(data[:256]) or _META_CHARSET.search(_COMMENT.sub(b"", data[:4096]))
    # A declaration that is readable as ASCII rules out UTF-16.
    declared += [re.sub(r"(?i)^utf-?16.*", "utf-8", within[1].decode())] if within else []
    encodings = [encoding for name in (*declared, "utf-8") if (encoding := codec_named(name))]
    for encoding in encodings:
        with contextlib.suppress(UnicodeDecodeError):
            return data.decode(encoding)
    for encoding in encodings:
        text = data.decode(encoding, "replace")
        if sum(map(len, _FOREIGN.findall(text))) >= FOREIGN_FOR_WRONG * text.count("\ufffd"):
            return text
    guess = from_bytes(data[:200_000]).best()
    return data.decode(guess.encoding if guess else "utf-8", "replace")
