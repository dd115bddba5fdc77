"""A browser whose site is a library: pages of hits, and pages as they were when they were added. It needs no network."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from lxml import etree

from memory.library.errors import BadQuery
from memory.library.protocol import Hit, Library, StoredPage
from perception.document.addresses import absolute_url
from perception.document.dom import Element, base_address, parse_page
from perception.element_map import View
from perception.geometry import Box
from perception.snapshot import Snapshot
from walker.library.hits_page import page_of_hits
from walker.library.opening import LateLibrary, errors_of_a_walk
from walker.seams.actions import Operate
from walker.seams.protocols import PageFailure
from walker.seams.searches import is_search, query_of

HITS_SHOWN = 20
"""Pages on a page of hits: among so many is a page that holds the answer for 99 of 100 questions (bench/library.py)."""


class LibraryBrowser:
    """Implements `walker.seams.protocols.Browser`. A page's links that lead out of the library are no links, and it has no fields."""

    def __init__(self, path: Path, *, clock: Callable[[], float] = time.time) -> None:
        """The file is opened with the first page."""
        self._library, self._clock = LateLibrary(path), clock
        self._url = ""

    async def open(self, url: str) -> Snapshot | PageFailure:
        """The page of hits for a search, or the stored page. Raises `BrowserUnavailable` if the library cannot be read."""
        with errors_of_a_walk():
            return self._open(self._library.opened(), url)

    async def search(self, query: str, most: int) -> tuple[Hit, ...]:
        """The pages that fit best, () for a query without telling words. Raises `BrowserUnavailable` if the library cannot be read."""
        with errors_of_a_walk():
            return _found(self._library.opened(), query, most)

    async def act(self, move: Operate) -> Snapshot | PageFailure:
        """Always a failure: a stored page does nothing."""
        del move
        return PageFailure(url=self._url, kind="gone", message="a page out of a library cannot be operated")

    async def see(self, *, whole: bool = False, box: Box | None = None, scale: float = 1.0) -> View | PageFailure:
        """Always a failure: a stored page is not drawn."""
        del whole, box, scale
        return PageFailure(url=self._url, kind="other", message="a page out of a library cannot be drawn")

    async def fetch_ahead(self, urls: tuple[str, ...]) -> None:
        """No prefetching: pages are at hand."""

    async def close(self) -> None:
        """Close the library."""
        self._library.close()

    def _open(self, library: Library, url: str) -> Snapshot | PageFailure:
        if is_search(url):
            query = query_of(url)
            hits = _found(library, query, HITS_SHOWN)
            html = page_of_hits(query, hits, searched=0 if hits else library.info().pages)
            return self._snapshot(url, url, html, query)
        page = library.page(url)
        if page is None:
            return PageFailure(url=url, kind="other", message="it is not in the library")
        return self._snapshot(url, page.url, _within(library, page), page.title)

    def _snapshot(self, url: str, final_url: str, html: str, title: str) -> Snapshot:
        self._url = final_url
        at = round(self._clock(), 3)
        return Snapshot(url=url, final_url=final_url, status=200, html=html, title=title, fetched_at=at)


def _found(library: Library, query: str, most: int) -> tuple[Hit, ...]:
    try:
        return library.search(query, most)
    except BadQuery:
        return ()


def _within(library: Library, page: StoredPage) -> str:
    """The markup of a page; its links that lead out of the library have no address, so that nobody follows them."""
    root = parse_page(page.markup)
    base = base_address(root, page.url)
    for element in root.iter("a", "area", "link"):
        href = element.get("href")
        if href is not None and not href.startswith("#") and not _is_here(library, absolute_url(base, href)):
            del element.attrib["href"]
    for field in list(root.iter("input", "textarea")):
        _drop(field)
    return str(etree.tostring(root, method="html", encoding="unicode"))


def _is_here(library: Library, url: str) -> bool:
    return bool(url) and library.has(url)


def _drop(element: Element) -> None:
    """Remove an element and keep the text after it."""
    parent, before = element.getparent(), element.getprevious()
    if parent is None:
        return
    if element.tail and before is not None:
        before.tail = (before.tail or "") + element.tail
    elif element.tail:
        parent.text = (parent.text or "") + element.tail
    parent.remove(element)
