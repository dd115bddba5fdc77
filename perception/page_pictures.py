"""The pictures of a page that a vision model can be shown: the whole page, its larger pictures, and every enlarged crop of them.

A crop is addressed as in SenseSearch's `crop_image`: by the index of a picture, and a box in shares of its size. A crop is a
picture of its own, so that it can be cropped again. Crops are rendered again by the browser at a larger scale, never upsampled.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median

import msgspec

from perception.geometry import Box
from perception.snapshot import BlindRegion, Layout

LETTER_KINDS = frozenset(("media", "overlay", "generated", "scrambled", "glyphs"))
"""Kinds of blind regions that may contain text."""
FIRST_PICTURES, PICTURES_AT_MOST = 8, 64
"""The largest pictures, which come first behind the page itself, and most pictures besides it."""
NAMED_AREA = 30_000.0
"""Square CSS pixels from which a picture with alternative text is listed too: 200 x 150."""
LEAST_SIDE = 4.0
"""Least CSS pixels of a crop's shorter side; smaller ones show nothing at any scale."""
TWIN_IOU = 0.7
"""IoU from which two boxes are one picture."""
LEAST_LINES = 2
"""Lines from which their OCR confidence is reported: a single one may be a stroke of a drawing."""
WORDS_KEPT = 60

Shares = tuple[float, float, float, float]
"""Left, top, right and lower edge of a part, each 0..1 of its picture."""


class PagePicture(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """One picture to show to a vision model."""

    box: Box
    """Its box on the page, in CSS pixels."""
    of: int = -1
    """Index of the picture that it was cropped from; -1 for the page and its own pictures."""
    scale: float = 0.0
    """Picture pixels per CSS pixel at which it was read; 0 before it was."""
    detail: float = 0.0
    """Its own pixels per CSS pixel, where the page shows it scaled down; 0 for others."""
    sure: float = 0.0
    """Median OCR confidence 0..1 of its lines; 0 for fewer than two lines. Text of 6 picture pixels and less is read with 0.87 at
    most, of 7 and more with 0.99."""
    words: str = ""
    """The page's text about it: its name, the heading above it, or the text beside it."""
    texts: tuple[str, ...] = ()
    """OCR text, for a crop."""
    blank: bool = False
    """Of a crop, that it is of one colour."""
    source: str = ""
    """The absolute address of its file, where that is known; "" for what is drawn in the page."""

    @property
    def is_crop(self) -> bool:
        """Whether it was cropped from another."""
        return self.of >= 0


def pictures_of(layout: Layout) -> tuple[PagePicture, ...]:
    """The page, its largest pictures from the top down, then the next largest; () where it was not rendered, or has only text."""
    if not layout.viewport_width or not layout.page_height:
        return ()
    found = [_blind(region) for region in layout.blind if region.kind in LETTER_KINDS]
    for media in layout.media:
        if media.box.area >= NAMED_AREA and not any(media.box.iou(one.box) > TWIN_IOU for one in found):
            found.append(PagePicture(box=media.box, words=media.name[:WORDS_KEPT]))
    if not found:
        return ()
    largest = sorted(found, key=lambda one: -one.box.area)[:PICTURES_AT_MOST]
    first, further = largest[:FIRST_PICTURES], largest[FIRST_PICTURES:]
    # Floats, as decoded from a recording: 1280.0, not 1280.
    page = PagePicture(box=Box(x=0.0, y=0.0, width=float(layout.viewport_width), height=float(layout.page_height)))
    return (page, *sorted(first, key=_place), *sorted(further, key=_place))


def _place(picture: PagePicture) -> tuple[float, float]:
    return picture.box.y, picture.box.x


def part_of(pictures: Sequence[PagePicture], shares: Shares, index: int) -> Box:
    """The box on the page of a part of a picture, in CSS pixels. Raises `ValueError`, one line, for an invalid index or shares."""
    if not 0 <= index < len(pictures):
        raise ValueError(f"there is no picture {index}; there are {len(pictures)}, counted from 0")
    left, top, right, bottom = shares
    if not (0 <= left < right <= 1 and 0 <= top < bottom <= 1):
        given = ", ".join(f"{share:g}" for share in shares)
        raise ValueError(
            f"[{given}] is not a box: give left, top, right and lower edge between 0 and 1, each pair in order"
        )
    whole = pictures[index].box
    part = Box(
        x=round(whole.x + left * whole.width, 2),
        y=round(whole.y + top * whole.height, 2),
        width=round((right - left) * whole.width, 2),
        height=round((bottom - top) * whole.height, 2),
    )
    if min(part.width, part.height) < LEAST_SIDE:
        size = f"{part.width:.1f} x {part.height:.1f}"
        raise ValueError(f"the crop would be {size} pixels of the page; at least {LEAST_SIDE:g} are needed")
    return part


def with_ocr_confidence(
    pictures: tuple[PagePicture, ...], boxes: Sequence[Box], scale: float, lines: Iterable[tuple[Box, float]]
) -> tuple[PagePicture, ...]:
    """The pictures with the scale and OCR confidence of a pass over boxes of the page. `scale` is in picture pixels per CSS pixel,
    `lines` are boxes with a confidence 0..1 each; a pass at no larger scale than before changes nothing."""
    read = tuple(lines)
    return tuple(
        msgspec.structs.replace(picture, scale=scale, sure=ocr_confidence(picture.box, read))
        if scale > picture.scale and any(picture.box.share_in(box) > 0.9 for box in boxes)
        else picture
        for picture in pictures
    )


def ocr_confidence(box: Box, lines: Iterable[tuple[Box, float]]) -> float:
    """Median confidence 0..1 of the lines inside a box; 0 for fewer than `LEAST_LINES`."""
    inside = [confidence for place, confidence in lines if place.share_in(box) > 0.5]
    return round(median(inside), 3) if len(inside) >= LEAST_LINES else 0.0


def _blind(region: BlindRegion) -> PagePicture:
    source = "" if region.source.startswith("data:") else region.source
    words = (region.heading or region.near)[:WORDS_KEPT]
    return PagePicture(box=region.box, detail=region.detail, words=words, source=source)
