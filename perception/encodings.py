"""The text of a page's bytes, in the encoding that a browser takes for it (WHATWG Encoding; HTML, section 13.2.3.2)."""

from __future__ import annotations

import codecs
import contextlib
import re

import chardetng_py
import webencodings

XML_ENCODING = re.compile(rb"""\s*<\?xml[^>]*?\bencoding\s*=\s*["']([A-Za-z0-9._:-]+)""")
"""The encoding in an XML declaration."""
HEAD_BYTES = 65_536
"""Bytes in which a `<meta>` is looked for. Browsers read 1,024 ahead, and begin again where one comes later."""
SAMPLE_BYTES = 200_000
"""Bytes from which an encoding that nobody declares is guessed."""
FOREIGN_FOR_WRONG = 4
"""Non-ASCII characters required for each undecodable byte, else another encoding is tried: one comment in a foreign encoding does
not make a page unreadable."""

_META_CHARSET = re.compile(rb"""<meta[^>]+charset\s*=\s*["']?\s*([a-zA-Z0-9_:.-]+)""", re.IGNORECASE)
_HEADER_CHARSET = re.compile(r"""charset\s*=\s*["']?([a-zA-Z0-9_:.-]+)""", re.IGNORECASE)
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_BODY = re.compile(rb"<body[\s>]", re.IGNORECASE)
_LANGUAGE = re.compile(rb"""<html[^>]*\slang\s*=\s*["']?\s*([a-zA-Z]{2,3}(?:-[a-zA-Z]{2,4})*)""", re.IGNORECASE)
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_FOREIGN = re.compile("[^\x00-\x7f\ufffd]+")
_CODECS = {"gbk": "gb18030", "x-user-defined": "windows-1252"}
"""Codecs that differ from the name of the encoding: browsers read both as these (Encoding, section 10.1.1; HTML, section 13.2.3.2)."""
_REPLACED = {"iso-2022-kr": "iso2022_kr", "csiso2022kr": "iso2022_kr", "hz-gb-2312": "hz"}
"""Encodings that browsers show as a replacement character. Nothing runs here, so that the text may be read."""
_ASCII = frozenset("ascii us-ascii ansi_x3.4-1968 iso-ir-6".split())
"""Labels that browsers take for windows-1252; a page that has more than ASCII under them is likelier to be in UTF-8."""
_HUNGARIAN = frozenset("áéíóöúüõû")
"""Its letters, of which windows-1252 has others in the places of ő and ű."""
_ACUTE = frozenset("áíóú")
_DOUBLE_ACUTE = re.compile("õ(?=[^\\Weo])|û(?=\\w)|(?<=\\w)[õû]\\b", re.IGNORECASE)
"""What stands for ő and ű, and is no õ of Portuguese (õe, õo in old spelling). French has û, but none of the letters above."""
_ROMANIAN = frozenset("ăâîșțéöüáó")
"""Its letters, and those of names that stand in its texts."""
_ROMANIAN_QUOTE = re.compile(rb"\xa5[A-Za-z\xaa\xba\xde\xfe\xce\xee][^\xa5\xb5]{1,300}\xb5")
"""A quotation in ISO 8859-16, whose quotation marks are letters in the others."""
_COUNTRY = dict(
    pair.split(":")
    for pair in """
    ar:eg be:by ca:es cs:cz cy:uk da:dk el:gr en:com et:ee eu:es fa:ir ga:ie gl:es he:il ja:jp kk:kz ko:kr nb:no nn:no
    pt-br:br sl:si sq:al sr:rs sv:se uk:ua vi:vn zh:cn zh-hant:tw zh-hk:hk zh-tw:tw
    """.split()
)
"""Top-level domains where a language is written, for those whose own code is another domain or none."""


def decode_html(data: bytes, content_type: str = "") -> str:
    """Bytes of a page as text. Its encoding is that of the byte order mark, the HTTP header or the `<meta>`; where none is declared or
    the bytes are not in it, UTF-8 if they are, else the likeliest for the letters' frequencies and the page's `lang`."""
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    declared = [match.group(1) for match in [_HEADER_CHARSET.search(content_type)] if match]
    within = XML_ENCODING.match(data[:256]) or _META_CHARSET.search(_head(data))
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
    return data.decode(_guessed(data), "replace")


def codec_named(label: str) -> str:
    """The Python codec for an encoding label, as browsers resolve the label; "" if it is none.

    >>> codec_named("latin1"), codec_named("undefined"), codec_named("base64")
    ('cp1252', '', '')
    """
    encoding = webencodings.lookup(label)
    if encoding is None:
        return ""
    if label.strip().lower() in _ASCII:
        return "ascii"
    if encoding.name == "replacement":
        return _REPLACED.get(label.strip().lower(), "")
    codec: str = encoding.codec_info.name
    return _CODECS.get(encoding.name, codec)


def _head(data: bytes) -> bytes:
    body = _BODY.search(data, 0, HEAD_BYTES)
    return _COMMENT.sub(b"", data[: body.start() if body else HEAD_BYTES])


def _guessed(data: bytes) -> str:
    """Python's name of the likeliest encoding: Firefox's detector, told the language of the page as if it were its country."""
    declared = _LANGUAGE.search(data[:HEAD_BYTES])
    language = declared[1].decode().lower() if declared else ""
    main = language.partition("-")[0]
    country = _COUNTRY.get(language) or _COUNTRY.get(main) or main or "com"
    sample = data[:SAMPLE_BYTES]
    guess = _corrected(chardetng_py.detect(sample, tld=country.encode()), sample)
    return codec_named(guess) or guess


def _corrected(guess: str, sample: bytes) -> str:
    """A guess of the detector, which knows neither short texts in Hungarian nor the Romanian encoding with quotation marks."""
    if guess == "windows-1252":
        text = sample.decode("cp1252", "replace")
        letters = {letter for letter in text.lower() if letter > "\x7f" and letter.isalpha()}
        is_hungarian = letters <= _HUNGARIAN and bool(letters & _ACUTE) and _DOUBLE_ACUTE.search(text) is not None
        return "windows-1250" if is_hungarian else guess
    if guess.lower() in ("windows-1250", "iso-8859-2") and _ROMANIAN_QUOTE.search(sample):
        letters = {letter for letter in sample.decode("iso8859-16").lower() if letter > "\x7f" and letter.isalpha()}
        return "iso-8859-16" if letters <= _ROMANIAN else guess
    return guess
