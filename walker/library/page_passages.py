"""From a page as a browser delivers it to a page of a library."""

from __future__ import annotations

from html import escape

from memory.library.protocol import NewPage, PageLine
from perception.document.reading import observe_text
from perception.observation import Block, Observation
from perception.snapshot import Snapshot
from walker.rules.language import language_of_page


def library_page(snapshot: Snapshot) -> NewPage:
    """The page to add. Pure."""
    return page_of_text(observe_text(snapshot), snapshot)


def page_of_text(observation: Observation, snapshot: Snapshot) -> NewPage:
    """The same of a page that was observed already."""
    blocks = [block for block in observation.blocks if not block.hidden and block.text.strip()]
    also = [snapshot.url, *(hop.url for hop in snapshot.redirects)]
    return NewPage(
        url=snapshot.final_url,
        title=observation.title,
        lines=tuple(_line(block) for block in blocks),
        markup=snapshot.html,
        language=language_of_page(observation),
        read_at=snapshot.fetched_at,
        also=tuple(url for url in dict.fromkeys(also) if url != snapshot.final_url),
    )


def plain_markup(title: str, text: str) -> str:
    """A page of HTML for text that was kept without its markup: a paragraph a line; the pages of a PDF, which form feeds part, are
    sections that their citations lead to."""
    parts = [_paragraphs(part) for part in text.split("\f")]
    if len(parts) > 1:
        parts = [
            f'<section id="page={number}"><h2>Page {number}</h2>{part}</section>'
            for number, part in enumerate(parts, start=1)
        ]
    body = "".join(parts)
    return f"<!DOCTYPE html><html><head><title>{escape(title)}</title></head><body><main>{body}</main></body></html>"


def _paragraphs(text: str) -> str:
    return "".join(f"<p>{escape(line)}</p>" for line in text.splitlines() if line.strip())


def snapshot_of_text(urls: tuple[str, str], title: str, text: str, fetched_at: float) -> Snapshot:
    """A page of which only the text was kept; `urls` are the address that was asked for and the one that answered."""
    asked, final = urls
    markup = plain_markup(title, text)
    return Snapshot(url=asked, final_url=final, status=200, html=markup, title=title, fetched_at=fetched_at)


def _line(block: Block) -> PageLine:
    return PageLine(text=block.text, headings=block.headings, is_heading=block.kind == "heading", anchor=block.anchor)
