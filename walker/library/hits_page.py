"""What a search finds, as a page: the query is its title, and each hit an item of a list with a link."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

import msgspec

from memory.library.protocol import Hit
from memory.library.query_terms import terms_of
from memory.library.snippet import snippet_of
from memory.words import tokens

_HAN = re.compile(r"[\u3040-\u9fff]")


class Further(msgspec.Struct, frozen=True, kw_only=True):
    """A page that was not read, but whose title fits."""

    url: str
    title: str


def page_of_hits(
    query: str, hits: Sequence[Hit], further: Sequence[Further] = (), *, notes: Sequence[str] = (), searched: int = 0
) -> str:
    """The HTML of the page. All text is escaped. `notes` say in the footer how the hits came about; `searched`: pages on which none of
    the words stands, where nothing was found, 0 where that is not known."""
    items = "".join((*(_item(query, hit) for hit in hits), *map(_further_item, further)))
    items = items or f"<li>{escape(_nothing(query, searched))}</li>"
    footer = f"<footer><p>{escape('; '.join(notes))}</p></footer>" if notes else ""
    return (
        f'<!DOCTYPE html><html><head><meta charset="utf-8"><title>{escape(query)}</title></head>'
        f"<body><main><h1>{escape(query)}</h1><ol>{items}</ol></main>{footer}</body></html>"
    )


def _item(query: str, hit: Hit) -> str:
    # The page's address without a fragment: a walk enters a page once, at its beginning.
    link = f'<a href="{escape(hit.url)}">{escape(hit.title or hit.url)}</a>'
    return f"<li>{link} {escape(shown_of(query, hit))}</li>"


def shown_of(query: str, hit: Hit) -> str:
    """The headings above the best passage of a hit, and what of it fits; neither repeats what was said before it."""
    shown = snippet_of(hit.passage.text, terms_of(query)).text
    said = [hit.title, *hit.passage.headings]
    headings = [one for place, one in enumerate(said) if place and one not in said[:place]]
    while (again := next((one for one in said if one and shown.startswith(one)), "")) and len(again) < len(shown):
        shown = shown.removeprefix(again).lstrip(" :|-–—")
    return f"{' > '.join(headings)} {shown}".strip()


def _nothing(query: str, searched: int) -> str:
    """That nothing was found, where, and what a search cannot find."""
    where = f": none of these words stands on the {searched} pages that were read" if searched else ""
    alone = any(len(term) == 1 and _HAN.match(term) for term in tokens(query))
    short = (
        " A single Chinese or Japanese character is found only where it stands alone: give two or more."
        if alone
        else ""
    )
    return f"Nothing was found{where}.{short}"


def _further_item(page: Further) -> str:
    return f'<li><a href="{escape(page.url)}">{escape(page.title)}</a></li>'
