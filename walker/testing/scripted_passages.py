"""Passages in memory: those that hold most of a query's words, whole words and upper or lower case apart."""

from __future__ import annotations

from collections.abc import Sequence

from memory.library.protocol import WholePage
from walker.seams.passage_critic import OfferedPassage


class ScriptedPassages:
    """Implements `walker.workflows.passage_source.PassageSource` over a few pages; `asked` are the queries so far."""

    def __init__(self, pages: Sequence[WholePage]) -> None:
        """Each line of a page is a passage."""
        self._pages = {page.url: page for page in pages}
        self.asked: list[str] = []

    async def search(self, query: str, most: int) -> tuple[OfferedPassage, ...]:
        """The lines with the most words of the query, equal ones in the order of the pages."""
        self.asked.append(query)
        words = frozenset(query.casefold().split())
        every = (
            OfferedPassage(url=page.url, title=page.title, text=line.text, headings=line.headings, place=place)
            for page in self._pages.values()
            for place, line in enumerate(page.lines)
        )
        held = [(len(words.intersection(one.text.casefold().split())), one) for one in every]
        best = sorted((pair for pair in held if pair[0]), key=lambda pair: -pair[0])
        return tuple(one for _, one in best[:most])

    async def page(self, url: str) -> WholePage | None:
        """The page at this address."""
        return self._pages.get(url)

    async def close(self) -> None:
        """Nothing is open."""
