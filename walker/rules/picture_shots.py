"""Which parts of a page are drawn for a look, and how large: each picture by itself, marks that stand together in one shot."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from perception.geometry import Box, box_around
from perception.snapshot import BlindRegion
from walker.rules.blindness import Blindness

PICTURES_A_PAGE, UNPOINTED_A_PAGE = 6, 3
"""Most pictures of a page that are looked at: where the question or the page points to one, and where nothing does. Of a page full
of drawings each is then as unlikely as the next; with six of them looking took 0.4 of the time of 18 walks over documentation."""
WORTH_OF_BEST = 0.5
"""Share of the best picture's weight from which another is worth a look, too: with 0.25 the logos beside a drawing were read as well,
and enlarged, which took twice as long as the drawing."""
MARGIN = 24.0
"""CSS pixels around a picture that are drawn with it: its caption, its axis."""
SHOT_AREA, SHOT_WASTE, SHOTS_OF_MARKS = 2_000_000.0, 1.5, 4
"""Most CSS pixels of a shot of several regions, and how many times the area of its pictures it may have; most shots of marks."""
NATURAL_AT_MOST, PIXELS_AT_MOST = 4.0, 8_000_000
"""Largest scale at which a picture is drawn, and most pixels of it."""
THUMBNAIL_AT_MOST, THUMBNAIL_PIXELS = 8.0, 1_000_000
"""The same for what stays small: a screenshot of 274 x 761 pixels that a page shows 41 wide says nothing at four times that."""


class Shot(msgspec.Struct, frozen=True, kw_only=True):
    """One part of a page to draw, in CSS pixels, at a scale; and what is looked at in it."""

    box: Box
    scale: float
    regions: tuple[BlindRegion, ...]


def chosen_regions(blindness: Blindness) -> tuple[BlindRegion, ...]:
    """The regions to look at, those most likely to hold the answer first: all marks, and the best of the pictures."""
    pictures = [(weight, one) for weight, one in blindness.regions if one.kind == "media"]
    least = WORTH_OF_BEST * pictures[0][0] if pictures else 0.0
    most = PICTURES_A_PAGE if blindness.pointed else UNPOINTED_A_PAGE
    worth = tuple(one for weight, one in pictures[:most] if weight >= least)
    return tuple(one for _, one in blindness.regions if one.kind != "media" or one in worth)


def shots_of(regions: Sequence[BlindRegion], *, natural: bool) -> tuple[Shot, ...]:
    """The shots that show these regions. With `natural` each picture is drawn by itself, as large as its file is; else at the page's
    scale, together with those beside it."""
    pictures = [one for one in regions if one.kind == "media"]
    groups = [[one] for one in pictures] if natural else _groups(pictures, waste=SHOT_WASTE)
    shots = [_shot_of(group, natural_scale(group[0]) if natural else 1.0) for group in groups]
    marks = _groups([one for one in regions if one.kind != "media"], waste=math.inf)[:SHOTS_OF_MARKS]
    return (*shots, *(_shot_of(group, 1.0) for group in marks))


def natural_scale(picture: BlindRegion) -> float:
    """Picture pixels per CSS pixel at which a picture shows all that its file holds, within limits."""
    area = max(1.0, picture.box.area)
    most = max(
        min(NATURAL_AT_MOST, math.sqrt(PIXELS_AT_MOST / area)),
        min(THUMBNAIL_AT_MOST, math.sqrt(THUMBNAIL_PIXELS / area)),
    )
    return round(max(1.0, min(picture.detail, most)), 2)


def _shot_of(group: Sequence[BlindRegion], scale: float) -> Shot:
    return Shot(box=_around(box_around([one.box for one in group])), scale=scale, regions=tuple(group))


def _groups(regions: Sequence[BlindRegion], waste: float) -> list[list[BlindRegion]]:
    """Regions that fit into one shot, put together, where the shot is not more than `waste` times as large as they are."""
    groups: list[list[BlindRegion]] = []
    for region in regions:
        for group in groups:
            both = [*(one.box for one in group), region.box]
            area = box_around(both).area
            if area <= SHOT_AREA and area <= waste * sum(box.area for box in both):
                group.append(region)
                break
        else:
            groups.append([region])
    return groups


def _around(box: Box) -> Box:
    left, top = max(0.0, box.x - MARGIN), max(0.0, box.y - MARGIN)
    return Box(
        x=round(left, 2),
        y=round(top, 2),
        width=round(box.x + box.width + MARGIN - left, 2),
        height=round(box.y + box.height + MARGIN - top, 2),
    )
