"""A PDF as an HTML page: one section for each of its pages, under the heading "Page 3", that `#page=3` leads to."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from urllib.parse import unquote, urlsplit

from walker.pdf.pdf_document import PdfBlock, PdfDocument, PdfLink, PdfPage

PDF_TYPE = "application/pdf"
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*")
_STYLE = "body{margin:2em;max-width:60em}table{border-collapse:collapse}td{padding:0 1em 0 0}img{max-width:100%}"


def page_of(document: PdfDocument, url: str) -> str:
    """The page for a file at a URL. All text is escaped, there are no scripts, and only the links of the file lead on."""
    title = title_of(document, url)
    is_stated = _LANGUAGE.fullmatch(document.language) is not None
    language = f' lang="{document.language}"' if is_stated else ""
    sections = "".join(_section(page, number) for number, page in enumerate(document.pages, start=1))
    return (
        f'<!DOCTYPE html><html{language}><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{_STYLE}</style></head><body><main><h1>{escape(title)}</h1>{_notice(document)}{sections}</main></body></html>"
    )


def title_of(document: PdfDocument, url: str) -> str:
    """The file's own title, else the name of the file."""
    return document.title or unquote(urlsplit(url).path.rsplit("/", 1)[-1]) or "PDF"


def _notice(document: PdfDocument) -> str:
    """What of the file is not here, a line each."""
    lines: list[str] = []
    read = len(document.pages)
    if read < document.pages_in_all:
        lines.append(f"This file has {document.pages_in_all} pages; only pages 1-{read} are shown: {document.cut}.")
    if not any(page.blocks for page in document.pages):
        lines.append("This PDF has no text layer: its pages are pictures.")
    return "".join(f"<p>{escape(line)}</p>" for line in lines)


def _section(page: PdfPage, number: int) -> str:
    links = list(page.links)
    parts = [_run(kind, list(run), links) for kind, run in groupby(page.blocks, key=lambda block: block.kind)]
    # Links whose text was not found, such as those of pictures.
    rest = "".join(f"<li>{_anchor(link)}</li>" for link in links)
    around = f"<ul>{rest}</ul>" if rest else ""
    picture = ""
    if page.picture:
        # Without a text for it: what it shows is read by OCR.
        picture = f'<img src="data:image/jpeg;base64,{base64.b64encode(page.picture).decode()}">'
    return f'<section id="page={number}"><h2>Page {number}</h2>{"".join(parts)}{around}{picture}</section>'


def _run(kind: str, blocks: Sequence[PdfBlock], links: list[PdfLink]) -> str:
    """Consecutive blocks of one kind; a link that is found in their text is taken from the list."""
    match kind:
        case "heading":
            return "".join(f"<h3>{_linked(block.text, links)}</h3>" for block in blocks)
        case "item":
            return f"<ul>{''.join(f'<li>{_linked(block.text, links)}</li>' for block in blocks)}</ul>"
        case "row":
            return f"<table>{''.join(f'<tr>{_cells(block, links)}</tr>' for block in blocks)}</table>"
        case _:
            return "".join(f"<p>{_linked(block.text, links)}</p>" for block in blocks)


def _cells(block: PdfBlock, links: list[PdfLink]) -> str:
    return "".join(f"<td>{_linked(cell, links)}</td>" for cell in block.cells)


def _linked(text: str, links: list[PdfLink]) -> str:
    """The text, escaped, with the links whose label stands in it."""
    return "".join(_pieces(text, links))


def _pieces(text: str, links: list[PdfLink]) -> Iterator[str]:
    start = 0
    while links:
        link = links[0]
        place = text.find(link.label, start) if link.label else -1
        if place < 0:
            later = [other for other in links[1:] if other.label and other.label in text[start:]]
            if not later:
                break
            links.remove(later[0])
            links.insert(0, later[0])
            continue
        yield escape(text[start:place])
        yield _anchor(link)
        start = place + len(link.label)
        links.pop(0)
    yield escape(text[start:])


def _anchor(link: PdfLink) -> str:
    return f'<a href="{escape(link.url)}">{escape(link.label or link.url)}</a>'
