"""Lines that two overlapping tiles of a picture read in part: joined to one, so that no word at an edge stands twice."""

from __future__ import annotations

import math
from difflib import SequenceMatcher
from typing import NamedTuple

from perception.geometry import Box, box_around

SAME_BAND = 0.6
"""Least vertical overlap of two parts of one line, as a share of the lower one."""
ALIKE_HEIGHT = 0.6
"""Least ratio of their heights."""
MOST_SHARE = 0.9
"""Of a part within the other, above which nothing is to be joined."""
LEAST_ALIKE = 2
"""Characters that both parts read alike where they overlap."""
SPARE = 3
"""Characters by which letters are narrower or wider than the line's average."""


class Part(NamedTuple):
    """A line as one tile reads it."""

    text: str
    box: Box


def join_parts(one: Part, other: Part) -> Part | None:
    """Two parts of a line as one; None where they are two lines, or read nothing alike where they overlap."""
    left, right = (one, other) if one.box.x <= other.box.x else (other, one)
    common = left.box.right - right.box.x
    if common <= 0 or right.box.right <= left.box.right or not _on_one_line(left.box, right.box):
        return None
    if common > MOST_SHARE * min(left.box.width, right.box.width):
        return None
    tail, head = _within(left, common), _within(right, common)
    start = len(left.text) - tail
    ends, begins = left.text[start:].casefold(), right.text[:head].casefold()
    match = SequenceMatcher(None, ends, begins, autojunk=False).find_longest_match(0, len(ends), 0, len(begins))
    if len(ends[match.a : match.a + match.size].strip()) < LEAST_ALIKE:
        return None
    text = left.text[: start + match.a + match.size] + right.text[match.b + match.size :]
    return Part(text, box_around((left.box, right.box)))


def _on_one_line(one: Box, other: Box) -> bool:
    low, high = sorted((one.height, other.height))
    common = min(one.bottom, other.bottom) - max(one.y, other.y)
    return common > SAME_BAND * low and low > ALIKE_HEIGHT * high


def _within(part: Part, pixels: float) -> int:
    """Characters of a part in so many pixels at one of its ends."""
    share = pixels / part.box.width
    return min(len(part.text), math.ceil(share * len(part.text)) + SPARE)
