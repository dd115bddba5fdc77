"""How pages of our own tell what a picture search has found: the headings by which explorer and policy know a good hit."""

from __future__ import annotations

from walker.seams.searches import picture_of

GOOD_SCORE = 0.5
"""Chance 0..1 from which a hit is taken to show the searched picture, or a part of it."""
GOOD_HITS = "Pages that show this picture"
OTHER_HITS = "Pages with pictures that are less like it"
ROOTS = "Where the walk may begin"
TITLE = "The picture of the question"
"""Of the first page of a walk with a picture, and how its citations are told."""


def told_address(url: str) -> str:
    """An address as a person is told it: that of the page of the question's picture in words, any other as it is."""
    return TITLE[0].lower() + TITLE[1:] if picture_of(url) else url
