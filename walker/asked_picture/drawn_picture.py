"""The picture of a question on a page of its own: where it stands there, and views of it, drawn from its bytes without a browser."""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np

from perception.element_map import ElementMap, View
from perception.geometry import Box
from perception.images.image import Picture, decode_picture, encode_picture, perceptual_hashes, resize, size_of
from perception.page_pictures import Shares
from perception.snapshot import BlindRegion, Layout, Media
from walker.asked_picture.picture_file import AskedPicture

PAGE_WIDTH, WINDOW_HEIGHT = 1280, 800
"""CSS pixels, as the windows of walks have."""
MARGIN, HEAD = 24.0, 96.0
"""CSS pixels beside and below the picture, and above it for the heading."""
LEAST_SHOWN = 40_000.0
"""Square CSS pixels that a small picture is enlarged to: smaller ones on a page count for decoration."""
SPOTS, SIDE, ALIKE = 4, 32, 2
"""For its evenness, as pages measure it: spots across and down, pixels of their sides, and the most that like ones differ by."""
WEBP_PIXELS = 3_000_000
"""Pixels up to which a view is lossless WebP, half the size of PNG."""
NAME, PART_NAME = "the picture of the question", "the part of the picture that the question is about"


class DrawnPicture:
    """Lays the picture out below a heading and draws what is asked for of the page."""

    def __init__(self, asked: AskedPicture, url: str, source: str) -> None:
        """`url` of the page, `source`: the address that stands for the picture's file."""
        self.asked, self._url, self._source = asked, url, source
        about = asked.about
        fits = min(1.0, (PAGE_WIDTH - 2 * MARGIN) / about.width)
        self._scale = max(fits, min((PAGE_WIDTH - 2 * MARGIN) / about.width, math.sqrt(LEAST_SHOWN / self._pixels)))
        width, height = round(about.width * self._scale, 2), round(about.height * self._scale, 2)
        self.box = Box(x=MARGIN, y=HEAD, width=width, height=height)

    @property
    def _pixels(self) -> int:
        return self.asked.about.width * self.asked.about.height

    @cached_property
    def picture(self) -> Picture:
        """Its pixels."""
        return decode_picture(self.asked.data)

    @property
    def detail(self) -> float:
        """Its own pixels per CSS pixel."""
        return round(1 / self._scale, 3)

    def place_of(self, shares: Shares) -> Box:
        """The box on the page of a part of the picture."""
        left, top, right, bottom = shares
        return Box(
            x=round(self.box.x + left * self.box.width, 2),
            y=round(self.box.y + top * self.box.height, 2),
            width=round((right - left) * self.box.width, 2),
            height=round((bottom - top) * self.box.height, 2),
        )

    def shares_of(self, box: Box) -> Shares:
        """The part of the picture that lies in a box of the page."""
        part = box.cut_to(self.box)
        across, down = self.box.width, self.box.height
        return (
            (part.x - self.box.x) / across, (part.y - self.box.y) / down,
            (part.right - self.box.x) / across, (part.bottom - self.box.y) / down,
        )  # fmt: skip

    @cached_property
    def layout(self) -> Layout:
        """The page as a browser would measure it: the picture, before it the part that the question is about."""
        asked_box = self.asked.about.box
        boxes = [(self.place_of(asked_box), PART_NAME)] if asked_box is not None else []
        even = evenness_of(self.picture)
        detail = self.detail if self.detail > 1 else 0.0
        return Layout(
            viewport_width=PAGE_WIDTH,
            viewport_height=WINDOW_HEIGHT,
            page_height=int(self._height),
            media=(Media(kind="img", box=self.box),),
            blind=tuple(
                BlindRegion(
                    kind="media",
                    box=box,
                    heading=name,
                    detail=detail,
                    source="" if name == PART_NAME else self._source,
                    even=even,
                )
                for box, name in (*boxes, (self.box, NAME))
            ),
        )

    def view(self, *, whole: bool = False, box: Box | None = None, scale: float = 1.0) -> View:
        """The window, the whole page or one box of it, resampled from the picture at `scale` picture pixels per CSS pixel."""
        page = Box(x=0.0, y=0.0, width=float(PAGE_WIDTH), height=self._height)
        window = window_of(page, WINDOW_HEIGHT)
        shown = page if whole else window
        if box is not None:
            # A box that lies on the page stays as it is: its edges are compared.
            is_inside = box.x >= 0 and box.y >= 0 and box.right <= page.width and box.bottom <= page.height
            shown = box if is_inside else box.cut_to(page)
        elements = ElementMap(viewport=window, page_width=page.width, page_height=page.height, is_whole=whole)
        if not shown.area:
            return View(url=self._url, picture=b"", width=0, height=0, shown=shown, map=elements)
        drawn = self._drawn(shown, scale)
        width, height = size_of(drawn)
        kind = "webp" if width * height <= WEBP_PIXELS else "png"
        return View(
            url=self._url,
            picture=encode_picture(drawn, "webp" if kind == "webp" else "png"),
            width=width,
            height=height,
            shown=shown,
            map=elements,
            prints=perceptual_hashes(drawn),
        )

    def cut(self, shares: Shares) -> bytes:
        """A part of the picture as a PNG file, in its own pixels."""
        height, width = self.picture.shape[:2]
        left, top, right, bottom = shares
        rows = slice(int(top * height), max(int(top * height) + 1, math.ceil(bottom * height)))
        columns = slice(int(left * width), max(int(left * width) + 1, math.ceil(right * width)))
        return encode_picture(self.picture[rows, columns])

    @property
    def _height(self) -> float:
        return float(math.ceil(self.box.bottom + MARGIN))

    def _drawn(self, shown: Box, scale: float) -> Picture:
        width, height = max(1, round(shown.width * scale)), max(1, round(shown.height * scale))
        paper = np.full((height, width, 3), 255, np.uint8)
        part = shown.cut_to(self.box)
        if not part.area:
            return paper
        left, top, right, bottom = (
            round((part.x - shown.x) * scale), round((part.y - shown.y) * scale),
            min(width, round((part.right - shown.x) * scale)), min(height, round((part.bottom - shown.y) * scale)),
        )  # fmt: skip
        if right <= left or bottom <= top:
            return paper
        shares, (rows, columns) = self.shares_of(part), self.picture.shape[:2]
        x0, x1 = int(shares[0] * columns), max(int(shares[0] * columns) + 1, math.ceil(shares[2] * columns - 1e-6))
        y0, y1 = int(shares[1] * rows), max(int(shares[1] * rows) + 1, math.ceil(shares[3] * rows - 1e-6))
        paper[top:bottom, left:right] = resize(self.picture[y0:y1, x0:x1], right - left, bottom - top)
        return paper


def evenness_of(picture: Picture) -> float:
    """The share 0.01..1 of pixels, in spots spread over the picture, that are like the one to their right; 0 for one that is too small
    to tell. Pages measure the same (`blind_regions/evenness.js`)."""
    height, width = picture.shape[:2]
    if min(width, height) < SIDE:
        return 0.0
    alike = 0
    for spot in range(SPOTS * SPOTS):
        x = int((width - SIDE) * (spot % SPOTS + 0.5) / SPOTS)
        y = int((height - SIDE) * (spot // SPOTS + 0.5) / SPOTS)
        part = picture[y : y + SIDE, x : x + SIDE].astype(np.int16)
        alike += int((np.abs(np.diff(part, axis=1)).max(axis=2) <= ALIKE).sum())
    return max(1, round(100 * alike / (SPOTS * SPOTS * SIDE * (SIDE - 1)))) / 100


def window_of(page: Box, height: float) -> Box:
    """The upper part of a page, so high."""
    return Box(x=page.x, y=page.y, width=page.width, height=min(float(height), page.height))


def asked_views(asked: AskedPicture) -> tuple[bytes, ...]:
    """The picture of a question as a model is shown it: whole, and behind that the part that is meant, if one is named."""
    part = asked.about.box
    return (asked.data,) if part is None else (asked.data, DrawnPicture(asked, "", "").cut(part))
