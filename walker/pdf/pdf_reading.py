"""A PDF file to a document of pages, within limits; run as a module it parses one file in a process of its own."""

from __future__ import annotations

import io
import logging
import re
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pypdf
from pypdf.errors import PyPdfError

from walker.parsing.process_limits import limit_process
from walker.pdf.damage import UNEXPECTED
from walker.pdf.pdf_blocks import blocks_of, body_size, words_of
from walker.pdf.pdf_document import PdfDocument, PdfLink, PdfPage
from walker.pdf.pdf_lines import PdfLine, PdfPiece, PieceCollector, clean, lines_of

PAGES_AT_MOST = 300
CHARS_AT_MOST = 2_000_000
LINKS_A_PAGE = 200
PICTURES_AT_MOST = 3
PICTURE_BYTES = 2_000_000
"""Largest picture of a page that is handed on to be read by OCR."""
TITLE_CHARS = 200
_PROGRAM = re.compile(r"^Microsoft (?:Office )?(?:Word|PowerPoint|Excel) - ")
_FILE_NAME = re.compile(r"\.[A-Za-z]{3,5}$")
_DAMAGE = (PyPdfError, *UNEXPECTED)


class _RawPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page before its lines were put together, for which the whole file must be known."""

    lines: tuple[PdfLine, ...]
    links: tuple[PdfLink, ...]
    picture: bytes = b""


def read_document(data: bytes, *, seconds: float = 8.0, most_pages: int = PAGES_AT_MOST) -> PdfDocument:
    """The pages that could be read in about `seconds` of processor time: a busy machine reads no fewer. A file that is damaged, or
    protected by a password, gives a `problem`."""
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    until = time.process_time() + seconds
    try:
        reader = pypdf.PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            return PdfDocument(problem="it is protected by a password")
        count = len(reader.pages)
        title = _title(reader)
        language = str(reader.root_object.get("/Lang", ""))[:20]
    except (*_DAMAGE, NotImplementedError) as error:
        return PdfDocument(problem=f"it is damaged ({type(error).__name__})")
    pages, cut = _read_pages(reader, min(count, most_pages), until)
    if not pages:
        return PdfDocument(problem=cut or "it has no pages", pages_in_all=count)
    if not cut and count > most_pages:
        cut = f"files are read up to page {most_pages}"
    all_lines = [page.lines for page in pages]
    body, words = body_size(all_lines), words_of(all_lines)
    return PdfDocument(
        title=title,
        language=language,
        pages=tuple(
            PdfPage(blocks=blocks_of(page.lines, body, words), links=page.links, picture=page.picture) for page in pages
        ),
        pages_in_all=count,
        cut=cut,
    )


def _title(reader: pypdf.PdfReader) -> str:
    """The title that the file states, "" for none and for the name of the file that it was made from."""
    stated = " ".join(clean(str((reader.metadata.title if reader.metadata else None) or "")).split())
    stated = _PROGRAM.sub("", stated)
    return "" if _FILE_NAME.search(stated) or stated.casefold() == "untitled" else stated[:TITLE_CHARS]


def _read_pages(reader: pypdf.PdfReader, count: int, until: float) -> tuple[list[_RawPage], str]:
    """The pages, and why they are not all."""
    pages: list[_RawPage] = []
    chars = pictures = 0
    for number in range(count):
        if time.process_time() > until:
            return pages, "the time for one file was over"
        if chars > CHARS_AT_MOST:
            return pages, f"files are read up to {CHARS_AT_MOST} characters"
        try:
            page = _read_page(reader.pages[number], with_picture=pictures < PICTURES_AT_MOST)
        except _DAMAGE as error:
            if not pages:
                return [], f"it is damaged ({type(error).__name__})"
            # Of a page that is damaged the number still counts.
            page = _RawPage(lines=(), links=())
        chars += sum(len(line.text) for line in page.lines)
        pictures += bool(page.picture)
        pages.append(page)
    return pages, ""


def _read_page(page: pypdf.PageObject, *, with_picture: bool) -> _RawPage:
    collector = PieceCollector()
    page.extract_text(visitor_text=collector)
    lines = lines_of(collector.pieces)
    picture = _largest_jpeg(page) if with_picture and not lines else b""
    return _RawPage(lines=tuple(lines), links=tuple(_links_on(page, collector.pieces)), picture=picture)


def _links_on(page: pypdf.PageObject, pieces: Sequence[PdfPiece]) -> Iterator[PdfLink]:
    for reference in (page.get("/Annots") or ())[:LINKS_A_PAGE]:
        try:
            annotation: Any = reference.get_object()
            if annotation.get("/Subtype") != "/Link":
                continue
            url = clean(str((annotation.get("/A") or {}).get("/URI") or "")).strip()
            if not url or urlsplit(url).scheme.lower() not in ("http", "https", ""):
                continue
            left, low, right, high = (float(one) for one in annotation["/Rect"])
        except _DAMAGE:
            continue
        below = (
            piece.text for piece in pieces if left - 1 <= piece.x < right and low - 1 <= piece.y + piece.size / 4 < high
        )
        yield PdfLink(url=url, label=" ".join(" ".join(below).split()))


def _largest_jpeg(page: pypdf.PageObject) -> bytes:
    """The largest JPEG picture on a page; pictures in other encodings would need a decoder."""
    largest = b""
    try:
        resources: Any = page.get("/Resources")
        pictures = resources.get_object().get("/XObject").get_object() if resources is not None else {}
        for name in pictures:
            drawn: Any = pictures[name]
            filters = drawn.get("/Filter") if drawn.get("/Subtype") == "/Image" else None
            last = filters[-1] if isinstance(filters, list) and filters else filters
            if last == "/DCTDecode" and len(largest) < len(data := drawn.get_data()) <= PICTURE_BYTES:
                largest = data
    except _DAMAGE:
        return b""
    return largest if largest.startswith(b"\xff\xd8\xff") else b""


def main(seconds: int) -> None:
    """Parse one file from standard input and write the document to standard output; limits are enforced by the operating system,
    since the parent process may be gone."""
    limit_process(seconds + 4)
    sys.stdout.buffer.write(msgspec.json.encode(read_document(sys.stdin.buffer.read(), seconds=seconds)))


if __name__ == "__main__":
    main(int(sys.argv[1]))
