"""From a response to a page: which responses are PDF files, the limits that apply to them, and why one gives no page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import urlsplit

import msgspec

from walker.pdf.pdf_html import PDF_TYPE, page_of
from walker.pdf.pdf_process import read_document_apart

MOST_BYTES = 20_000_000
_MAGIC = b"%PDF-"
_MAGIC_WITHIN = 1024
"""Bytes before which a file begins, as readers of PDF accept it."""
_PDF_TYPES = (PDF_TYPE, "application/x-pdf")
_UNNAMED = (
    "application/octet-stream",
    "binary/octet-stream",
    "application/x-download",
    "application/force-download",
)
"""Media types under which servers send files of any kind."""
_PDF_NAME = re.compile(r"\.pdf[\"']?\s*(?:;|$)", re.IGNORECASE)


class NoPdfPage(msgspec.Struct, frozen=True, kw_only=True):
    """Why a file gives no page; one line."""

    message: str


def may_be_pdf(status: int, url: str, headers: Mapping[str, str]) -> bool:
    """Whether a response is a PDF by its media type, or a file of unknown type that is named as one. Header names in lower case."""
    if not 200 <= status < 600 or status in (204, 205) or 300 <= status < 400:
        return False
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind in _PDF_TYPES:
        return True
    named = urlsplit(url).path.lower().endswith(".pdf") or _PDF_NAME.search(headers.get("content-disposition", ""))
    return kind in _UNNAMED and bool(named)


def too_large_pdf() -> NoPdfPage:
    """The failure of a file that is larger than `MOST_BYTES`."""
    return NoPdfPage(message=f"it is a PDF of more than {MOST_BYTES // 1_000_000} MB, the limit for one file")


async def pdf_as_page(data: bytes, url: str, *, seconds: float) -> str | NoPdfPage:
    """The page made from a file at a URL, of what could be read in about `seconds`."""
    if len(data) > MOST_BYTES:
        return too_large_pdf()
    if _MAGIC not in data[:_MAGIC_WITHIN]:
        return NoPdfPage(message="it is called a PDF, and is none")
    document = await read_document_apart(data, seconds=seconds)
    if document.problem:
        return NoPdfPage(message=f"it is a PDF that cannot be read: {document.problem}")
    return page_of(document, url)
