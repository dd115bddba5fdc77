"""The library of one walk: a file that outlives it, or one in memory."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from memory.library.errors import BadQuery
from memory.library.protocol import Hit, NewPage
from memory.url_key import BadUrl
from perception.observation import Observation
from perception.snapshot import Snapshot
from walker.library.filling import LibraryFiller
from walker.library.library_file import LibraryFile
from walker.library.opening import errors_of_a_walk


class WalkLibrary:
    """Opened, or made, with the first page or search. What `clean` replaces never reaches it. All methods but `close` raise
    `BrowserUnavailable` where the file fails: a walk that was told to fill it does not go on without."""

    def __init__(self, path: Path | None, clean: Callable[[str], str]) -> None:
        """`path`: None for a library in memory."""
        self._path, self._clean = path, clean
        self._library: LibraryFile | None = None

    @property
    def is_file(self) -> bool:
        """Whether it outlives the walk."""
        return self._path is not None

    def add(self, page: Snapshot) -> None:
        """Add a page as a browser delivered it, if it is worth finding."""
        with errors_of_a_walk():
            LibraryFiller(self._opened()).add(self._cleaned(page))

    async def add_pictured(self, page: Snapshot, files: Mapping[str, bytes]) -> None:
        """Add a page with those of its pictures whose files are given by their addresses."""
        # OpenCV and local features: most walks keep no pictures.
        shown = importlib.import_module("walker.pictures.shown_pictures")
        pictures = await asyncio.to_thread(shown.read_among, page, files)
        with errors_of_a_walk():
            LibraryFiller(self._opened()).add(self._cleaned(page), pictures)

    def add_read(self, observation: Observation, page: Snapshot) -> None:
        """Add a page that was read already, and in which nothing is to be replaced."""
        with errors_of_a_walk():
            LibraryFiller(self._opened()).add_read(observation, page)

    def add_hint(self, observation: Observation, page: Snapshot) -> None:
        """Add what the source of a page says of which a browser may show more, so that a search finds it. Nothing is added to a file:
        that is asked without a browser, too."""
        if self._path is None:
            self.add_read(observation, page)

    def add_text(self, page: NewPage) -> None:
        """Add a page of which an aid holds the text, unless it is there already."""
        with errors_of_a_walk():
            library = self._opened()
            try:
                if not library.has(page.url):
                    library.add(page)
            except BadUrl:
                return

    def search(self, query: str, most: int) -> tuple[Hit, ...]:
        """The pages that fit best, each by its best passage; () for a query without telling words."""
        with errors_of_a_walk():
            try:
                return self._opened().search(query, most)
            except BadQuery:
                return ()

    @property
    def pages(self) -> int:
        """Pages that are searched."""
        with errors_of_a_walk():
            return self._opened().info().pages

    def close(self) -> None:
        """Close the file."""
        if self._library is not None:
            self._library.close()
            self._library = None

    def _cleaned(self, page: Snapshot) -> Snapshot:
        return msgspec.structs.replace(page, html=self._clean(page.html), title=self._clean(page.title))

    def _opened(self) -> LibraryFile:
        if self._library is None:
            self._library = LibraryFile.in_memory() if self._path is None else LibraryFile.write(self._path)
        return self._library
