"""What a search finds, as a page: the query is its title, and each hit an item of a list with a link."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from memory.library.protocol import Hit
from memory.library.query_terms import terms_of
from memory.library.snippet import snippet_of


def page_of_hits(query: str, hits: Sequence[Hit]) -> str:
    """The HTML of the page. All text is escaped."""
    items = "".join(_item(query, hit) for hit in hits) or "<li>Nothing was found.</li>"
    return (
        f'<!DOCTYPE html><html><head><meta charset="utf-8"><title>{escape(query)}</title></head>'
        f"<body><main><h1>{escape(query)}</h1><ol>{items}</ol></main></body></html>"
    )


def _item(query: str, hit: Hit) -> str:
    # The page's address without a fragment: a walk enters a page once, at its beginning.
    link = f'<a href="{escape(hit.url)}">{escape(hit.title or hit.url)}</a>'
    headings = " &gt; ".join(escape(heading) for heading in hit.passage.headings)
    return f"<li>{link} {headings} {escape(snippet_of(hit.passage.text, terms_of(query)).text)}</li>"
