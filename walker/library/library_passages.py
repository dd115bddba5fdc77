"""The passages of a library as the edge that workflows search."""

from __future__ import annotations

from pathlib import Path

from memory.library.errors import BadQuery
from memory.library.protocol import PageLine, WholePage
from walker.library.opening import LateLibrary, errors_of_a_walk
from walker.seams.passage_critic import OfferedPassage


class LibraryPassages:
    """Implements `walker.workflows.passage_source.PassageSource`; the file is opened with the first search."""

    def __init__(self, path: Path) -> None:
        self._library = LateLibrary(path)

    async def search(self, query: str, most: int) -> tuple[OfferedPassage, ...]:
        """The best passages of the library."""
        with errors_of_a_walk():
            try:
                hits = self._library.opened().search(query, most, a_page=0)
            except BadQuery:
                return ()
        return tuple(
            OfferedPassage(
                url=hit.url,
                title=hit.title,
                text=hit.passage.text,
                headings=hit.passage.headings,
                place=hit.passage.place,
            )
            for hit in hits
        )

    async def page(self, url: str) -> WholePage | None:
        """The page's passages, line by line."""
        with errors_of_a_walk():
            page = self._library.opened().page(url)
        if page is None:
            return None
        lines = (PageLine(text=line, headings=one.headings) for one in page.passages for line in one.text.split("\n"))
        return WholePage(url=page.url, title=page.title, lines=tuple(lines))

    async def close(self) -> None:
        """Close the file."""
        self._library.close()
