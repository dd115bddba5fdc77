"""Normalises a crop of a screenshot to a small gray glyph, whatever its colours, size and margins.

Dark on light, light on dark, a coloured button, a sprite, an icon font and a canvas all become white ink on black.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from perception.images.image import opencv

Crop = np.ndarray[Any, Any]
"""uint8, height x width (gray) or height x width x 3 (BGR)."""
Glyph = npt.NDArray[np.uint8]
"""SIDE x SIDE; 0 is background, 255 the strongest ink."""

SIDE = 48
"""Pixels of a glyph's side."""
INKED_SIDE = 42
"""Pixels that the longer side of the ink is scaled to; the rest is margin, which a convolution at the edge needs."""
LARGEST_SIDE = 1024
"""Pixels of a side above which a crop is shrunk first: an icon of 16 px in a bar as wide as a page keeps its pixels."""
FAINTEST = 14.0
"""Gray levels by which ink must differ from its background: JPEG noise at quality 60 on an even area stays below."""
NOISE_SHARE, EDGE_SHARE = 0.08, 0.3
"""Shares of the strongest ink: weaker pixels are background; weaker pixels do not extend the bounding box."""
FRAME_SHARE = 0.045
"""Share of a crop's side that a button's border takes at most; strokes of icons are wider (1.5 of 24 px)."""
PADDING_SHARE = 0.14
"""Share of a crop's side that stays even inside a button's border; a bold stroke of an icon is narrower (3 of 24 px)."""
CORNER_SHARE = 0.18
"""Largest share of a crop's side that the remainder of a button's rounded corner takes."""
EVEN_SHARE = 0.8
"""Share of a ring's pixels that must have one colour for it to be a border, or the button behind one."""


def glyph_of(crop: Crop) -> Glyph:
    """The ink of a crop; all 0 if there is none. Raises `ValueError` unless it is a uint8 gray or BGR picture."""
    ink = _ink(_unframed(_shrunk(checked(crop))))
    strongest = float(ink.max(initial=0))
    if strongest < FAINTEST:
        return np.zeros((SIDE, SIDE), np.uint8)
    share = np.clip((ink.astype(np.float32) / strongest - NOISE_SHARE) / (1.0 - 2 * NOISE_SHARE), 0.0, 1.0)
    return _framed((share * 255.0).astype(np.uint8))


def glyph_batch(crops: Sequence[Crop]) -> npt.NDArray[np.float32]:
    """Crops as one array: count x 1 x SIDE x SIDE, 0 to 1. Raises `ValueError`, which names the crop by its index."""
    batch = np.zeros((len(crops), 1, SIDE, SIDE), np.float32)
    for place, crop in enumerate(crops):
        try:
            batch[place, 0] = glyph_of(crop)
        except ValueError as error:
            raise ValueError(f"crop {place}: {error}") from None
    return batch / np.float32(255.0)


def checked(crop: Crop) -> Crop:
    """The crop itself; raises `ValueError` unless it is a uint8 gray or BGR picture of at least one pixel."""
    if not isinstance(crop, np.ndarray) or crop.dtype != np.uint8:
        kind = crop.dtype if isinstance(crop, np.ndarray) else type(crop).__name__
        raise ValueError(
            f"a crop is an array of uint8, this is {kind}. Convert it: numpy.clip(x, 0, 255).astype('uint8')"
        )
    if crop.ndim != 2 and (crop.ndim != 3 or crop.shape[2] != 3):
        raise ValueError(
            f"a crop is gray or BGR, this has the shape {crop.shape}. Drop alpha: cv2.cvtColor(x, cv2.COLOR_BGRA2BGR)"
        )
    if crop.size == 0:
        raise ValueError(f"a crop has at least one pixel, this has the shape {crop.shape}")
    return crop


def _shrunk(crop: Crop) -> Crop:
    height, width = crop.shape[:2]
    scale = LARGEST_SIDE / max(height, width)
    if scale >= 1.0:
        return crop
    cv2 = opencv()
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    return np.asarray(cv2.resize(crop, size, interpolation=cv2.INTER_AREA))


def _unframed(crop: Crop) -> Crop:
    """The crop without the border of a button, where it has one."""
    deepest = int(min(crop.shape[:2]) * FRAME_SHARE)
    if not deepest:
        return crop
    outer, is_even = _ring(crop, 0)
    for depth in range(1, deepest + 1):
        inner, is_inner_even = _ring(crop, depth)
        if not (is_even and is_inner_even) or float(np.abs(outer - inner).max()) < FAINTEST:
            continue
        deeper, is_deeper_even = _ring(crop, depth + int(min(crop.shape[:2]) * PADDING_SHARE))
        if is_deeper_even and float(np.abs(deeper - inner).max()) < FAINTEST:
            return crop[depth:-depth, depth:-depth]
    return crop


def _ring(crop: Crop, depth: int) -> tuple[npt.NDArray[np.float32], bool]:
    """The median colour of the pixels `depth` from the edge, and whether most of them have it."""
    cut = crop[depth : crop.shape[0] - depth, depth : crop.shape[1] - depth]
    pixels = np.concatenate([cut[0], cut[-1], cut[:, 0], cut[:, -1]]).reshape(-1, 1 if crop.ndim == 2 else 3)
    middle = np.sort(pixels, axis=0)[len(pixels) // 2].astype(np.float32)
    return middle, float((np.abs(pixels - middle).max(axis=1) < FAINTEST).mean()) >= EVEN_SHARE


def _ink(crop: Crop) -> Crop:
    """How far each pixel is from the background, in gray levels of the channel that differs most."""
    cv2 = opencv()
    background = _ring(crop, 0)[0].astype(np.uint8)
    if crop.ndim == 2:
        return _without_corners(cv2.absdiff(crop, np.full_like(crop, background[0])))
    ink = cv2.absdiff(crop, np.broadcast_to(background, crop.shape).copy())
    return _without_corners(np.asarray(ink.max(axis=2)))


def _without_corners(ink: Crop) -> Crop:
    """Ink without the page that shows around a button's rounded corners: small pieces that fill a corner of the crop."""
    height, width = ink.shape
    corners = ink[[0, 0, -1, -1], [0, -1, 0, -1]]
    if min(height, width) * CORNER_SHARE < 2 or corners.min() < FAINTEST:
        return ink
    cv2 = opencv()
    limit = np.array((width, height)) * CORNER_SHARE
    _, labels, stats, _ = cv2.connectedComponentsWithStats((ink >= FAINTEST).astype(np.uint8))
    pieces = set(labels[[0, 0, -1, -1], [0, -1, 0, -1]].tolist())
    if any((stats[piece, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]] > limit).any() for piece in pieces):
        return ink
    return np.where(np.isin(labels, list(pieces)), np.uint8(0), ink)


def _framed(ink: Crop) -> Glyph:
    """Ink cropped to its bounding box, scaled to `INKED_SIDE` at its aspect ratio, centred on a black square."""
    dark = ink >= int(255 * EDGE_SHARE)
    rows, columns = np.flatnonzero(dark.any(axis=1)), np.flatnonzero(dark.any(axis=0))
    cut = ink[max(0, rows[0] - 1) : rows[-1] + 2, max(0, columns[0] - 1) : columns[-1] + 2]
    height, width = cut.shape
    scale = INKED_SIDE / max(height, width)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    cv2 = opencv()
    scaled = cv2.resize(cut, size, interpolation=cv2.INTER_AREA if scale < 1.0 else cv2.INTER_CUBIC)
    glyph = np.zeros((SIDE, SIDE), np.uint8)
    top, left = (SIDE - size[1]) // 2, (SIDE - size[0]) // 2
    glyph[top : top + size[1], left : left + size[0]] = scaled
    return glyph
