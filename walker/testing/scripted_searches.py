"""Searches in memory: hits that are given by the query, or by the digest of the picture."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from walker.seams.search_protocols import PictureHit, SearchFailure, TextHit


class ScriptedTextSearch:
    """Implements `walker.seams.search_protocols.TextSearch`; `asked` are the queries so far."""

    def __init__(self, hits: Mapping[str, tuple[TextHit, ...] | SearchFailure]) -> None:
        """`hits` by query; any other finds nothing."""
        self._hits = hits
        self.asked: list[str] = []

    async def search(self, query: str, most: int) -> tuple[TextHit, ...] | SearchFailure:
        """The hits of a query, each address once, cut to `most`."""
        self.asked.append(query)
        found = self._hits.get(query, ())
        if isinstance(found, SearchFailure):
            return found
        first: dict[str, TextHit] = {}
        for hit in found:
            first.setdefault(hit.url, hit)
        return tuple(first.values())[:most]

    async def close(self) -> None:
        """Nothing is open."""


class ScriptedPictureSearch:
    """Implements `walker.seams.search_protocols.PictureSearch`; `asked` are the pictures' digests so far."""

    def __init__(self, hits: Mapping[str, tuple[PictureHit, ...] | SearchFailure]) -> None:
        """`hits` by SHA-256 of the searched picture, hexadecimal; any other finds nothing."""
        self._hits = hits
        self.asked: list[str] = []

    async def find(self, picture: bytes, words: str, most: int) -> tuple[PictureHit, ...] | SearchFailure:
        """The hits of a picture, cut to `most`; its words play no part."""
        del words
        digest = hashlib.sha256(picture).hexdigest()
        self.asked.append(digest)
        found = self._hits.get(digest, ())
        return found if isinstance(found, SearchFailure) else found[:most]

    async def close(self) -> None:
        """Nothing is open."""
