"""Whether a picture shows another one or a part of it: matched features that agree on one shift, scale and turn."""

from __future__ import annotations

import msgspec
import numpy as np
from numpy.typing import NDArray

from perception.geometry import Point
from perception.images.image import hash_distance, opencv
from perception.page_pictures import Shares
from perception.picture_search.features import THUMBNAIL, Features, Look
from perception.picture_search.hamming import two_nearest

DISTANCE_AT_MOST = 64
"""Bits of 256 in which the descriptors of one place may differ."""
RATIO = 0.8
"""Most that the nearest may be, of the second nearest: else either could be meant."""
TOLERANCE = 0.0125
"""How far a matched point may lie from where the others put it, in shares of the found picture's longer side: 8 pixels of 640."""
TRIES = 500
SCALES = (0.1, 6.0)
"""Of the searched picture against the found one; beyond, the points agree by chance."""
CELL = 0.00625
"""Points of one cell are counted once: a corner is found at several scales. 4 pixels of 640."""
POINTS_KEPT = 40
_LEAST = 4

Placed = tuple[float, float, float, float, float, float]
"""Where the searched picture lies in the found one, in shares of their sides: x is `a * x + b * y + c`, y is `d * x + e * y + f`."""
IN_PLACE: Placed = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """What speaks for one picture showing another."""

    agreeing: int = 0
    """Distinct points that agree on where the searched picture lies in the found one."""
    matched: int = 0
    """Features that look alike, agreeing or not."""
    covered: float = 0.0
    """Share 0..1 of the searched picture that the agreeing points span."""
    similarity: float = 0.0
    """Correlation -1..1 of the thumbnails: that the one is the other as a whole."""
    bits: int = 64
    """In which the perceptual hashes differ."""
    part: Shares = (0.0, 0.0, 1.0, 1.0)
    """Where in the found picture the searched one lies."""
    placed: Placed = IN_PLACE
    """The same as a shift, scale and turn."""
    points: tuple[tuple[Point, Point], ...] = ()
    """Agreeing points, in shares of the searched and of the found picture."""


def match(searched: Look, found: Look) -> Match:
    """Compare two pictures; the same for the same two. About 1.5 ms."""
    whole = Match(similarity=_similarity(searched, found), bits=hash_distance(searched.hash, found.hash))
    pairs = _pairs(searched.features, found.features)
    if len(pairs) < _LEAST:
        return msgspec.structs.replace(whole, matched=len(pairs))
    longer = max(1.0, found.features.aspect)
    ours = _scaled(searched.features, pairs[:, 0], max(1.0, searched.features.aspect))
    theirs = _scaled(found.features, pairs[:, 1], longer)
    # OpenCV starts the generator of this function at the same seed with each call.
    moved, agrees = opencv().estimateAffinePartial2D(
        ours, theirs, method=opencv().RANSAC, ransacReprojThreshold=TOLERANCE, maxIters=TRIES, confidence=0.995
    )
    if moved is None or not SCALES[0] <= float(np.hypot(moved[0, 0], moved[1, 0])) <= SCALES[1]:
        return msgspec.structs.replace(whole, matched=len(pairs))
    kept = _distinct(theirs, np.flatnonzero(agrees.ravel()))
    return msgspec.structs.replace(
        whole,
        agreeing=len(kept),
        matched=len(pairs),
        covered=_covered(searched.features.points[pairs[kept, 0], :2]),
        part=_part(moved, searched.features.aspect, found.features.aspect),
        placed=_placed(moved, searched.features.aspect, found.features.aspect),
        points=_told(searched.features, found.features, pairs[kept]),
    )


def _pairs(searched: Features, found: Features) -> NDArray[np.int64]:
    """Features that look alike, a row each: the searched picture's and the found one's; each of the found one's once."""
    if searched.count < _LEAST or found.count < _LEAST:
        return np.zeros((0, 2), np.int64)
    nearest, first, second = two_nearest(searched.descriptors, found.descriptors)
    ours = np.flatnonzero((first <= DISTANCE_AT_MOST) & (first < RATIO * second))
    theirs = nearest[ours]
    ordered = np.lexsort((ours, first[ours], theirs))
    _, best = np.unique(theirs[ordered], return_index=True)
    kept = ordered[best]
    return np.stack([ours[kept], theirs[kept]], axis=1).astype(np.int64)


def _scaled(features: Features, rows: NDArray[np.int64], longer: float) -> NDArray[np.float32]:
    """Points with the same unit in both directions: the picture's longer side is 1."""
    return np.asarray(features.points[rows, :2] * np.array([features.aspect, 1.0], np.float32) / longer, np.float32)


def _distinct(points: NDArray[np.float32], rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """The first row of each cell."""
    cells = np.floor(points[rows] / CELL).astype(np.int64)
    _, first = np.unique(cells, axis=0, return_index=True)
    return rows[np.sort(first)]


def _covered(points: NDArray[np.float32]) -> float:
    if len(points) < _LEAST:
        return 0.0
    spread = points.max(axis=0) - points.min(axis=0)
    return float(spread[0] * spread[1])


def _part(moved: NDArray[np.float64], aspect: float, found_aspect: float) -> Shares:
    """The box around the searched picture's corners, in shares of the found one."""
    unit, found_unit = max(1.0, aspect), max(1.0, found_aspect)
    corners = np.array([(x * aspect / unit, y / unit, 1.0) for x in (0, 1) for y in (0, 1)])
    placed = corners @ moved.T * found_unit / np.array([found_aspect, 1.0])
    low, high = np.clip(placed.min(axis=0), 0, 1), np.clip(placed.max(axis=0), 0, 1)
    left, top, right, bottom = (round(float(side), 4) for side in (*low, *high))
    return (left, top, right, bottom) if left < right and top < bottom else (0.0, 0.0, 1.0, 1.0)


def _placed(moved: NDArray[np.float64], aspect: float, found_aspect: float) -> Placed:
    """The transform of points whose pictures' longer sides are 1, for points in shares."""
    unit, found_unit = max(1.0, aspect), max(1.0, found_aspect)
    columns = moved * np.array([aspect / unit, 1 / unit, 1.0])
    rows = columns * found_unit / np.array([[found_aspect], [1.0]])
    a, b, c, d, e, f = (float(value) for value in rows.ravel())
    return a, b, c, d, e, f


def _told(searched: Features, found: Features, pairs: NDArray[np.int64]) -> tuple[tuple[Point, Point], ...]:
    """At most 40 of the pairs, spread evenly over them."""
    few = pairs[np.unique(np.linspace(0, len(pairs) - 1, min(len(pairs), POINTS_KEPT)).astype(np.int64))]
    return tuple((_point(searched, ours), _point(found, theirs)) for ours, theirs in few)


def _point(features: Features, row: int) -> Point:
    x, y = (round(float(share), 4) for share in features.points[row, :2])
    return Point(x=x, y=y)


def _similarity(searched: Look, found: Look) -> float:
    """Of pictures of nearly the same shape only: a thumbnail has lost its own."""
    shapes = searched.features.aspect / found.features.aspect
    if not 0.85 < shapes < 1.18:
        return 0.0
    one, other = (np.frombuffer(look.thumbnail, np.uint8).astype(np.float32) for look in (searched, found))
    assert len(one) == THUMBNAIL * THUMBNAIL, "a thumbnail has one size"
    one, other = one - one.mean(), other - other.mean()
    length = float(np.linalg.norm(one) * np.linalg.norm(other))
    return round(float(one @ other) / length, 4) if length > 1 else 0.0
