"""A text of a picture as an answer, and how well its picture fits a question."""

from __future__ import annotations

import msgspec

from memory.words import tokens
from perception.picture_lines import PictureLines

LEAST_FIT = 0.85
"""Share of its chance that a text has in a picture that says none of the question's words, nor does what the page says about it."""


class PicturedAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A text of a picture, verbatim, and the chance that it is asked for."""

    text: str
    chance: float
    quote: str = ""
    """What is quoted for it, where that is not the text."""
    named: bool = False
    """Whether its label has the question's words for what is asked for ("Verified publisher: ...")."""


def picture_share(question: str, picture: PictureLines) -> float:
    """The share of a text's chance that its picture leaves it: 1 where the picture, or the page about it, says all words of the
    question, `LEAST_FIT` where they say none."""
    wanted = frozenset(tokens(question))
    about = (picture.name, picture.heading, picture.near, *(line.text for line in picture.lines))
    fit = len(wanted & frozenset(tokens(" ".join(about)))) / len(wanted) if wanted else 0.0
    return LEAST_FIT + (1 - LEAST_FIT) * fit


def is_said(text: str) -> bool:
    """Whether a text may be an answer: a lone letter is the head of an arrow most often."""
    signs = [sign for sign in text if sign.isalnum()]
    return len(signs) > 1 or any(sign.isdigit() or not sign.isascii() for sign in signs)
