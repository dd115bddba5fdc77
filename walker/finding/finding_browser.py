"""A browser that answers searches with pages of hits, and sends a scout ahead; all other pages are those of the live browser."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain, zip_longest

from memory.library.protocol import Hit
from perception.element_map import View
from perception.geometry import Box
from perception.snapshot import Snapshot
from walker.finding.scout import Scout
from walker.library.hits_page import Further, page_of_hits
from walker.library.walk_library import WalkLibrary
from walker.rules.scope import WalkScope
from walker.seams.actions import Operate
from walker.seams.protocols import Browser, PageFailure
from walker.seams.searches import is_search, query_of
from walker.walk.arrival import PROBE_NAME

HITS_SHOWN = 20
HITS_SEARCHED = 60
"""Hits that are looked through for those of this site: a library may hold others."""
NAMED_SHOWN = 10
"""Pages behind the hits that are known by name only."""


class FindingBrowser:
    """Implements `walker.seams.protocols.Browser` by another one, which fills `library`."""

    def __init__(
        self,
        live: Browser,
        library: WalkLibrary,
        scouts: Sequence[Scout],
        scope: WalkScope,
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`scouts`: one for each root; hits are those that lie within `scope`."""
        self._live, self._library, self._scouts, self._scope, self._clock = live, library, tuple(scouts), scope, clock
        self._shows_hits = ""
        self._made: dict[str, Snapshot] = {}

    async def open(self, url: str) -> Snapshot | PageFailure:
        """The page of hits for a search, made once; any other page as the live browser opens it."""
        if is_search(url):
            self._shows_hits = url
            if url not in self._made:
                self._made[url] = await self._hits(url)
            return self._made[url]
        self._shows_hits = ""
        opened = await self._live.open(url)
        if isinstance(opened, Snapshot) and PROBE_NAME not in url:
            await self._saw(opened)
        return opened

    async def search(self, query: str, most: int) -> tuple[Hit, ...]:
        """The pages that fit a query best, once the scout has read what its budget allows. Raises `BrowserUnavailable`."""
        for scout in self._scouts:
            await scout.look_for(query)
        return self._hits_here(query, most)

    async def find(self, query: str, most: int) -> tuple[Sequence[Hit], Sequence[Further]]:
        """The pages that fit a query best, and those behind them that nobody has read. Raises `BrowserUnavailable`."""
        hits = await self.search(query, most)
        return hits, self._named(query, hits)

    async def act(self, move: Operate) -> Snapshot | PageFailure:
        """As the live browser; a page of hits has no controls."""
        if self._shows_hits:
            return PageFailure(url=self._shows_hits, kind="gone", message="a page of hits cannot be operated")
        return await self._live.act(move)

    async def see(self, *, whole: bool = False, box: Box | None = None, scale: float = 1.0) -> View | PageFailure:
        """As the live browser; a page of hits is not drawn."""
        if self._shows_hits:
            return PageFailure(url=self._shows_hits, kind="other", message="a page of hits cannot be drawn")
        return await self._live.see(whole=whole, box=box, scale=scale)

    async def fetch_ahead(self, urls: tuple[str, ...]) -> None:
        """As the live browser."""
        await self._live.fetch_ahead(tuple(url for url in urls if not is_search(url)))

    async def close(self) -> None:
        """Close all."""
        for scout in self._scouts:
            await scout.close()
        await self._live.close()

    async def _hits(self, url: str) -> Snapshot:
        query = query_of(url)
        hits = await self.search(query, HITS_SHOWN)
        counted, aided = Counter[str](), Counter[str]()
        for report in (scout.report() for scout in self._scouts):
            counted.update(report.counts)
            aided.update(report.aids)
        counts = [f"{name}: {count}" for name, count in sorted(counted.items())]
        aids = [f"{name}: {count} pages named" for name, count in sorted(aided.items())]
        # Of hits that lie outside the scope the words stand somewhere.
        searched = 0 if hits or self._library.search(query, 1) else self._library.pages
        html = page_of_hits(query, hits, self._named(query, hits), notes=(*counts, *aids), searched=searched)
        at = round(self._clock(), 3)
        return Snapshot(url=url, final_url=url, status=200, html=html, title=query, fetched_at=at)

    def _named(self, query: str, hits: Sequence[Hit]) -> list[Further]:
        """Pages whose names fit and that are no hits, of each site the best first."""
        shown = {hit.url for hit in hits}
        named = chain.from_iterable(zip_longest(*(scout.unread(query, 2 * NAMED_SHOWN) for scout in self._scouts)))
        unread = [one for one in named if one is not None and one.url not in shown]
        return [Further(url=one.url, title=one.title) for one in unread[:NAMED_SHOWN]]

    async def _saw(self, page: Snapshot) -> None:
        """Tell the scout whose site the page is of; the only one is told of all, as its root may redirect anywhere."""
        for scout in self._scouts:
            if len(self._scouts) == 1 or scout.is_of_its_site(page):
                await scout.saw(page)

    def _hits_here(self, query: str, most: int) -> tuple[Hit, ...]:
        hits = self._library.search(query, max(most, HITS_SEARCHED))
        return tuple(hit for hit in hits if not self._scope.why_outside(hit.url))[:most]
