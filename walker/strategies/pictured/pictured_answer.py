"""A text of a picture as an answer, and how well its picture fits a question."""

from __future__ import annotations

import msgspec

from memory.words import tokens
from perception.picture_lines import PictureLines


class PicturedAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A text of a picture, verbatim, and the chance that it is asked for."""

    text: str
    chance: float
    quote: str = ""
    """What is quoted for it, where that is not the text."""


def fit_of(question: str, picture: PictureLines) -> float:
    """Share 0..1 of the question's words that the picture, or the page about it, says."""
    wanted = frozenset(tokens(question))
    about = (picture.name, picture.heading, picture.near, *(line.text for line in picture.lines))
    return len(wanted & frozenset(tokens(" ".join(about)))) / len(wanted) if wanted else 0.0


def is_said(text: str) -> bool:
    """Whether a text may be an answer: a lone letter is the head of an arrow most often."""
    signs = [sign for sign in text if sign.isalnum()]
    return len(signs) > 1 or any(sign.isdigit() or not sign.isascii() for sign in signs)
