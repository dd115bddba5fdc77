"""Enlarged screenshots of elements on which the sources of evidence disagree."""

from __future__ import annotations

from collections.abc import Sequence

from perception.element_map import ElementMap, PageElement, View
from perception.geometry import Box, box_around
from perception.grounding.grounding import Grounding
from walker.rules.cropping import FINER_AT_LEAST, scale_for
from walker.seams.protocols import Browser, PageFailure

AROUND = 16.0
"""CSS pixels around the elements that the screenshot includes."""
DISPUTED_AT_MOST = 4


def disputed(found: Grounding, elements: ElementMap) -> tuple[PageElement, ...]:
    """The elements that the evidence of a grounding names, if it names several; else ()."""
    if not found.wants_zoom:
        return ()
    named = dict.fromkeys(witness.element for witness in found.witnesses if witness.element)
    kept = (elements.element(number) for number in named)
    return tuple(element for element in kept if element is not None)[:DISPUTED_AT_MOST]


async def draw_closer(browser: Browser, elements: Sequence[PageElement]) -> View | None:
    """One enlarged screenshot of all of them, or, if they are too far apart, of the last one alone, which the vision model chose.
    None if they cannot be enlarged."""
    for group in (elements, elements[-1:]):
        box = _rounded(box_around(element.box for element in group).grown(AROUND))
        scale = scale_for(box, 1.0)
        if scale >= FINER_AT_LEAST:
            view = await browser.see(box=box, scale=scale)
            return None if isinstance(view, PageFailure) or not view.shown.area else view
    return None


def _rounded(box: Box) -> Box:
    return Box(
        x=max(0.0, round(box.x, 1)), y=max(0.0, round(box.y, 1)), width=round(box.width, 1), height=round(box.height, 1)
    )
