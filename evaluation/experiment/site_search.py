"""A search index over a site: its pages are crawled once, breadth-first, and their passages ranked for a query."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import msgspec

from evaluation.building.harvesting import HarvestLimits, harvest
from evaluation.building.tree import HarvestedPage, SiteTree
from memory.retrieval import Ranker
from walker.assembly import WalkResources

PASSAGE_CHARS = 700
"""Characters up to which lines are joined into a passage: about 150 tokens, as search engines do."""


class Passage(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of a page."""

    url: str
    title: str
    text: str


class SiteSearch:
    """Indexes of sites by root URL, each built once even under concurrent requests."""

    def __init__(self, store: Path, limits: HarvestLimits) -> None:
        self._store, self._limits = store, limits
        self._made: dict[str, asyncio.Task[SiteIndex]] = {}

    async def index(self, resources: WalkResources, root: str) -> SiteIndex:
        """The index of the site under `root`. Raises what a harvest raises."""
        if root not in self._made:
            self._made[root] = asyncio.ensure_future(self._make(resources, root))
        return await self._made[root]

    async def _make(self, resources: WalkResources, root: str) -> SiteIndex:
        tree = await harvest(root, self._store, self._limits)
        return SiteIndex(tree, resources.ranker)


class SiteIndex:
    """The passages of one site."""

    def __init__(self, tree: SiteTree, ranker: Ranker) -> None:
        self._ranker = ranker
        self._pages = {page.place or page.url: page for page in tree.pages}
        self._passages = tuple(passage for page in tree.pages for passage in _passages(page))

    def search(self, query: str, most: int) -> tuple[Passage, ...]:
        """The most relevant passages, best first."""
        ranked = self._ranker.rank(query, [f"{passage.title}\n{passage.text}" for passage in self._passages])
        return tuple(self._passages[one.index] for one in ranked[:most])

    def page(self, url: str) -> HarvestedPage | None:
        """A page by its URL, None if it is not in the index."""
        return self._pages.get(url.partition("#")[0])


def _passages(page: HarvestedPage) -> Sequence[Passage]:
    url, pieces, held = page.place or page.url, [], ""
    for line in page.lines:
        if held and len(held) + len(line) > PASSAGE_CHARS:
            pieces.append(held)
            held = ""
        held = f"{held}\n{line}" if held else line
    return [Passage(url=url, title=page.title, text=piece) for piece in (*pieces, held) if piece.strip()]
