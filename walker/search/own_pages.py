"""A browser that answers the addresses of our own pages in front of another one, which opens all that lies on a network."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from html import escape

from perception.element_map import View
from perception.geometry import Box
from perception.snapshot import Notice, Snapshot
from walker.seams.actions import Operate
from walker.seams.protocols import Browser, PageFailure
from walker.seams.search_protocols import TextSearch
from walker.seams.searches import is_own_page, is_search, roots_of

Opened = Snapshot | PageFailure
PageMaker = Callable[[str], Awaitable[Opened | None]]
"""Makes the page of an address of our own; None for one that another maker answers."""


class OwnPagesBrowser:
    """Implements `walker.seams.protocols.Browser`. No address of our own reaches the other browser."""

    def __init__(self, live: Browser, *makers: PageMaker, searches: Sequence[TextSearch] = ()) -> None:
        """The first maker that has an answer gives it. A page is made once: going back to it shows the same. `searches` are closed
        with the browser."""
        self._live, self._makers, self._searches = live, makers, tuple(searches)
        self._shown = ""
        self._made: dict[str, Snapshot] = {}

    async def open(self, url: str) -> Snapshot | PageFailure:
        """A page of our own, made once; any other as the other browser opens it."""
        if not is_own_page(url):
            self._shown = ""
            return await self._live.open(url)
        self._shown = url
        if url in self._made:
            return self._made[url]
        opened = await self._make(url)
        if isinstance(opened, Snapshot):
            self._made[url] = opened
        return opened

    async def act(self, move: Operate) -> Snapshot | PageFailure:
        """As the other browser; a page of our own has no controls."""
        if self._shown:
            return PageFailure(url=self._shown, kind="gone", message="a page that Walker made cannot be operated")
        return await self._live.act(move)

    async def see(self, *, whole: bool = False, box: Box | None = None, scale: float = 1.0) -> View | PageFailure:
        """As the other browser; a page of our own is not drawn."""
        if self._shown:
            return PageFailure(url=self._shown, kind="other", message="a page that Walker made cannot be drawn")
        return await self._live.see(whole=whole, box=box, scale=scale)

    async def fetch_ahead(self, urls: tuple[str, ...]) -> None:
        """As the other browser."""
        await self._live.fetch_ahead(tuple(url for url in urls if not is_own_page(url)))

    async def close(self) -> None:
        """Close the searches and the other browser."""
        for search in self._searches:
            await search.close()
        await self._live.close()

    async def _make(self, url: str) -> Opened:
        for make in self._makers:
            if (opened := await make(url)) is not None:
                return opened
        return PageFailure(url=url, kind="other", message="nothing in this walk answers that address")


def own_page(url: str, title: str, body: str, *, at: float, notes: Sequence[str] = ()) -> Snapshot:
    """A page of our own: `body` is its markup below the heading, `at` the time in seconds since the epoch. `notes` are told to the
    person who watches the walk."""
    html = (
        f'<!DOCTYPE html><html><head><meta charset="utf-8"><title>{escape(title)}</title></head>'
        f"<body><main><h1>{escape(title)}</h1>{body}</main></body></html>"
    )
    notices = tuple(Notice(kind="search", text=note) for note in notes)
    return Snapshot(
        url=url, final_url=url, status=200, html=html, title=title, notices=notices, fetched_at=round(at, 3)
    )


def roots_page(clock: Callable[[], float] = time.time) -> PageMaker:
    """Makes the page of several roots: each a link, in the order in which they were given."""

    async def make(url: str) -> Snapshot | None:
        roots = roots_of(url)
        if not roots:
            return None
        items = "".join(f'<li><a href="{escape(root)}">{escape(root)}</a></li>' for root in roots)
        return own_page(url, "Where the walk begins", f"<ol>{items}</ol>", at=clock())

    return make


def searches_of(browser: Browser) -> PageMaker:
    """Has searches answered by a browser that makes their pages itself."""

    async def make(url: str) -> Opened | None:
        return await browser.open(url) if is_search(url) else None

    return make
