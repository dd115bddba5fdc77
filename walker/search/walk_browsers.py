"""Puts pages of our own in front of the browsers of walks: from roots, and from a search alone."""

from __future__ import annotations

from collections.abc import Sequence

from memory.library.protocol import Hit
from walker.library.hits_page import Further
from walker.library.library_browser import LibraryBrowser
from walker.library.shelf_first import ShelfFirst
from walker.library.text_search import Finder, LibraryTextSearch
from walker.rules.scope import WalkScope
from walker.seams.protocols import Browser
from walker.seams.search_protocols import TextSearch
from walker.search.found_pages import Source, found_page, hits_within
from walker.search.own_pages import OwnPagesBrowser, roots_page, searches_of


def browser_from_roots(
    site: Browser, scope: WalkScope, web: TextSearch | None, find: Finder | None = None
) -> OwnPagesBrowser:
    """The browser of a walk that has roots. `site` opens their pages; with `find`, which searches what was read of them, it also
    answers searches with a single query by itself."""
    within = hits_within(scope)
    sources = [Source(LibraryTextSearch(find), within)] if find is not None else []
    if web is not None:
        sources = [*sources, Source(web, within)]
    found = found_page(sources, least_queries=2 if web is None else 1)
    makers = (roots_page(), found, *((searches_of(site),) if find is not None else ()))
    return OwnPagesBrowser(site, *makers, searches=_those(web))


def browser_without_root(
    live: Browser, scope: WalkScope, shelf: LibraryBrowser | None, web: TextSearch | None
) -> OwnPagesBrowser:
    """The browser of a walk that begins with a search: of a library, of the web, or of both."""
    sources = [Source(web, hits_within(scope))] if web is not None else []
    if shelf is None:
        return OwnPagesBrowser(live, found_page(sources), searches=_those(web))

    async def find(query: str, most: int) -> tuple[Sequence[Hit], Sequence[Further]]:
        return await shelf.search(query, most), ()

    held = Source(LibraryTextSearch(find), lambda _: True)
    first = ShelfFirst(shelf, live, lambda url: scope.opens_hits or not scope.why_outside(url))
    return OwnPagesBrowser(first, found_page([held, *sources]), searches=_those(web))


def _those(web: TextSearch | None) -> tuple[TextSearch, ...]:
    return () if web is None else (web,)
