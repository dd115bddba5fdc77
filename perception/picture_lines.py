"""The lines of text in a picture, each where it stands: what lies beside what is lost once they are one text."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from perception.geometry import Box

SAME_LINE = 0.5
"""Share of a line's box in another's from which a second reading of the picture has read it anew."""
SAME_PICTURE = 0.8
"""Intersection over union from which two boxes are one picture."""


class PlacedText(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A line of a picture; `box` in CSS pixels of the page, confidence 0..1."""

    text: str
    box: Box
    confidence: float = 1.0
    pixels: float | msgspec.UnsetType = msgspec.UNSET
    """Height of the line in pixels of what was read; unset where it is not known."""


class PictureLines(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """What was read of one picture, and the page's words about it."""

    box: Box
    lines: tuple[PlacedText, ...] = ()
    name: str = ""
    """What the page calls it (alternative text, label, caption), else the name of its file."""
    heading: str = ""
    near: str = ""
    """Text of the page beside it."""


def with_lines(before: Sequence[PictureLines], new: Sequence[PictureLines]) -> tuple[PictureLines, ...]:
    """The pictures with what a further reading adds: a line that both have read stays as it was read more surely."""
    pictures = list(before)
    for picture in new:
        at = next((at for at, one in enumerate(pictures) if _is_of(picture.box, one.box)), None)
        if at is None:
            pictures.append(picture)
        else:
            lines = _read_twice(pictures[at].lines, picture.lines)
            pictures[at] = msgspec.structs.replace(pictures[at], lines=lines)
    return tuple(pictures)


def _is_of(part: Box, whole: Box) -> bool:
    """Whether a box is a picture that was read before, or a part of one."""
    return part.iou(whole) >= SAME_PICTURE or part.share_in(whole) >= SAME_PICTURE


def _read_twice(before: Sequence[PlacedText], now: Sequence[PlacedText]) -> tuple[PlacedText, ...]:
    kept = [one for one in before if not any(_is_better(other, one) for other in now)]
    added = [one for one in now if not any(_is_same(one, other) for other in kept)]
    return tuple(sorted((*kept, *added), key=lambda one: (one.box.y, one.box.x)))


def _is_better(now: PlacedText, before: PlacedText) -> bool:
    return _is_same(now, before) and now.confidence >= before.confidence


def _is_same(one: PlacedText, other: PlacedText) -> bool:
    return one.box.share_in(other.box) > SAME_LINE or other.box.share_in(one.box) > SAME_LINE
