"""Whether two pictures have the same pixels where one is said to lie in the other: windows of one program and slides of one talk share
their frames and logos, and so their points, but not what stands between."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from perception.errors import PictureUnreadable
from perception.images.image import Picture, decode_picture, opencv, resize, size_of
from perception.images.picture_file import PREVIEW_SIDE
from perception.picture_search.matching import IN_PLACE, Match, Placed

GRID, TILE = 96, 12
"""Pixels of the longer side at which two pictures are compared, and of the side of a tile."""
TEXTURED, FAINT = 6.0, 2.0
"""Standard deviation of grey levels from which a tile shows something; what is below FAINT counts as that much, as JPEG leaves it."""
SAME = 0.6
"""Correlation of two tiles from which they show the same."""

LIKE_AS_A_WHOLE = 0.8
"""Correlation of the thumbnails from which two pictures may be one without a turn or shift; as many hashes as differ in NEAR_BITS."""
NEAR_BITS = 14

Greys = NDArray[np.float32]


class PixelCheck:
    """Compares a picture with others, of which it is given previews by their numbers."""

    def __init__(self, searched: Picture, preview_of: Callable[[int], bytes]) -> None:
        self._searched, self._preview_of = searched, preview_of
        self._ours: Greys | None = None
        self._theirs: dict[int, Greys | None] = {}

    def agrees(self, number: int, one: Match) -> float | None:
        """The share 0..1 of what the searched picture shows that this one shows at the same place. None where neither shows anything
        there, too little is kept of it to tell, or its preview cannot be read."""
        theirs = self._kept(number)
        if theirs is None:
            return None
        if self._ours is None:
            self._ours = _small_grey(self._searched)
        may_be_whole = one.similarity >= LIKE_AS_A_WHOLE or one.bits <= NEAR_BITS
        places = (one.placed, IN_PLACE) if may_be_whole and one.placed != IN_PLACE else (one.placed,)
        shares = [share for placed in places if (share := agreement(self._ours, theirs, placed)) is not None]
        return max(shares, default=None)

    def _kept(self, number: int) -> Greys | None:
        if number not in self._theirs:
            try:
                preview = self._preview_of(number)
                self._theirs[number] = _small_grey(decode_picture(preview)) if preview else None
            except PictureUnreadable:
                self._theirs[number] = None
        return self._theirs[number]


def agreement(ours: Greys, theirs: Greys, placed: Placed) -> float | None:
    """The share 0..1 of the tiles of our picture that show something, or behind which the other one does, which both show alike. None
    where there is none, or they are too small to tell."""
    height, width = ours.shape
    rows, columns = theirs.shape
    across = np.hypot(placed[0] * columns, placed[3] * rows)
    down = np.hypot(placed[1] * columns, placed[4] * rows)
    # No finer than either is known: a part of a preview has few pixels.
    scale = min(GRID / max(width, height), 1.0, across / width, down / height)
    size = round(width * scale), round(height * scale)
    if min(size) < TILE or max(size) < 2 * TILE:
        return None
    small = opencv().resize(ours, size, interpolation=opencv().INTER_AREA)
    shown, is_inside = _warped(theirs, placed, size, min(1.0, size[0] / across))
    return _same_tiles(np.asarray(small, np.float32), shown, is_inside)


def _warped(theirs: Greys, placed: Placed, size: tuple[int, int], scale: float) -> tuple[Greys, NDArray[np.bool_]]:
    """The found picture as it stands behind the searched one, and where it has pixels."""
    cv2 = opencv()
    wide, high = max(1, round(theirs.shape[1] * scale)), max(1, round(theirs.shape[0] * scale))
    reduced = cv2.resize(theirs, (wide, high), interpolation=cv2.INTER_AREA)
    width, height = size
    a, b, c, d, e, f = placed
    rows = np.array([[a * wide / width, b * wide / height, c * wide], [d * high / width, e * high / height, f * high]])
    # Pixels lie half a pixel behind their edges.
    rows[:, 2] += rows[:, :2] @ np.array([0.5, 0.5]) - 0.5
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    shown = cv2.warpAffine(reduced, rows, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    inside = cv2.warpAffine(np.ones_like(reduced), rows, size, flags=flags, borderMode=cv2.BORDER_CONSTANT)
    return np.asarray(shown, np.float32), np.asarray(inside > 0.5)


def _same_tiles(ours: Greys, theirs: Greys, is_inside: NDArray[np.bool_]) -> float | None:
    mine, other, inside = (_tiles(values) for values in (ours, theirs, is_inside.astype(np.float32)))
    mine, other = (values - values.mean(axis=1, keepdims=True) for values in (mine, other))
    spread, others_spread = mine.std(axis=1), other.std(axis=1)
    is_here = inside.mean(axis=1) > 0.5
    shows = (spread >= TEXTURED) | (is_here & (others_spread >= TEXTURED))
    if not shows.any():
        return None
    correlation = (mine * other).mean(axis=1) / (np.maximum(spread, FAINT) * np.maximum(others_spread, FAINT))
    return float((is_here & (correlation >= SAME))[shows].mean())


def _tiles(values: Greys) -> Greys:
    """A row for each tile; what is left at the right and lower edge belongs to none."""
    rows, columns = values.shape[0] // TILE, values.shape[1] // TILE
    cut = values[: rows * TILE, : columns * TILE].reshape(rows, TILE, columns, TILE)
    return np.asarray(cut.transpose(0, 2, 1, 3).reshape(rows * columns, TILE * TILE), np.float32)


def _small_grey(picture: Picture) -> Greys:
    width, height = size_of(picture)
    share = min(1.0, PREVIEW_SIDE / max(width, height))
    small = resize(picture, max(1, round(width * share)), max(1, round(height * share)))
    return np.asarray(opencv().cvtColor(small, opencv().COLOR_BGR2GRAY), np.float32)
