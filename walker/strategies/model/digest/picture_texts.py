"""What was read in the pictures of a page, each thing once: a table that was read as rows and again as pairs has each cell twice."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from memory.words import lazy_re
from perception.document.visible import visible_text
from perception.observation import Observation

BETWEEN_CELLS = " | "
LEAST_WITHIN = 12
"""Letters from which a text that stands within another of the same picture is not told by itself."""
_PAIR = lazy_re.compile(r"(.+?)[:：] (.+)", re.DOTALL)
_SIGNS = lazy_re.compile(r"[\W_]+")

Pictured = tuple[tuple[str, ...], list[str]]
"""Headings of a picture, with what the page calls it, and its texts."""


def texts_in_pictures(observation: Observation, question: str = "") -> list[Pictured]:
    """What was seen in each picture, by its headings without the question that a look was taken for; last what was seen in none of
    them and is not what a picture is called."""
    found: dict[tuple[str, ...], dict[str, None]] = {}
    for block in observation.blocks:
        if block.pictured and not block.hidden:
            headings = tuple(one for one in block.headings if one != question)
            found.setdefault(headings, {})[visible_text(block.text)] = None
    told = {text for texts in found.values() for text in texts}
    names = " ".join(visible_text(name).casefold() for headings in found for name in headings)
    seen = dict.fromkeys(map(visible_text, observation.seen_text))
    loose = [text for text in seen if text not in told and text.casefold() not in names]
    pictures = [(headings, each_cell_once(list(texts))) for headings, texts in found.items()]
    return [*pictures, *([((), loose)] if loose else [])]


def place_in_text(headings: tuple[str, ...], observation: Observation) -> int:
    """Id of the block that a picture with these headings stands in or before, 0 where that is not known."""
    named = frozenset(headings)
    regions = (*observation.blind, *observation.described)
    files = {one.source: one for one in regions if one.source and {one.near, one.called} - {""} <= named}
    # What a model saw is headed by the question instead of what stands beside the picture.
    files = files or {one.source: one for one in regions if one.source and one.called in named}
    figures = [one for one in observation.figures if one.url in files and one.region == "main" and not one.hidden]
    places = {one.block for one in figures}
    if len(places) > 1:
        places = {one.block for one in figures if one.heading in named}
    return min(places, default=0)


def each_cell_once(texts: Sequence[str]) -> list[str]:
    """The texts of one picture without what others of them say. A pair of a label and its value goes where rows show which belongs to
    which, side by side or one above the other; lines and rows go of which each cell stands in a pair that stays.

    >>> each_cell_once(["Day | Price", "Monday | 4 EUR", "Day: Monday", "Price: 4 EUR", "4 EUR"])
    ['Day | Price', 'Monday | 4 EUR']
    """
    rows = {text: [_plain(cell) for cell in text.split(BETWEEN_CELLS)] for text in texts}
    tables = [cells for cells in rows.values() if len(cells) > 1]
    seen_in_rows = {cell for cells in tables for cell in cells}
    beside = {pair for cells in tables for pair in pairwise(cells)}
    over = {pair for one, other in pairwise(tables) if len(one) == len(other) for pair in zip(one, other, strict=True)}
    split = {text: _pair_in(text, rows) for text in texts}
    pairs = {text: pair for text, pair in split.items() if pair is not None}
    needless = {text for text, pair in pairs.items() if pair in beside or pair in over}
    cells_of_pairs = {cell for text, pair in pairs.items() if text not in needless for cell in pair}
    values = [value for text, (_, value) in pairs.items() if text not in needless]
    kept = []
    for text, cells in rows.items():
        is_line = text not in pairs
        if text in needless or (len(cells) == 1 and is_line and cells[0] in seen_in_rows):
            continue
        if is_line and cells_of_pairs and all(_is_told(cell, cells_of_pairs, values) for cell in cells):
            continue
        kept.append(text)
    return _without_parts(kept)


def _pair_in(text: str, rows: dict[str, list[str]]) -> tuple[str, str] | None:
    """Label and value of a text that joins two things that stand in the picture by themselves; None for any other."""
    found = _PAIR.fullmatch(text)
    if found is None or BETWEEN_CELLS in text:
        return None
    label, value = _plain(found[1]), _plain(found[2])
    others = [cell for other, cells in rows.items() if other != text for cell in cells]
    is_label, is_value = label in others, value in others or _is_joined(value, others)
    return (label, value) if label and value and is_label and is_value else None


def _is_joined(value: str, cells: Sequence[str]) -> bool:
    """Whether a value is made of several cells, one after the other."""
    return any(value.startswith(one) and value.removeprefix(one) in cells for one in cells if one and one != value)


def _is_told(cell: str, told: set[str], values: Sequence[str]) -> bool:
    return not cell or cell in told or any(value.startswith(cell) or value.endswith(cell) for value in values)


def _without_parts(texts: list[str]) -> list[str]:
    """The texts without those that another one has within it, as a line has that a closer look read again as a part of a paragraph."""
    plain = [_plain(text) for text in texts]
    return [
        text
        for place, text in enumerate(texts)
        if len(plain[place]) < LEAST_WITHIN
        or not any(plain[place] in other and len(other) > len(plain[place]) for other in plain)
    ]


def _plain(text: str) -> str:
    return _SIGNS.sub("", text).casefold()
