"""Decides whether a part of a picture is enlarged, and by how much: pure, so that a replay makes the same crops."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from perception.geometry import Box
from perception.observation import Observation
from perception.page_pictures import PagePicture, part_of
from walker.seams.actions import Crop, Enlarge, ReadBox, ReadLetters

FINER_AT_MOST, SCALE_AT_MOST = 4.0, 8.0
"""Largest scale relative to the picture shown before, and largest scale of all: at 8, OCR reads text of 2 CSS pixels."""
PIXELS_AT_MOST = 8_000_000
"""Of one crop; a part of 1280 x 1500 gets scale 2, one of 300 x 200 scale 8."""
FINER_AT_LEAST = 1.2
"""A scale less than this many times the one before shows nothing new."""
SAME_IOU, WITHIN = 0.9, 0.98
"""Intersection over union from which two parts count as the same, and share of a part from which another contains it."""
CROPS_A_PAGE = 8


class CropRules(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a walk may crop, and how often."""

    may_look: bool = True
    looks: int = 0
    """Most OCR passes, crops and vision-model calls of a walk together; 0 for no limit."""

    def decide(self, action: Crop | ReadLetters, observation: Observation, looks: int) -> Enlarge | str:
        """The move, or the reason for a refusal, worded for the explorer. `looks` is how many the walk has made so far."""
        pictures = observation.pictures
        if why := self._why_none(observation, looks):
            return why
        try:
            part = part_of(pictures, action.box, action.image_index)
        except ValueError as error:
            return str(error)
        if (number := _same_part(part, pictures)) is not None:
            return f"picture {number} shows that part already"
        shown = scale_shown(part, pictures)
        scale = scale_for(part, shown)
        if scale < FINER_AT_LEAST * shown:
            before = f", and was seen {shown:g} times as large" if shown > 1 else ""
            return f"that part cannot be drawn any larger{before}: choose a smaller or another one"
        move = Enlarge if isinstance(action, Crop) else ReadBox
        return move(box=part, scale=scale, image_index=action.image_index, reason=action.reason)

    def _why_none(self, observation: Observation, looks: int) -> str:
        if not self.may_look:
            return "vision is switched off"
        if observation.signals.challenge:
            return "the page checks for a person; its pictures are not read"
        if not observation.pictures:
            return "this page has no picture; its text is all there is"
        if self.looks and looks >= self.looks:
            return f"{self.looks} looks at pictures were made, as many as this walk may"
        if not may_crop_more(observation.pictures):
            return f"{CROPS_A_PAGE} parts of this page were looked at closely already"
        return ""


def may_crop_more(pictures: Sequence[PagePicture]) -> bool:
    """Whether a page has a picture of which a part may still be looked at closely."""
    return bool(pictures) and sum(picture.is_crop for picture in pictures) < CROPS_A_PAGE


def scale_shown(part: Box, pictures: Sequence[PagePicture]) -> float:
    """The largest scale at which all of a part was seen; 1 for one that was never enlarged."""
    scales = (picture.scale for picture in pictures if part.share_in(picture.box) >= WITHIN)
    return max(1.0, *scales, 1.0)


def scale_for(part: Box, shown: float) -> float:
    """Scale for the next crop of a part, in picture pixels per CSS pixel; `shown` is the scale at which it was seen before."""
    return round(min(FINER_AT_MOST * shown, SCALE_AT_MOST, math.sqrt(PIXELS_AT_MOST / max(1.0, part.area))), 2)


def _same_part(part: Box, pictures: Sequence[PagePicture]) -> int | None:
    """Number of the crop that shows the same part, None without one."""
    same = (number for number, one in enumerate(pictures) if one.is_crop and part.iou(one.box) > SAME_IOU)
    return next(same, None)
