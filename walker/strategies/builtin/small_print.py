"""Chooses the part of a page's pictures to enlarge: one with text too small for OCR, near what is asked for."""

from __future__ import annotations

from collections.abc import Sequence

from perception.observation import Observation
from perception.page_pictures import PagePicture, Shares
from walker.rules.pictures.blindness import find_blindness
from walker.seams.actions import Crop, Refusal

SURE = 0.92
"""Median OCR confidence of a picture's lines from which its text was large enough: text of 7 pixels is read with 0.99, of 6 with
0.86, of 5 with 0.73 (PP-OCRv6 small, Chromium's sans-serif)."""
FINER = 1.5
"""Intrinsic pixels per pixel shown from which a picture may have text that was not seen."""
GAIN = 0.05
"""Least gain in OCR confidence by enlarging a part for its own parts to be tried."""
LEAST_WEIGHT = 0.3
"""Least probability that the answer is in a picture, as weighed for the gate."""
CROPS_OF_A_PAGE = 4
WHOLE: Shares = (0.0, 0.0, 1.0, 1.0)
LEFT, RIGHT, UPPER, LOWER = (0.0, 0.0, 0.55, 1.0), (0.45, 0.0, 1.0, 1.0), (0.0, 0.0, 1.0, 0.55), (0.0, 0.45, 1.0, 1.0)
"""Overlapping halves, so that text on the dividing line is complete in one of them."""


def next_crop(observation: Observation, question: str, refused: tuple[Refusal, ...]) -> Crop | None:
    """The next part to enlarge, None if no picture has more to read, or a crop was refused in this step."""
    pictures = observation.pictures
    if any(isinstance(refusal.action, Crop) for refusal in refused):
        return None
    if sum(picture.is_crop for picture in pictures) >= CROPS_OF_A_PAGE:
        return None
    weights = [(weight, region.box) for weight, region in find_blindness(observation, question).regions]
    best: tuple[float, int, Shares] | None = None
    for number, picture in enumerate(pictures):
        weight = max((weight for weight, box in weights if picture.box.share_in(box) > 0.9), default=0.0)
        part = _part_left(number, picture, pictures)
        if part is not None and weight >= LEAST_WEIGHT and (best is None or weight > best[0]):
            best = weight, number, part
    if best is None:
        return None
    _, number, part = best
    return Crop(box=part, image_index=number, reason="its letters are too small to be read")


def _part_left(number: int, picture: PagePicture, pictures: Sequence[PagePicture]) -> Shares | None:
    """The part of a picture to enlarge next: all of a picture of the page, the halves of a crop in turn."""
    if not _has_more(picture):
        return None
    drawn = [other for other in pictures if other.of == number]
    if not picture.is_crop:
        return None if drawn else WHOLE
    if not _was_worth_it(picture, pictures[picture.of]):
        return None
    halves = (LEFT, RIGHT) if picture.box.width >= picture.box.height else (UPPER, LOWER)
    return halves[len(drawn)] if len(drawn) < len(halves) else None


def _has_more(picture: PagePicture) -> bool:
    """Whether OCR ran on the picture and its text was too small. Of one whose own pixels were all seen nothing more can be drawn: four
    times as large a photograph was read for 5 s of CPU time, and 16 times as many pixels say the same."""
    if not picture.scale or picture.sure >= SURE:
        return False
    return picture.detail >= FINER * picture.scale if picture.detail else picture.sure > 0


def _was_worth_it(crop: PagePicture, source: PagePicture) -> bool:
    """Whether enlarging the source improved OCR: beyond its own resolution a picture shows nothing more."""
    return crop.detail >= FINER * crop.scale or crop.sure > source.sure + GAIN
