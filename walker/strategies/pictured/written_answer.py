"""Answers a question for what is written on a thing by the largest text of its picture."""

from __future__ import annotations

import re
from collections.abc import Iterator
from statistics import median

from memory.words import lazy_re, tokens
from perception.observation import Observation
from perception.ocr.picture_layout import Label, labels_in
from perception.picture_lines import PictureLines
from walker.strategies.pictured.pictured_answer import PicturedAnswer, fit_of, is_said

LARGEST, ALIKE = 0.8, 0.35
"""Chance of the largest text of a picture, where it stands out, and where another is nearly as large."""
STANDS_OUT = 1.2
"""How many times as large as the next it is."""
LEAST_FIT = 0.85
"""Share of that chance for a picture that has, in its words and those about it, none of the question's words."""
MOST_CHARS = 120
_ONE_WORD = lazy_re.compile(
    r"\b(?:which|what) word\b|\bwelches wort\b|\bquel mot\b|\bqué palabra\b|哪个词|什么词|哪个单词", re.IGNORECASE
)


def written_answers(question: str, observation: Observation) -> tuple[PicturedAnswer, ...]:
    """For a question that asks what is written: the largest text of each picture that was read, likeliest first."""
    found = [one for picture in observation.picture_lines for one in _largest(question, picture)]
    return tuple(sorted(found, key=lambda one: -one.chance))


def _largest(question: str, picture: PictureLines) -> Iterator[PicturedAnswer]:
    asked = frozenset(tokens(question))
    texts = [
        label
        for label in _candidates(question, picture)
        if is_said(label.text) and len(label.text) <= MOST_CHARS and frozenset(tokens(label.text)) - asked
    ]
    texts.sort(key=_height, reverse=True)
    if not texts:
        return
    stands_out = len(texts) == 1 or _height(texts[0]) >= STANDS_OUT * _height(texts[1])
    share = LEAST_FIT + (1 - LEAST_FIT) * fit_of(question, picture)
    yield PicturedAnswer(
        text=texts[0].text, chance=round(share * (LARGEST if stands_out else ALIKE), 3), quote=texts[0].lines[0].text
    )


def _candidates(question: str, picture: PictureLines) -> list[Label]:
    """The texts of a picture; where one word is asked for, the lines that are one."""
    if _ONE_WORD.search(question) is None:
        return list(labels_in(picture.lines))
    return [Label(text=one.text, box=one.box, lines=(one,)) for one in picture.lines if len(one.text.split()) == 1]


def _height(label: Label) -> float:
    return median(min(line.box.height, line.box.width) for line in label.lines)
