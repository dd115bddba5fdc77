"""Answers a question about a corner of a picture by the text that stands there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import hypot

from memory.words import lazy_re
from perception.geometry import Box
from perception.observation import Observation
from perception.ocr.picture_layout import labels_in
from perception.picture_lines import PictureLines
from walker.strategies.pictured.asked_side import Corner, corner_asked
from walker.strategies.pictured.pictured_answer import PicturedAnswer, fit_of, is_said

ALONE, CROWDED = 0.8, 0.35
"""Chance of the text nearest to a corner, where no other is nearly as near, and where one is."""
LEAD = 1.4
"""How many times as far from the corner the next text must be."""
LEAST_FIT = 0.85
"""Share of that chance for a picture that has, in its words and those about it, none of the question's words."""
_NUMBER = lazy_re.compile(
    r"\b(?:numbers?|digits?|zahl|ziffer|nummer|nombre|chiffre|numéro|número|cifra)\b|数字|多少", re.IGNORECASE
)


def corner_answers(question: str, observation: Observation) -> tuple[PicturedAnswer, ...]:
    """What stands in the corner that a question names, in each picture that was read, likeliest first; () for any other question."""
    corner = corner_asked(question)
    if corner is None:
        return ()
    found = [one for picture in observation.picture_lines for one in _in_corner(corner, picture, question)]
    return tuple(sorted(found, key=lambda one: -one.chance))


def _in_corner(corner: Corner, picture: PictureLines, question: str) -> Iterator[PicturedAnswer]:
    down, across = corner
    box = picture.box
    x, y = (box.x if across == "left" else box.right), (box.y if down == "above" else box.bottom)

    def far(one: Box) -> float:
        off_x = max(one.x - x, 0.0, x - one.right)
        off_y = max(one.y - y, 0.0, y - one.bottom)
        return hypot(off_x, off_y)

    def is_there(one: Box) -> bool:
        is_left, is_above = one.center.x < box.center.x, one.center.y < box.center.y
        return is_left == (across == "left") and is_above == (down == "above")

    wants_number = _NUMBER.search(question) is not None
    texts = [
        label
        for label in labels_in(picture.lines)
        if is_said(label.text) and (not wants_number or any(sign.isdigit() for sign in label.text))
    ]
    texts.sort(key=lambda label: far(label.box))
    if not texts or not is_there(texts[0].box):
        return
    is_alone = len(texts) == 1 or far(texts[1].box) >= LEAD * max(1.0, far(texts[0].box))
    share = LEAST_FIT + (1 - LEAST_FIT) * fit_of(question, picture)
    yield PicturedAnswer(text=texts[0].text, chance=round(share * (ALONE if is_alone else CROWDED), 3))
