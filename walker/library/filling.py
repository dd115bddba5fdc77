"""Adds pages to a library as they come: from a crawl, from a walk, or from files."""

from __future__ import annotations

from collections import Counter
from typing import Literal

import msgspec

from memory.library.pictures import PagePicture
from memory.library.protocol import Added, Library
from memory.url_key import BadUrl
from perception.document.reading import observe, observe_text
from perception.observation import Observation
from perception.snapshot import Snapshot
from walker.library.page_passages import page_of_text
from walker.rules.viability import SPARSE_CHARS, reject_by_structure

Filled = Added | Literal["refused"]
"""What became of a page; `refused` is an error page, a login wall, a challenge, or a page without a web address."""
WEB = ("http://", "https://")


class LibraryFiller:
    """Adds the pages that are worth finding, and counts what became of each."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self.counts: Counter[Filled] = Counter()

    def add(self, snapshot: Snapshot, pictures: tuple[PagePicture, ...] | None = None) -> Filled:
        """Add a page as a browser delivered it, with its pictures if they were read; both are safe from kill -9 when this returns.
        Raises `LibraryUnusable`."""
        filled = self._add(snapshot, pictures)
        self.counts[filled] += 1
        return filled

    def add_read(self, observation: Observation, snapshot: Snapshot) -> Filled:
        """Add a page that was observed already, and is a page. Raises `LibraryUnusable`."""
        try:
            filled: Filled = self._library.add(page_of_text(observation, snapshot))
        except BadUrl:
            filled = "refused"
        self.counts[filled] += 1
        return filled

    def has(self, url: str) -> bool:
        """Whether a page is there. Raises `LibraryUnusable`."""
        return self._library.has(url)

    def forget(self, url: str) -> None:
        """Remove a page that turned out to be none. Raises `LibraryUnusable`."""
        self._library.remove(url.partition("#")[0].replace("*", "%2A"))

    def _add(self, snapshot: Snapshot, pictures: tuple[PagePicture, ...] | None) -> Filled:
        if snapshot.status >= 400 or not snapshot.final_url.startswith(WEB):
            return "refused"
        observation = observe_text(snapshot)
        if _is_sparse(observation) and reject_by_structure(observe(snapshot)) is not None:
            return "refused"
        try:
            return self._library.add(msgspec.structs.replace(page_of_text(observation, snapshot), pictures=pictures))
        except BadUrl:
            return "refused"


def _is_sparse(observation: Observation) -> bool:
    """Whether a page has so little text that it may be a login wall or a challenge, which only its whole structure tells."""
    return sum(len(block.text) for block in observation.blocks if block.region == "main") < SPARSE_CHARS
