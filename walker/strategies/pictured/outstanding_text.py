"""Answers a question about a picture by its one text that stands out: the nearest to the corner that is named, or the largest where
the question asks what is written on a thing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import hypot
from statistics import median

from memory.words import lazy_re, tokens
from perception.geometry import Box
from perception.observation import Observation
from perception.ocr.picture_layout import Label, label_of, labels_in
from perception.picture_lines import PictureLines
from walker.strategies.pictured.asked_side import Corner, corner_asked
from walker.strategies.pictured.pictured_answer import PicturedAnswer, is_said, picture_share

STANDS_OUT, ALIKE = 0.8, 0.35
"""Chance of the text nearest to the corner, or the largest, where no other is nearly so, and where one is."""
FARTHER, LARGER = 1.4, 1.2
"""How many times as far from the corner the next text must be, and how many times as large as the next a text."""
MOST_CHARS = 120
_NUMBER = lazy_re.compile(
    r"\b(?:numbers?|digits?|zahl|ziffer|nummer|nombre|chiffre|numéro|número|cifra)\b|数字|多少", re.IGNORECASE
)
_ONE_WORD = lazy_re.compile(
    r"\b(?:which|what) word\b|\bwelches wort\b|\bquel mot\b|\bqué palabra\b|哪个词|什么词|哪个单词", re.IGNORECASE
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
    is_alone = len(texts) == 1 or far(texts[1].box) >= FARTHER * max(1.0, far(texts[0].box))
    chance = _chance(question, picture, stands_out=is_alone)
    yield PicturedAnswer(text=texts[0].text, chance=chance, place="beside")


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
    is_largest = len(texts) == 1 or _height(texts[0]) >= LARGER * _height(texts[1])
    chance = _chance(question, picture, stands_out=is_largest)
    yield PicturedAnswer(text=texts[0].text, chance=chance, quote=texts[0].lines[0].text, place="written")


def _chance(question: str, picture: PictureLines, *, stands_out: bool) -> float:
    return round(picture_share(question, picture) * (STANDS_OUT if stands_out else ALIKE), 3)


def _candidates(question: str, picture: PictureLines) -> list[Label]:
    """The texts of a picture; where one word is asked for, the lines that are one."""
    if _ONE_WORD.search(question) is None:
        return list(labels_in(picture.lines))
    return [label_of(one) for one in picture.lines if len(one.text.split()) == 1]


def _height(label: Label) -> float:
    return median(min(line.box.height, line.box.width) for line in label.lines)
