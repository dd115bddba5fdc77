"""Lenient decoding of robots.txt and sitemaps to text, and to XML that a parser accepts."""

from __future__ import annotations

import codecs
import re
from html.entities import html5

from perception.encodings import XML_ENCODING, codec_named

_HEAD_BYTES = 256
"""Bytes within which an XML declaration ends."""
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (b"<\0", "utf-16-le"),
    (b"\0<", "utf-16-be"),
)
_LITERAL_START, _LITERAL_END = "<![CDATA[", "]]>"
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_AMPERSAND = re.compile(r"&(?:#([0-9]{1,7}|[xX][0-9A-Fa-f]{1,6});|([A-Za-z][A-Za-z0-9]{1,31});)?")
_UNSURE = re.compile(r"[<&\]]")
_UNSURE_CHARS = 33
"""Longest byte order mark or character reference."""
_OF_XML = frozenset(("amp", "lt", "gt", "quot", "apos"))


class SiteText:
    """Incremental decoder: detects the encoding from the bytes, whatever is declared; removes characters that XML forbids; escapes
    every bare `&`, the most frequent fault of sitemaps."""

    def __init__(self) -> None:
        self._head = b""
        self._decoder: codecs.IncrementalDecoder | None = None
        self._held = ""
        self._is_literal = False

    def read(self, piece: bytes, *, is_last: bool = False) -> str:
        """The text decoded so far."""
        if self._decoder is None:
            piece, self._head = self._head + piece, b""
            if not is_last and not _tells_encoding(piece):
                self._head = piece
                return ""
            self._decoder = codecs.getincrementaldecoder(_encoding_of(piece))("replace")
        return _FORBIDDEN.sub("", self._decoder.decode(piece, is_last))

    def read_xml(self, text: str, *, is_last: bool = False) -> str:
        """Decoded text, made well-formed."""
        text, self._held = self._held + text, ""
        unsure = None if is_last else _UNSURE.search(text, max(0, len(text) - _UNSURE_CHARS))
        if unsure:
            text, self._held = text[: unsure.start()], text[unsure.start() :]
        done = []
        start = 0
        while start < len(text):
            mark = _LITERAL_END if self._is_literal else _LITERAL_START
            found = text.find(mark, start)
            end = len(text) if found < 0 else found + len(mark)
            done.append(text[start:end] if self._is_literal else _AMPERSAND.sub(_reference, text[start:end]))
            self._is_literal ^= found >= 0
            start = end
        return "".join(done)


def _tells_encoding(head: bytes) -> bool:
    start = head.lstrip()
    if len(start) < len(b"<?xml"):
        return len(head) > _HEAD_BYTES
    return not start.startswith(b"<?xml") or b"?>" in start or len(start) > _HEAD_BYTES


def _encoding_of(head: bytes) -> str:
    for mark, encoding in _BOMS:
        if head.startswith(mark):
            return encoding
    declared = XML_ENCODING.match(head)
    # A declaration that is readable as ASCII rules out UTF-16.
    name = declared[1].decode() if declared else ""
    return "utf-8" if name.lower().startswith("utf-16") else codec_named(name) or "utf-8"


def _reference(match: re.Match[str]) -> str:
    number, name = match[1], match[2]
    if number:
        code = int("0" + number.lower(), 16) if number[0] in "xX" else int(number)
        return match[0] if code < 0x110000 and not _FORBIDDEN.match(chr(code)) else "\ufffd"
    if name in _OF_XML:
        return match[0]
    if name and (meant := html5.get(f"{name};")):
        return meant
    return "&amp;" + match[0][1:]
