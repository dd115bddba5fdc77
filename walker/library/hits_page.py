"""What a search finds, as a page: the query is its title, and each hit an item of a list with a link."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import msgspec

from memory.library.protocol import Hit
from memory.library.query_terms import terms_of
from memory.library.snippet import snippet_of


class Further(msgspec.Struct, frozen=True, kw_only=True):
    """A page that was not read, but whose title fits."""

    url: str
    title: str


def page_of_hits(query: str, hits: Sequence[Hit], further: Sequence[Further] = (), *, notes: Sequence[str] = ()) -> str:
    """The HTML of the page. All text is escaped. `notes` say in the footer how the hits came about."""
    items = "".join((*(_item(query, hit) for hit in hits), *map(_further_item, further)))
    footer = f"<footer><p>{escape('; '.join(notes))}</p></footer>" if notes else ""
    return (
        f'<!DOCTYPE html><html><head><meta charset="utf-8"><title>{escape(query)}</title></head>'
        f"<body><main><h1>{escape(query)}</h1><ol>{items or '<li>Nothing was found.</li>'}</ol></main>{footer}</body></html>"
    )


def _item(query: str, hit: Hit) -> str:
    # The page's address without a fragment: a walk enters a page once, at its beginning.
    link = f'<a href="{escape(hit.url)}">{escape(hit.title or hit.url)}</a>'
    headings = " &gt; ".join(escape(heading) for heading in hit.passage.headings)
    return f"<li>{link} {headings} {escape(snippet_of(hit.passage.text, terms_of(query)).text)}</li>"


def _further_item(page: Further) -> str:
    return f'<li><a href="{escape(page.url)}">{escape(page.title)}</a></li>'
