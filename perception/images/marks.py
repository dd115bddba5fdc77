"""Set-of-marks: numbered labels on a picture's interactive elements and figures, placed so that they cover neither these nor each
other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from perception.element_map import PageElement
from perception.geometry import Box, CoordinateFrame
from perception.images.image import Picture, opencv

MOST_MARKS = 60
FOLDED_IOU = 0.7
"""Overlap from which two elements are one thing to a person, such as a link around an icon."""
LETTER_HEIGHT = 11
"""Height of a mark's digits in pixels: the least that models with 28-pixel patches still read."""
_INKS = ((30, 30, 200), (170, 60, 0), (0, 110, 0), (130, 0, 130), (0, 90, 160))
"""Outline colours, blue-green-red, dark enough for white digits."""


class Marked(msgspec.Struct, frozen=True, kw_only=True):
    """The picture with its marks, and the element of each number."""

    picture: Any
    """`perception.images.image.Picture` of the original size."""
    table: dict[int, PageElement]
    labels: dict[int, Box]
    """Where each number is drawn, in pixels of the picture."""


def mark_picture(
    picture: Picture, frame: CoordinateFrame, elements: Sequence[PageElement], most: int = MOST_MARKS
) -> Marked:
    """Number the visible elements in the picture, from 1 in their order; the input is not changed."""
    chosen = choose_marked(elements, frame, most)
    drawn = picture.copy()
    busy = _busy(chosen, elements, frame)
    labels: dict[int, Box] = {}
    table: dict[int, PageElement] = {}
    for number, element in enumerate(chosen, start=1):
        box = _pixel_box(element.box, frame)
        label = _best_label(box, _label_size(number), busy, list(labels.values()), frame)
        labels[number] = label
        table[number] = element
        _draw(drawn, number, box, label)
    return Marked(picture=drawn, table=table, labels=labels)


def choose_marked(elements: Sequence[PageElement], frame: CoordinateFrame, most: int) -> list[PageElement]:
    """The elements to number: visible controls, links and figures at least half inside the picture, without duplicates and
    containers of others; controls before links before figures where there are too many."""
    shown = [
        element
        for element in elements
        if (element.is_interactive or element.kind == "figure")
        and not element.unseen
        and element.box.area >= 36
        and element.box.share_in(frame.shown) >= 0.5
    ]
    kept: list[PageElement] = []
    for element in sorted(shown, key=lambda element: (not element.is_interactive, element.box.area)):
        if any(_is_same(element, other) for other in kept):
            continue
        if element.kind == "figure" and any(
            other.is_interactive and element.box.share_in(other.box) > 0.8 for other in shown
        ):
            continue
        kept.append(element)
    ranked = sorted(kept, key=lambda element: (("control", "link", "figure").index(element.kind), element.id))[:most]
    return sorted(ranked, key=lambda element: element.id)


def _is_same(one: PageElement, other: PageElement) -> bool:
    return one.box.iou(other.box) > FOLDED_IOU


def _pixel_box(box: Box, frame: CoordinateFrame) -> Box:
    left, top, right, bottom = frame.to_pixels(box)
    return Box(x=left, y=top, width=max(1, right - left), height=max(1, bottom - top))


def _label_size(number: int) -> tuple[int, int]:
    return 4 + 8 * len(str(number)), LETTER_HEIGHT + 4


def _busy(
    chosen: Sequence[PageElement], elements: Sequence[PageElement], frame: CoordinateFrame
) -> list[tuple[Box, float]]:
    """Boxes that a label should not cover, each with a penalty."""
    texts = [
        (_pixel_box(element.box, frame), 1.0)
        for element in elements
        if element.text and not element.unseen and element.box.overlap(frame.shown)
    ]
    return texts + [(_pixel_box(element.box, frame), 2.0) for element in chosen]


def _best_label(
    box: Box, size: tuple[int, int], busy: list[tuple[Box, float]], labels: list[Box], frame: CoordinateFrame
) -> Box:
    """The free position nearest to the box: around its outside first, then further and further away."""
    width, height = size
    best, least = None, float("inf")
    for away in (0, 4, 12, 24, 44, 80, 140):
        for label in _places(box, width, height, away):
            if label.x < 0 or label.y < 0 or label.right > frame.width or label.bottom > frame.height:
                continue
            if any(label.overlap(other) > 0 for other in labels):
                continue
            hidden = sum(weight * label.overlap(other) for other, weight in busy) / label.area
            cost = hidden + away / 60
            if cost < least:
                best, least = label, cost
        if best is not None and least < 0.3:
            break
    if best is not None:
        return best
    # No free position at all: the picture is too small for one more label.
    x, y = min(max(box.x, 0), max(0, frame.width - width)), min(max(box.y, 0), max(0, frame.height - height))
    return Box(x=x, y=y, width=width, height=height)


def _places(box: Box, width: int, height: int, away: int) -> list[Box]:
    left, right = box.x - width - 1 - away, box.right + 1 + away
    above, below = box.y - height - 1 - away, box.bottom + 1 + away
    middle_x, middle_y = box.center.x - width / 2, box.center.y - height / 2
    corners = [
        (box.x, above), (box.right - width, above), (left, box.y), (right, box.y), (box.x, below), (box.right - width, below),
        (left, middle_y), (right, middle_y), (middle_x, above), (middle_x, below), (left, above), (right, below),
    ]  # fmt: skip
    return [Box(x=round(x), y=round(y), width=width, height=height) for x, y in corners]


def _draw(picture: Picture, number: int, box: Box, label: Box) -> None:
    cv2 = opencv()
    ink = _INKS[number % len(_INKS)]
    ends = (int(box.x), int(box.y)), (int(box.right) - 1, int(box.bottom) - 1)
    cv2.rectangle(picture, *ends, ink, 1)
    if label.distance(box) > 6:
        cv2.line(picture, _nearest(box, label), _nearest(label, box), ink, 1, cv2.LINE_AA)
    cv2.rectangle(picture, (int(label.x), int(label.y)), (int(label.right) - 1, int(label.bottom) - 1), ink, -1)
    spot = (int(label.x) + 2, int(label.bottom) - 4)
    cv2.putText(picture, str(number), spot, cv2.FONT_HERSHEY_SIMPLEX, 0.4, (255, 255, 255), 1, cv2.LINE_AA)


def _nearest(box: Box, other: Box) -> tuple[int, int]:
    """The point of the second box nearest to the first one's centre: a line between them crosses neither box."""
    x = min(max(box.center.x, other.x), other.right - 1)
    y = min(max(box.center.y, other.y), other.bottom - 1)
    return int(x), int(y)
