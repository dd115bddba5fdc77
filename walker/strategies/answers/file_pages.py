"""The page of a file (PDF), its sheet or its slide that a quote stands on."""

from __future__ import annotations

from itertools import groupby

import msgspec

from memory.words import lazy_re
from perception.observation import Observation

_ANCHOR = lazy_re.compile(r"page=(\d{1,5})")
BEGINNING_CHARS = 40
"""Of a quote that goes on to the next page: what must stand on its first."""


def page_of_quote(observation: Observation, quote: str) -> int:
    """The number of the page, where the parts of the document are anchored as pages (`page=3`); else 0."""
    if not any(block.anchor.startswith("page=") for block in observation.blocks):
        return 0
    found = _ANCHOR.fullmatch(_anchor_of(observation, quote, "page="))
    return int(found[1]) if found else 0


def part_of_quote(observation: Observation, quote: str) -> str | msgspec.UnsetType:
    """The anchor of the sheet or slide that a quote stands on (`sheet=Budget%202025`, `slide=3`), unset where there is none."""
    for kind in ("sheet=", "slide="):
        if any(block.anchor.startswith(kind) for block in observation.blocks):
            return _anchor_of(observation, quote, kind) or msgspec.UNSET
    return msgspec.UNSET


def _anchor_of(observation: Observation, quote: str, kind: str) -> str:
    """The anchor of a kind that the quote stands below, "" for none."""
    wanted = _letters(quote)
    parts: list[tuple[str, str]] = [
        (anchor, _letters(" ".join(block.text for block in blocks)))
        for anchor, blocks in groupby(observation.blocks, key=lambda block: block.anchor)
        if anchor.startswith(kind)
    ]
    for piece in (wanted, wanted[:BEGINNING_CHARS]):
        for anchor, text in parts:
            if piece and piece in text:
                return anchor
    return ""


def _letters(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())
