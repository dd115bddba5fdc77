"""Decides which searches by picture a walk may make: a few, of a part that exists, and of no part twice."""

from __future__ import annotations

import msgspec

from memory.state import WalkMemory
from perception.geometry import Box
from perception.observation import Observation
from perception.page_pictures import part_of
from walker.seams.actions import Open, SearchPicture
from walker.seams.searches import is_picture_search, picture_of, pictures_address, searched_part

SEARCHES_A_WALK = 6
SAME_IOU = 0.9
"""Intersection over union from which two parts of a page count as the same."""


class PictureSearchRules(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a walk may search by picture."""

    may_search: bool = False

    def decide(self, action: SearchPicture, observation: Observation, memory: WalkMemory) -> Open | str:
        """The move, or the reason for a refusal, worded for the explorer."""
        if not self.may_search:
            return "this walk has no picture search"
        if observation.signals.challenge:
            return "the page checks for a person; its pictures are not read"
        if not observation.pictures:
            return "this page has no picture to search by"
        try:
            part = part_of(observation.pictures, action.box, action.image_index)
        except ValueError as error:
            return str(error)
        searched = [searched_part(page.url) for page in memory.pages if is_picture_search(page.url)]
        if len(searched) >= SEARCHES_A_WALK:
            return f"{SEARCHES_A_WALK} searches by picture were made already"
        if any(page == observation.url and part.iou(box) >= SAME_IOU for page, box in searched):
            return "this part was searched by already: open what was found, or choose another part"
        if picture_of(observation.url) and part.iou(_whole_picture(observation)) >= SAME_IOU:
            return "the pages that show this picture are on this page"
        return Open(url=pictures_address(observation.url, part), reason=action.reason)


def _whole_picture(observation: Observation) -> Box:
    """The largest picture of a page, which on the walk's first page is that of the question."""
    return max(
        (one.box for one in observation.pictures[1:]),
        key=lambda box: box.area,
        default=Box(x=0, y=0, width=0, height=0),
    )
