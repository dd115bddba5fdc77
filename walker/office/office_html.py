"""An office file as an HTML page: a section for each sheet or slide, which an address leads to (`#sheet=Budget`, `#slide=3`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from urllib.parse import unquote, urlsplit

from walker.office.parts.office_document import Block, Cell, OfficeDocument, Section, Span

_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*")
_STYLE = (
    "body{margin:2em;font-family:sans-serif}main>:not(section),p,li{max-width:60em}table{border-collapse:collapse;margin:1em 0}"
    "td,th{padding:.2em .6em;border:1px solid #ccc;text-align:left;vertical-align:top}th{background:#eee}"
    "blockquote{border-left:3px solid #ccc;padding-left:1em;max-width:60em}"
)
_DEEPEST = 6


def page_of(document: OfficeDocument, url: str) -> str:
    """The page for a file at a URL. All text is escaped, there are no scripts, and only the links of the file lead on."""
    title = document.title or unquote(urlsplit(url).path.rsplit("/", 1)[-1]) or "file"
    language = f' lang="{document.language}"' if _LANGUAGE.fullmatch(document.language) else ""
    sections = "".join(_section(section) for section in document.sections)
    return (
        f'<!DOCTYPE html><html{language}><head><meta charset="utf-8"><title>{escape(title)}</title><style>{_STYLE}</style></head>'
        f"<body><main><h1>{escape(title)}</h1>{_lines(_said(document))}{sections}</main></body></html>"
    )


def _said(document: OfficeDocument) -> tuple[str, ...]:
    """What of the file is not here."""
    has_any = any(section.blocks or section.left_out for section in document.sections)
    return document.left_out if has_any else (*document.left_out, "This file has no text.")


def _section(section: Section) -> str:
    anchor = f' id="{escape(section.anchor)}"' if section.anchor else ""
    heading = f"<h2>{escape(section.title)}</h2>" if section.title else ""
    inside = "".join(_run(kind, list(run)) for kind, run in groupby(section.blocks, key=lambda block: block.kind))
    return f"<section{anchor}>{heading}{_lines(section.left_out)}{inside}</section>"


def _lines(texts: Sequence[str]) -> str:
    return "".join(f"<p>{escape(text)}</p>" for text in texts)


def _run(kind: str, blocks: Sequence[Block]) -> str:
    """Consecutive blocks of one kind."""
    match kind:
        case "heading":
            return "".join(
                f"<h{level}>{_text(block.spans)}</h{level}>"
                for block in blocks
                for level in [min(_DEEPEST, max(2, block.level))]
            )
        case "item":
            return _list(blocks)
        case "table":
            return "".join(_table(block) for block in blocks)
        case "code":
            return "".join(f"<pre>{escape(block.text)}</pre>" for block in blocks)
        case "aside":
            return f"<blockquote>{''.join(f'<p>{_text(block.spans)}</p>' for block in blocks)}</blockquote>"
        case "picture":
            return "".join(f"<p>Picture: {_text(block.spans)}</p>" for block in blocks)
        case _:
            return "".join(f"<p>{_text(block.spans)}</p>" for block in blocks)


def _list(items: Sequence[Block]) -> str:
    """Items of a list, lists of deeper items within them."""
    open_tags: list[str] = []
    parts: list[str] = []
    for item in items:
        tag = "ol" if item.number else "ul"
        level = min(len(open_tags) + 1, max(1, item.level))
        while len(open_tags) > level or (len(open_tags) == level and open_tags[-1] != tag):
            parts.append(f"</li></{open_tags.pop()}>")
        if len(open_tags) == level:
            parts.append("</li>")
        else:
            parts.append(f"<{tag}>")
            open_tags.append(tag)
        value = f' value="{item.number}"' if item.number else ""
        parts.append(f"<li{value}>{_text(item.spans)}")
    parts.extend(f"</li></{tag}>" for tag in reversed(open_tags))
    return "".join(parts)


def _table(block: Block) -> str:
    head = 0
    while head < len(block.rows) and block.rows[head] and all(cell.is_head for cell in block.rows[head]):
        head += 1
    rows = [f"<tr>{''.join(_cell(cell) for cell in row)}</tr>" for row in block.rows]
    begin = f"<thead>{''.join(rows[:head])}</thead>" if head else ""
    return f"<table>{begin}<tbody>{''.join(rows[head:])}</tbody></table>"


def _cell(cell: Cell) -> str:
    tag = "th" if cell.is_head else "td"
    wide = f' colspan="{cell.wide}"' if cell.wide > 1 else ""
    high = f' rowspan="{cell.high}"' if cell.high > 1 else ""
    return f"<{tag}{wide}{high}>{_text(cell.spans)}</{tag}>"


def _text(spans: Sequence[Span]) -> str:
    return "".join(_pieces(spans))


def _pieces(spans: Sequence[Span]) -> Iterator[str]:
    for span in spans:
        text = escape(span.text)
        if "\n" in text:
            text = text.replace("\n", "<br>")
        yield f'<a href="{escape(span.url)}">{text}</a>' if span.url else text
