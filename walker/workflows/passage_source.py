"""The edge to passages that are searched directly, such as those of a library, without opening a page of hits first."""

from __future__ import annotations

from typing import Protocol

from memory.library.protocol import WholePage
from walker.seams.passage_critic import OfferedPassage


class PassageSource(Protocol):
    """Passages to search. Implementations pass tests/contracts/test_passage_source.py."""

    async def search(self, query: str, most: int) -> tuple[OfferedPassage, ...]:
        """The passages that fit a query best, at most `most`, best first, any number of one page; () where nothing fits or the query
        has no words. Raises `BrowserUnavailable` if the source cannot be read."""
        ...

    async def page(self, url: str) -> WholePage | None:
        """All text of the page that an address leads to, None if it is not here. Raises as `search` does."""
        ...

    async def close(self) -> None:
        """Close files; no call may follow. Raises nothing."""
        ...
