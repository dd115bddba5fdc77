"""Search over a site: its pages are crawled once, breadth-first, and go into a library."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec

from evaluation.building.harvesting import HarvestLimits, folder_name, harvest
from evaluation.building.tree import HarvestedPage
from memory.library.errors import BadQuery
from memory.library.protocol import NewPage, PageLine
from walker.library.library_file import LibraryFile
from walker.library.opening import library_errors


class Passage(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of a page, or all of it."""

    url: str
    title: str
    text: str


class SiteSearch:
    """Indexes of sites by root URL, each built once even under concurrent requests. `close` closes them."""

    def __init__(self, store: Path, limits: HarvestLimits) -> None:
        self._store, self._limits = store, limits
        self._made: dict[str, asyncio.Task[SiteIndex]] = {}
        self._open: list[SiteIndex] = []

    async def index(self, root: str) -> SiteIndex:
        """The index of the site under `root`. Raises what a harvest raises, and `LibraryFailed`."""
        if root not in self._made:
            self._made[root] = asyncio.ensure_future(self._make(root))
        return await self._made[root]

    def close(self) -> None:
        """Close the files; no search may follow."""
        for index in self._open:
            index.close()

    async def _make(self, root: str) -> SiteIndex:
        tree = await harvest(root, self._store, self._limits)
        with library_errors():
            read = msgspec.json.encode(msgspec.structs.replace(self._limits, jobs=1, chromium=""))
            library = LibraryFile.write(self._store / f"{folder_name(root, read)}.library")
            self._open.append(SiteIndex(library))
            for page in tree.pages:
                library.add(_new_page(page))
        return self._open[-1]


class SiteIndex:
    """The passages of one site."""

    def __init__(self, library: LibraryFile) -> None:
        self._library = library

    def search(self, query: str, most: int) -> tuple[Passage, ...]:
        """The most relevant passages, best first; none for a query without words."""
        try:
            hits = self._library.search(query, most, a_page=0)
        except BadQuery:
            return ()
        return tuple(Passage(url=hit.url, title=hit.title, text=hit.passage.text) for hit in hits)

    def page(self, url: str) -> Passage | None:
        """All of a page by its URL, None if it is not in the index."""
        page = self._library.page(url)
        if page is None:
            return None
        return Passage(url=page.url, title=page.title, text="\n".join(one.text for one in page.passages))

    def close(self) -> None:
        """Close the file; no search may follow."""
        self._library.close()


def _new_page(page: HarvestedPage) -> NewPage:
    lines = tuple(PageLine(text=line) for line in page.lines)
    return NewPage(url=page.place or page.url, title=page.title, lines=lines, language=page.language, also=(page.url,))
