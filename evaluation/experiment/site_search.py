"""Libraries of the sites of an experiment: the pages of each are crawled once, breadth-first, and searched without a network."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec

from evaluation.building.harvesting import HarvestLimits, folder_name, harvest
from evaluation.building.tree import HarvestedPage
from memory.library.protocol import NewPage, PageLine
from walker.library.opening import opened_library


class SiteSearch:
    """Libraries by root URL, each made once even under concurrent requests."""

    def __init__(self, store: Path, limits: HarvestLimits) -> None:
        self._store, self._limits = store, limits
        self._made: dict[str, asyncio.Task[Path]] = {}

    async def library(self, root: str) -> Path:
        """The file with the pages of the site under `root`. Raises what a harvest raises, and `LibraryFailed`."""
        if root not in self._made:
            self._made[root] = asyncio.ensure_future(self._make(root))
        return await self._made[root]

    async def _make(self, root: str) -> Path:
        tree = await harvest(root, self._store, self._limits)
        read = msgspec.json.encode(msgspec.structs.replace(self._limits, jobs=1, chromium=""))
        path = self._store / f"{folder_name(root, read)}.library"
        with opened_library(path, writable=True) as library:
            for page in tree.pages:
                library.add(_new_page(page))
        return path


def _new_page(page: HarvestedPage) -> NewPage:
    lines = tuple(PageLine(text=line) for line in page.lines)
    return NewPage(url=page.place or page.url, title=page.title, lines=lines, language=page.language, also=(page.url,))
