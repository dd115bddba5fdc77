"""OCR of small text in large pictures: only tiles with detail in them are enlarged and read."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from perception.geometry import CoordinateFrame
from perception.images.image import Picture, opencv, resize, size_of
from perception.ocr.ocr import Line, TextReader, Word
from perception.ocr.tile_edges import Part, join_parts

TILE_WIDTH, TILE_HEIGHT, OVERLAP = 640, 400, 48
"""Pixels of a tile before it is enlarged to what the OCR engine takes at once."""
ENLARGED = 2
FINE_SHARE = 0.0002
"""Least share of edge pixels in a tile that may contain text: fifty pixels, two characters of 8 pixels."""
LINES_AT_MOST = 300
"""Lines of a picture from which no further tile of it is read: a line takes 30 to 50 ms of CPU time, 300 of them about 12 s."""
SAME = 0.5
"""Overlap (IoU) from which two lines are the same one in two tiles."""


def detailed_tiles(picture: Picture) -> tuple[tuple[int, int, int, int], ...]:
    """Left, top, right and lower edge of the tiles that may contain small text, those with most detail first."""
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


class SmallText(NamedTuple):
    """Lines of a large picture from the top down, and how many of its tiles were left unread."""

    lines: tuple[Line, ...]
    left: int = 0


def find_small_text(
    picture: Picture, frame: CoordinateFrame, reader: TextReader, most: int = 60, most_lines: int = LINES_AT_MOST
) -> SmallText:
    """The lines of a large picture, read tile by tile at twice its size, those with most detail first; tiles without detail are
    skipped. At `most` so many tiles are read, and none once there are `most_lines`."""
    kept: list[Line] = []
    tiles = detailed_tiles(picture)
    for number, (left, top, right, bottom) in enumerate(tiles):
        if number >= most or len(kept) >= most_lines:
            return SmallText(_in_order(kept), len(tiles) - number)
        part = resize(picture[top:bottom, left:right], (right - left) * ENLARGED, (bottom - top) * ENLARGED)
        shown = frame.box_to_page(left, top, right, bottom)
        tile = CoordinateFrame(shown=shown, width=part.shape[1], height=part.shape[0])
        for line in reader.read(part, tile):
            _keep(kept, line)
    return SmallText(_in_order(kept))


def _in_order(lines: list[Line]) -> tuple[Line, ...]:
    return tuple(sorted(lines, key=lambda line: (round(line.box.y), line.box.x)))


def _keep(kept: list[Line], line: Line) -> None:
    """Add a line, in place of a shorter one of the same place, and joined with the parts of it that other tiles read."""
    twin = next((other for other in kept if _is_same(line, other)), None)
    if twin is not None:
        if len(line.text) > len(twin.text):
            kept[kept.index(twin)] = line
        return
    for other in list(kept):
        if part := join_parts(Part(line.text, line.box), Part(other.text, other.box)):
            kept.remove(other)
            sure = min(line.confidence, other.confidence)
            line = Line(text=part.text, box=part.box, confidence=sure, words=_words(line, other))
    kept.append(line)


def _words(one: Line, other: Line) -> tuple[Word, ...]:
    """The words of two parts of a line, of each those on its side of the middle of where they overlap."""
    left, right = (one, other) if one.box.x <= other.box.x else (other, one)
    middle = (right.box.x + left.box.right) / 2
    before = (word for word in left.words if word.box.center.x < middle)
    after = (word for word in right.words if word.box.center.x >= middle)
    return (*before, *after)


def _is_same(one: Line, other: Line) -> bool:
    return one.box.share_in(other.box) > SAME or other.box.share_in(one.box) > SAME
