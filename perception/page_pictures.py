"""What of a page can be looked at: the page whole, its larger pictures, and every part of them that was drawn larger.

A part is named as SenseSearch's `crop_image` names it: the number of a picture, and a box in shares of it; a crop is a picture
of its own, so that it can be cropped again. Parts are drawn anew by the browser, never blown up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median

import msgspec

from perception.geometry import Box
from perception.snapshot import BlindRegion, Layout

LETTER_KINDS = frozenset(("media", "overlay", "generated", "scrambled", "glyphs"))
"""Kinds of blind regions that may hold letters."""
PICTURES_AT_MOST = 8
"""Pictures of a page that are listed besides the page itself, the largest."""
NAMED_AREA = 30_000.0
"""Square CSS pixels from which a picture that has words is listed too: 200 x 150."""
LEAST_SIDE = 4.0
"""CSS pixels of the shorter side of a part; less shows nothing at any scale."""
TWIN_IOU = 0.7
"""Overlap from which two rectangles are one picture."""
LEAST_LINES = 2
"""Lines from which it is told how surely they were read: one alone may be a stroke of a drawing."""
WORDS_KEPT = 60

Shares = tuple[float, float, float, float]
"""Left, top, right and lower edge of a part, each 0..1 of its picture."""


class PagePicture(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """One thing to look at."""

    box: Box
    """Where it lies on the page."""
    of: int = -1
    """Number of the picture that it was cropped from; -1 for what the page itself shows."""
    scale: float = 0.0
    """Picture pixels for a CSS pixel with which it was looked at; 0 while nobody looked."""
    detail: float = 0.0
    """Its own pixels for a CSS pixel, where the page shows it smaller than it is; 0 for others."""
    sure: float = 0.0
    """Median confidence 0..1 of the lines that were read in it; 0 where there were none, or one alone. Letters of 6 picture
    pixels and less are read with 0.87 at most, of 7 and more with 0.99."""
    words: str = ""
    """What the page says of it: its name, the heading above it, what stands beside it."""
    texts: tuple[str, ...] = ()
    """What was read in it, for a crop."""

    @property
    def is_crop(self) -> bool:
        """Whether it was cropped from another."""
        return self.of >= 0


def pictures_of(layout: Layout) -> tuple[PagePicture, ...]:
    """The page, then its larger pictures from the top down; () where it was not rendered, or has nothing but text."""
    if not layout.viewport_width or not layout.page_height:
        return ()
    found = [_blind(region) for region in layout.blind if region.kind in LETTER_KINDS]
    for media in layout.media:
        if media.box.area >= NAMED_AREA and not any(media.box.iou(one.box) > TWIN_IOU for one in found):
            found.append(PagePicture(box=media.box, words=media.name[:WORDS_KEPT]))
    if not found:
        return ()
    largest = sorted(found, key=lambda one: -one.box.area)[:PICTURES_AT_MOST]
    # Numbers as they come back from a record: 1280.0, not 1280.
    page = PagePicture(box=Box(x=0.0, y=0.0, width=float(layout.viewport_width), height=float(layout.page_height)))
    return (page, *sorted(largest, key=lambda one: (one.box.y, one.box.x)))


def part_of(pictures: Sequence[PagePicture], shares: Shares, index: int) -> Box:
    """Where on the page a part of a picture lies. Raises `ValueError`, one line, for an index or shares that are none."""
    if not 0 <= index < len(pictures):
        raise ValueError(f"there is no picture {index}; there are {len(pictures)}, counted from 0")
    left, top, right, bottom = shares
    if not (0 <= left < right <= 1 and 0 <= top < bottom <= 1):
        told = ", ".join(f"{share:g}" for share in shares)
        raise ValueError(f"[{told}] is no part: left, top, right and lower edge between 0 and 1, each pair in order")
    whole = pictures[index].box
    part = Box(
        x=round(whole.x + left * whole.width, 2),
        y=round(whole.y + top * whole.height, 2),
        width=round((right - left) * whole.width, 2),
        height=round((bottom - top) * whole.height, 2),
    )
    if min(part.width, part.height) < LEAST_SIDE:
        size = f"{part.width:.1f} x {part.height:.1f}"
        raise ValueError(f"the part would be {size} pixels of the page; at least {LEAST_SIDE:g} are needed")
    return part


def with_ocr_confidence(
    pictures: tuple[PagePicture, ...], boxes: Sequence[Box], scale: float, lines: Iterable[tuple[Box, float]]
) -> tuple[PagePicture, ...]:
    """The pictures after boxes of the page were looked at with a scale, and lines read there with a confidence each."""
    read = tuple(lines)
    return tuple(
        msgspec.structs.replace(picture, scale=scale, sure=ocr_confidence(picture.box, read))
        if scale > picture.scale and any(picture.box.share_in(box) > 0.9 for box in boxes)
        else picture
        for picture in pictures
    )


def ocr_confidence(box: Box, lines: Iterable[tuple[Box, float]]) -> float:
    """`PagePicture.sure` of a box."""
    inside = [confidence for place, confidence in lines if place.share_in(box) > 0.5]
    return round(median(inside), 3) if len(inside) >= LEAST_LINES else 0.0


def _blind(region: BlindRegion) -> PagePicture:
    return PagePicture(box=region.box, detail=region.detail, words=(region.heading or region.near)[:WORDS_KEPT])
