"""The page of a file (PDF) that a quote stands on."""

from __future__ import annotations

import re
from itertools import groupby

from perception.observation import Observation

_ANCHOR = re.compile(r"page=(\d{1,5})")
BEGINNING_CHARS = 40
"""Of a quote that goes on to the next page: what must stand on its first."""


def page_of_quote(observation: Observation, quote: str) -> int:
    """The number of the page, where the parts of the document are anchored as pages (`page=3`); else 0."""
    if not any(block.anchor.startswith("page=") for block in observation.blocks):
        return 0
    wanted = _letters(quote)
    pages = [
        (int(match[1]), _letters(" ".join(block.text for block in blocks)))
        for anchor, blocks in groupby(observation.blocks, key=lambda block: block.anchor)
        if (match := _ANCHOR.fullmatch(anchor))
    ]
    for piece in (wanted, wanted[:BEGINNING_CHARS]):
        for number, text in pages:
            if piece and piece in text:
                return number
    return 0


def _letters(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())
