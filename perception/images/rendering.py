"""Detects screenshots taken before the page was painted."""

from __future__ import annotations

from perception.element_map import View
from perception.images.image import cut_out, decode_picture, is_blank

SAMPLED = 40
BARE_SHARE = 0.5
"""A page is not fully painted while more than this share of its expected elements is blank."""


def is_half_rendered(view: View) -> bool:
    """Whether the picture is blank where the page has text or images."""
    expected = [
        element
        for element in view.map.elements
        if not element.unseen
        and element.kind in ("text", "link", "figure")
        and (element.text or element.kind == "figure")
        and element.box.share_in(view.shown) == 1
        and element.box.area >= 60
    ]
    if len(expected) < 3:
        return False
    picture, frame = decode_picture(view.picture), view.frame
    step = max(1, len(expected) // SAMPLED)
    bare = tried = 0
    for element in expected[::step]:
        part = cut_out(picture, frame, element.box)
        if part is not None:
            tried += 1
            bare += is_blank(part[0])
    return tried > 0 and bare / tried > BARE_SHARE
