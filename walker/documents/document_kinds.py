"""Which responses are files that become pages: by their media type, and by their name where the type does not tell."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal
from urllib.parse import unquote, urlsplit

import msgspec

from walker.pdf.pdf_html import PDF_TYPE

Reader = Literal["pdf", "office", "csv", "tsv", "markdown", ""]


class DocumentKind(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of files."""

    name: str
    """With its article: "an Excel file"."""
    type: str
    """Media type of the page that is made from one."""
    reader: Reader
    """Who reads it, "" where nobody does."""


_OPEN_XML = "application/vnd.openxmlformats-officedocument."
_WITH_MACROS = "macroenabled.12"
_ODF = "application/vnd.oasis.opendocument."
_WORD = DocumentKind(name="a Word file", type=f"{_OPEN_XML}wordprocessingml.document", reader="office")
_EXCEL = DocumentKind(name="an Excel file", type=f"{_OPEN_XML}spreadsheetml.sheet", reader="office")
_SLIDES = DocumentKind(name="a PowerPoint file", type=f"{_OPEN_XML}presentationml.presentation", reader="office")
_ODT = DocumentKind(name="an OpenDocument text", type=f"{_ODF}text", reader="office")
_ODS = DocumentKind(name="an OpenDocument workbook", type=f"{_ODF}spreadsheet", reader="office")
_ODP = DocumentKind(name="an OpenDocument presentation", type=f"{_ODF}presentation", reader="office")
PDF = DocumentKind(name="a PDF", type=PDF_TYPE, reader="pdf")
_CSV = DocumentKind(name="a CSV file", type="text/csv", reader="csv")
_TSV = DocumentKind(name="a file of tab-separated values", type="text/tab-separated-values", reader="tsv")
_MARKDOWN = DocumentKind(name="a Markdown file", type="text/markdown", reader="markdown")
_OLD_WORD = DocumentKind(name="a Word file of the old binary form (.doc)", type="application/msword", reader="")
_OLD_EXCEL = DocumentKind(
    name="an Excel file of the old binary form (.xls)", type="application/vnd.ms-excel", reader=""
)
_OLD_SLIDES = DocumentKind(
    name="a PowerPoint file of the old binary form (.ppt)", type="application/vnd.ms-powerpoint", reader=""
)
_BINARY = DocumentKind(
    name="an Excel file in binary form (.xlsb)", type="application/vnd.ms-excel.sheet.binary.macroenabled.12", reader=""
)
_BY_ENDING: dict[str, DocumentKind] = {
    ".pdf": PDF,
    **dict.fromkeys((".docx", ".docm", ".dotx", ".dotm"), _WORD),
    **dict.fromkeys((".xlsx", ".xlsm", ".xltx", ".xltm"), _EXCEL),
    **dict.fromkeys((".pptx", ".pptm", ".ppsx", ".ppsm", ".potx", ".potm"), _SLIDES),
    **dict.fromkeys((".odt", ".ott"), _ODT),
    **dict.fromkeys((".ods", ".ots"), _ODS),
    **dict.fromkeys((".odp", ".otp"), _ODP),
    ".csv": _CSV,
    **dict.fromkeys((".tsv", ".tab"), _TSV),
    **dict.fromkeys((".md", ".markdown"), _MARKDOWN),
    ".doc": _OLD_WORD,
    ".xls": _OLD_EXCEL,
    ".xlsb": _BINARY,
    **dict.fromkeys((".ppt", ".pps"), _OLD_SLIDES),
}
_BY_TYPE: dict[str, DocumentKind] = {
    **{kind.type: kind for kind in _BY_ENDING.values()},
    "application/x-pdf": PDF,
    f"{_OPEN_XML}wordprocessingml.template": _WORD,
    f"{_OPEN_XML}spreadsheetml.template": _EXCEL,
    f"{_OPEN_XML}presentationml.template": _SLIDES,
    f"{_OPEN_XML}presentationml.slideshow": _SLIDES,
    **{
        f"application/vnd.ms-{program}.{use}.{_WITH_MACROS}": kind
        for program, uses, kind in (
            ("word", ("document", "template"), _WORD),
            ("excel", ("sheet", "template"), _EXCEL),
            ("powerpoint", ("presentation", "template", "slideshow"), _SLIDES),
        )
        for use in uses
    },
    f"{_ODF}text-template": _ODT,
    f"{_ODF}spreadsheet-template": _ODS,
    f"{_ODF}presentation-template": _ODP,
    "application/csv": _CSV,
    "text/comma-separated-values": _CSV,
    "text/x-markdown": _MARKDOWN,
}
DOCUMENT_TYPES = frozenset(kind.type for kind in _BY_ENDING.values())
"""Media types of pages that were made from a file."""
_UNNAMED = (
    "application/octet-stream",
    "binary/octet-stream",
    "application/x-download",
    "application/force-download",
    "application/zip",
    "application/x-zip-compressed",
    *(kind.type for kind in (_OLD_WORD, _OLD_EXCEL, _OLD_SLIDES)),
)
"""Media types under which servers send files of any kind: those of the old forms are given to new files and to CSV too."""
_OF_TEXT = ("csv", "tsv", "markdown")
_ENDING = re.compile(r"\.[a-z]{2,8}$")
_FILE_NAME = re.compile(r"filename\*?\s*=\s*(?:[\w-]+'[\w-]*')?\"?([^\";]+)", re.IGNORECASE)


def document_kind(status: int, url: str, headers: Mapping[str, str]) -> DocumentKind | None:
    """What file a response brings, None for a page and for any other file. Names of headers in lower case."""
    if not 200 <= status < 600 or status in (204, 205) or 300 <= status < 400:
        return None
    media = headers.get("content-type", "").partition(";")[0].strip().lower()
    named = _named(url, headers)
    if media in _UNNAMED:
        return named or _BY_TYPE.get(media)
    if media == "text/plain":
        return named if named is not None and named.reader in _OF_TEXT else None
    return _BY_TYPE.get(media)


def _named(url: str, headers: Mapping[str, str]) -> DocumentKind | None:
    """What a file is by its name: that which its server gives it, else that of its address."""
    given = _FILE_NAME.search(headers.get("content-disposition", ""))
    for name in (unquote(given[1]).strip() if given else "", urlsplit(url).path):
        ending = _ENDING.search(name.lower())
        if ending and ending[0] in _BY_ENDING:
            return _BY_ENDING[ending[0]]
    return None
