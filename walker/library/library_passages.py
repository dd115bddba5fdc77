"""The passages of a library as the edge that workflows search."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from memory.library.errors import BadQuery, LibraryError
from memory.library.protocol import Library, PageLine, WholePage
from walker.errors import BrowserUnavailable
from walker.library.library_file import LibraryFile
from walker.seams.passage_critic import OfferedPassage


class LibraryPassages:
    """Implements `walker.workflows.passage_source.PassageSource`; the file is opened with the first search."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._library: Library | None = None

    async def search(self, query: str, most: int) -> tuple[OfferedPassage, ...]:
        """The best passages of the library."""
        with _as_walk_errors():
            try:
                hits = self._opened().search(query, most, a_page=0)
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
        with _as_walk_errors():
            page = self._opened().page(url)
        if page is None:
            return None
        lines = (PageLine(text=line, headings=one.headings) for one in page.passages for line in one.text.split("\n"))
        return WholePage(url=page.url, title=page.title, lines=tuple(lines))

    async def close(self) -> None:
        """Close the file."""
        if self._library is not None:
            self._library.close()
            self._library = None

    def _opened(self) -> Library:
        if self._library is None:
            self._library = LibraryFile.read(self._path)
        return self._library


@contextmanager
def _as_walk_errors() -> Iterator[None]:
    try:
        yield
    except LibraryError as error:
        raise BrowserUnavailable(error.what, where=error.where, advice=error.advice) from None
