"""A second implementation of the PictureSearch seam, over pictures in memory: local features and a similarity between them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import cv2
import msgspec
import numpy as np

from perception.errors import PictureUnreadable
from perception.images.image import decode_picture, opencv
from walker.seams.search_protocols import PictureHit, SearchFailure

LEAST_MATCHES, SURE_MATCHES = 8, 24


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """A picture, and what its page says of it."""

    data: bytes
    title: str
    words: str = ""


class PlainPictureSearch:
    """Implements `walker.seams.search_protocols.PictureSearch`."""

    def __init__(self, pages: Mapping[str, Shown]) -> None:
        """`pages` by their addresses."""
        self._pages = pages
        self._known = {url: _features(one.data) for url, one in pages.items()}
        self.asked = 0

    async def find(self, picture: bytes, words: str, most: int) -> tuple[PictureHit, ...] | SearchFailure:
        """The pages by the number of points that agree; the words play no part."""
        del words
        self.asked += 1
        try:
            searched = _features(picture)
        except PictureUnreadable as error:
            return SearchFailure(kind="unreadable", message=str(error))
        hits = [
            PictureHit(url=url, title=one.title, words=one.words, score=_likeness(searched, self._known[url]))
            for url, one in self._pages.items()
        ]
        return tuple(sorted((hit for hit in hits if hit.score), key=lambda hit: -hit.score)[:most])

    async def close(self) -> None:
        """Nothing is open."""


def _features(data: bytes) -> tuple[Any, Any]:
    found: tuple[Any, Any] = opencv().ORB_create(nfeatures=1500).detectAndCompute(decode_picture(data), None)
    return found


def _likeness(one: tuple[Any, Any], other: tuple[Any, Any]) -> float:
    """Share 0..1 of the points that are enough to be sure, of those that one similarity maps onto each other."""
    if one[1] is None or other[1] is None:
        return 0.0
    pairs = cv2.BFMatcher(cv2.NORM_HAMMING).knnMatch(one[1], other[1], k=2)
    good = [pair[0] for pair in pairs if len(pair) == 2 and pair[0].distance < 0.75 * pair[1].distance]
    if len(good) < LEAST_MATCHES:
        return 0.0
    here = np.array([one[0][match.queryIdx].pt for match in good])
    there = np.array([other[0][match.trainIdx].pt for match in good])
    cv2.setRNGSeed(1)
    _, inside = cv2.estimateAffinePartial2D(here, there, ransacReprojThreshold=4.0)
    agreed = 0 if inside is None else int(inside.sum())
    return round(min(1.0, agreed / SURE_MATCHES), 3) if agreed >= LEAST_MATCHES else 0.0
