"""The pictures of a page that can be looked at closely, as a model is told them: a line each, with the number to name one by."""

from __future__ import annotations

from collections.abc import Sequence

from memory.words import tokens
from perception.document.visible import shortened, visible_text
from perception.page_pictures import FIRST_PICTURES, PagePicture
from walker.strategies.model.digest.digest_words import said

WORDS_CHARS, READ_CHARS = 70, 200
FITTING_AT_MOST = 4
"""Most pictures that are told for their words alone."""


def fitting_pictures(pictures: Sequence[PagePicture], query: str) -> frozenset[int]:
    """The numbers of those beyond the first of a page whose words the query has most of."""
    asked = frozenset(tokens(query))
    fits = {
        number: len(asked.intersection(tokens(one.words)))
        for number, one in enumerate(pictures)
        if number > FIRST_PICTURES and not one.is_crop
    }
    best = sorted((number for number, fit in fits.items() if fit), key=lambda number: (-fits[number], number))
    return frozenset(best[:FITTING_AT_MOST])


def picture_lines(pictures: Sequence[PagePicture], fitting: frozenset[int], language: str) -> str:
    """The page, its first pictures, those that fit and the crops; of the others how many there are."""
    told = [
        (number, one)
        for number, one in enumerate(pictures)
        if number <= FIRST_PICTURES or one.is_crop or number in fitting
    ]
    lines = [_line_of(number, one, language) for number, one in told]
    if left := len(pictures) - len(told):
        lines.append(said("more pictures", language, left))
    return "\n".join(lines)


def _line_of(number: int, picture: PagePicture, language: str) -> str:
    """Its size on the page, its description, and for a crop the text read in it, or that it is of one colour."""
    size = f"{number} {picture.box.width:.0f}x{picture.box.height:.0f}"
    shown = f" (shown at 1/{picture.detail:.0f})" if picture.detail >= 2 else ""
    nothing = said("blank", language) if picture.blank else "-"
    read = f": {visible_text('; '.join(picture.texts))[:READ_CHARS] or nothing}" if picture.is_crop else ""
    words = shortened(picture.words, WORDS_CHARS)
    whose = f"of {picture.of} " if picture.is_crop else ""
    what = words if (picture.of if picture.is_crop else number) else "page"
    return f"{size}{shown} {whose}{what}".rstrip() + read
