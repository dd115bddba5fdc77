"""The passages that a library finds, as hits beside those of other searches."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from memory.library.protocol import Hit
from walker.library.hits_page import Further, shown_of
from walker.seams.search_protocols import TextHit

SOURCE = "library"
Finder = Callable[[str, int], Awaitable[tuple[Sequence[Hit], Sequence[Further]]]]
"""Passages that fit a query best, at most so many, and pages behind them that are known by name only."""


class LibraryTextSearch:
    """Implements `walker.seams.search_protocols.TextSearch`, but raises `BrowserUnavailable` for a library that cannot be read, as the
    browser of the library does."""

    def __init__(self, find: Finder) -> None:
        self._find, self._alone = find, asyncio.Lock()

    async def search(self, query: str, most: int) -> tuple[TextHit, ...]:
        """The pages that fit best; searches that run concurrently are made one after the other, as a scout has one browser."""
        async with self._alone:
            hits, named = await self._find(query, most)
        first = {hit.url: _as_text_hit(hit, query) for hit in hits}
        for page in named:
            first.setdefault(page.url, TextHit(url=page.url, title=page.title, query=query, source=SOURCE))
        return tuple(first.values())[:most]

    async def close(self) -> None:
        """The library belongs to its browser."""


def _as_text_hit(hit: Hit, query: str) -> TextHit:
    return TextHit(
        url=hit.url,
        title=hit.title or hit.url,
        snippet=shown_of(query, hit),
        query=query,
        source=SOURCE,
    )
