"""A text of a picture as an answer, and how well its picture fits a question."""

from __future__ import annotations

import msgspec

from memory.findings import PicturePlace
from memory.words import tokens
from perception.picture_lines import PictureLines
from walker.strategies.question.question_terms import specific_words

LEAST_FIT = 0.85
"""Share of its chance that a text has in a picture that says none of the question's words, nor does what the page says about it."""


class PicturedAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A text of a picture, verbatim, and the chance that it is asked for."""

    text: str
    chance: float
    quote: str = ""
    """What is quoted for it, where that is not the text."""
    place: PicturePlace = "text"
    named: bool = False
    """Whether its label has the question's words for what is asked for ("Verified publisher: ...")."""


def picture_share(question: str, picture: PictureLines) -> float:
    """The share of a text's chance that its picture leaves it: 1 where the picture, or the page about it, says all words of the
    question, `LEAST_FIT` where they say none."""
    return LEAST_FIT + (1 - LEAST_FIT) * picture_fit(question, picture)


def picture_fit(question: str, picture: PictureLines) -> float:
    """The share, 0..1, of the question's words that a picture, or the page about it, says."""
    wanted = frozenset(tokens(question))
    return len(wanted & _said_of(picture)) / len(wanted) if wanted else 0.0


def unsaid_names(question: str, picture: PictureLines, title: str) -> float:
    """The share, 0..1, of the words of what a question names that neither a picture says, nor the page about it, nor its title."""
    named = specific_words(question)
    return len(named - _said_of(picture) - frozenset(tokens(title))) / len(named) if named else 0.0


def _said_of(picture: PictureLines) -> frozenset[str]:
    about = (picture.name, picture.heading, picture.near, *(line.text for line in picture.lines))
    return frozenset(tokens(" ".join(about)))


def is_said(text: str) -> bool:
    """Whether a text may be an answer: a lone letter is the head of an arrow most often."""
    signs = [sign for sign in text if sign.isalnum()]
    return len(signs) > 1 or any(sign.isdigit() or not sign.isascii() for sign in signs)
