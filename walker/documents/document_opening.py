"""From a file to a page: the limits that apply, and why one gives no page."""

from __future__ import annotations

import msgspec

from walker.documents.document_kinds import DocumentKind
from walker.office.office_html import page_of as page_of_office
from walker.office.office_process import read_office_apart
from walker.pdf.pdf_html import page_of as page_of_pdf
from walker.pdf.pdf_process import read_document_apart

MOST_BYTES = 20_000_000
_PDF_MAGIC, _PDF_WITHIN = b"%PDF-", 1024
"""Bytes before which a PDF begins, as its readers accept it."""


class NoDocument(msgspec.Struct, frozen=True, kw_only=True):
    """Why a file gives no page; one line."""

    message: str


def too_large(kind: DocumentKind) -> NoDocument:
    """The failure of a file that is larger than `MOST_BYTES`."""
    return NoDocument(message=f"it is {kind.name} of more than {MOST_BYTES // 1_000_000} MB, the limit for one file")


async def document_as_page(
    kind: DocumentKind, data: bytes, url: str, *, seconds: float, content_type: str = ""
) -> str | NoDocument:
    """The page made from a file at a URL, of what could be read in about `seconds`. `content_type` is the header of its response,
    which may name the encoding of a text."""
    if not kind.reader:
        return NoDocument(message=f"it is {kind.name}, which is not read")
    if len(data) > MOST_BYTES:
        return too_large(kind)
    if kind.reader == "pdf":
        if _PDF_MAGIC not in data[:_PDF_WITHIN]:
            return NoDocument(message="it is called a PDF, and is none")
        pages = await read_document_apart(data, seconds=seconds)
        return _unread(kind, pages.problem) if pages.problem else page_of_pdf(pages, url)
    document = await read_office_apart(kind.reader, data, content_type, seconds=seconds)
    return _unread(kind, document.problem) if document.problem else page_of_office(document, url)


def _unread(kind: DocumentKind, problem: str) -> NoDocument:
    return NoDocument(message=f"it is {kind.name} that cannot be read: {problem}")
