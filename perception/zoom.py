"""Looking closer: crops of crops that still know where they lie on the page, and the search for small letters in large pictures.

The operations are those of SenseSearch's `crop_image` (normalised corners, any picture so far) and of ReFACT's grounding step.
"""

from __future__ import annotations

import msgspec
import numpy as np

from perception.geometry import CoordinateFrame
from perception.image import Picture, opencv, resize, size_of
from perception.ocr import Line, TextReader

LEAST_SIDE = 8
"""Pixels of a crop's shorter side; less shows nothing."""
TILE_WIDTH, TILE_HEIGHT, OVERLAP = 640, 400, 48
"""Pixels of a picture that are enlarged at a time, to what a reader takes at once."""
ENLARGED = 2
FINE_SHARE = 0.0002
"""Share of a tile's pixels at a sharp edge from which there may be letters in it: fifty, two characters of 8 pixels."""
SAME = 0.5
"""Overlap from which two lines are one that two tiles show."""


class Framed(msgspec.Struct, frozen=True):
    """A picture that knows where it lies."""

    picture: Picture
    frame: CoordinateFrame


def crop(pictures: tuple[Framed, ...], box: tuple[float, float, float, float], index: int) -> tuple[Framed, ...]:
    """The pictures with one more: the part `box` (left, top, right, lower edge, each 0..1) of the one at `index`.

    Raises `ValueError`, one line, for an index or a box that is none.
    """
    if not 0 <= index < len(pictures):
        raise ValueError(f"there is no picture {index}; there are {len(pictures)}, counted from 0")
    left, top, right, bottom = box
    if not (0 <= left < right <= 1 and 0 <= top < bottom <= 1):
        raise ValueError(f"{box} is no box: left, top, right, lower edge between 0 and 1, each pair in order")
    source = pictures[index]
    width, height = size_of(source.picture)
    ends = int(left * width), int(top * height), -int(-right * width // 1), -int(-bottom * height // 1)
    if min(ends[2] - ends[0], ends[3] - ends[1]) < LEAST_SIDE:
        raise ValueError(
            f"the crop would be {ends[2] - ends[0]} x {ends[3] - ends[1]} pixels; at least {LEAST_SIDE} are needed"
        )
    part = source.picture[ends[1] : ends[3], ends[0] : ends[2]]
    shown = source.frame.box_to_page(*ends)
    return (*pictures, Framed(part, CoordinateFrame(shown=shown, width=part.shape[1], height=part.shape[0])))


def detailed_tiles(picture: Picture) -> tuple[tuple[int, int, int, int], ...]:
    """Left, top, right and lower edge of the tiles that may hold small letters, those with most detail first."""
    width, height = size_of(picture)
    cv2 = opencv()
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    edges = (np.abs(cv2.Laplacian(grey, cv2.CV_16S)) > 60).astype(np.uint8)
    found = []
    for top in range(0, height, TILE_HEIGHT):
        for left in range(0, width, TILE_WIDTH):
            share = float(edges[top : top + TILE_HEIGHT, left : left + TILE_WIDTH].mean())
            if share >= FINE_SHARE:
                ends = left - OVERLAP, top - OVERLAP, left + TILE_WIDTH + OVERLAP, top + TILE_HEIGHT + OVERLAP
                found.append((share, (max(0, ends[0]), max(0, ends[1]), min(width, ends[2]), min(height, ends[3]))))
    return tuple(tile for _, tile in sorted(found, key=lambda entry: (-entry[0], entry[1])))


def find_small_text(picture: Picture, frame: CoordinateFrame, reader: TextReader, most: int = 60) -> tuple[Line, ...]:
    """Lines of a large picture, read tile by tile at twice its size; tiles without detail are passed over. From the top down."""
    kept: list[Line] = []
    for left, top, right, bottom in detailed_tiles(picture)[:most]:
        part = resize(picture[top:bottom, left:right], (right - left) * ENLARGED, (bottom - top) * ENLARGED)
        shown = frame.box_to_page(left, top, right, bottom)
        tile = CoordinateFrame(shown=shown, width=part.shape[1], height=part.shape[0])
        for line in reader.read(part, tile):
            twin = next((other for other in kept if _is_same(line, other)), None)
            if twin is None:
                kept.append(line)
            elif len(line.text) > len(twin.text):
                kept[kept.index(twin)] = line
    return tuple(sorted(kept, key=lambda line: (round(line.box.y), line.box.x)))


def _is_same(one: Line, other: Line) -> bool:
    return one.box.share_in(other.box) > SAME or other.box.share_in(one.box) > SAME
