"""How pages of our own tell what a picture search has found: the headings by which explorer and policy know a good hit."""

from __future__ import annotations

from typing import Literal

import msgspec

from memory.words import lazy_re
from walker.seams.searches import picture_of

GOOD_SCORE = 0.5
"""Chance 0..1 from which a hit is taken to show the searched picture, or a part of it."""
SURE_SCORE = 0.9
"""Chance from which a hit whose points agree in their places surely is the picture."""
GOOD_HITS = "Pages that show this picture"
OTHER_HITS = "Pages with pictures that are less like it"
ROOTS = "Where the walk may begin"
BETWEEN_TEXTS = " - "
"""Between the texts that a page has about a picture: its alternative text, its caption, the heading above it."""
TITLE = "The picture of the question"
"""Of the first page of a walk with a picture, and how its citations are told."""


def told_address(url: str) -> str:
    """An address as a person is told it: that of the page of the question's picture in words, any other as it is."""
    return TITLE[0].lower() + TITLE[1:] if picture_of(url) else url


_TOLD = lazy_re.compile(r"\s*\((\d\.\d\d), by (\w+)\)\s*")
_BY_PLACE = frozenset(("hash", "features"))
"""How hits are found of which it was checked that the same things stand at the same places."""


class PictureName(msgspec.Struct, frozen=True, kw_only=True):
    """What the picture of a question shows, and whence that is known."""

    name: str
    by: Literal["page", "words"]
    """A page that shows the picture too, or words that were read in it."""
    url: str = ""
    """Of that page."""
    page: str = ""
    """Its title."""
    said: str = ""
    """All that it says of the picture."""
    is_sure: bool = False
    """Whether it surely is the same picture."""


def told_score(score: float, found_by: str) -> str:
    """How an entry of a page of hits begins behind its link: what stands beside a link is cut where it is long.

    >>> told_score(0.931, "features")
    '(0.93, by features)'
    """
    return f"({score:.2f}, by {found_by})"


def split_told(context: str) -> tuple[str, bool]:
    """What a page of hits says of an entry, without its score; and whether that makes it sure.

    >>> split_told("(0.93, by features) Gull Mill in 1764")
    ('Gull Mill in 1764', True)
    """
    found = _TOLD.match(context)
    if found is None:
        return context.strip(), False
    return context[found.end() :].strip(), float(found[1]) >= SURE_SCORE and found[2] in _BY_PLACE
