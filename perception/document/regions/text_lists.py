"""Lists that are written as text: lines or paragraphs that begin with a bullet, a dash or a number."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import groupby, pairwise

from perception.observation import Block, Record, RecordSet

LEAST_ENTRIES = 3
RECORD_TEXT = 1500
INTRODUCTION_CHARS = 300
_BULLETS = "•‣◦▪▫●○■□►▸➢➤✓✔✗★☆・"
_BULLET = re.compile(rf"^([{_BULLETS}]|[-–—*+](?=\s))\s*(?=\w|\W?\w)")
_NUMBER = re.compile(r"^\(?(\d{1,3})[.)、]\s+(?=\D)")
_WITHIN = re.compile(rf"(?:^|(?<=\s))([{_BULLETS}])\s+(?=\S)")


def read_text_lists(blocks: Sequence[Block], name_of: Callable[[str], str]) -> list[RecordSet]:
    """Those of the main text, in its order: paragraphs in a row, then lines within one paragraph. `name_of` an entry's text."""
    paragraphs = [
        (place, block)
        for place, block in enumerate(blocks)
        if block.kind == "paragraph" and block.region == "main" and not block.hidden
    ]
    found: list[tuple[int, RecordSet]] = []
    marked = [(place, block, mark) for place, block in paragraphs if (mark := _mark_of(block.text))]
    for _, run in groupby(enumerate(marked), key=_run_of):
        entries = [entry for _, entry in run]
        if len(entries) >= LEAST_ENTRIES and _goes_up([mark for _, _, mark in entries]):
            first = entries[0][0]
            records = tuple(_record(_bare(block.text), name_of, block.id) for _, block, _ in entries)
            found.append((first, _list_of(records, blocks[first], _introduction(blocks, first))))
    for place, block in paragraphs:
        before, *pieces = _pieces(block.text)
        if len(pieces) >= LEAST_ENTRIES:
            records = tuple(_record(piece, name_of) for piece in pieces)
            found.append((place, _list_of(records, block, before or _introduction(blocks, place))))
    return [made for _, made in sorted(found, key=lambda pair: pair[0])]


def _mark_of(text: str) -> str:
    """The bullet or the number that a text begins with."""
    if number := _NUMBER.match(text):
        return number[1]
    bullet = _BULLET.match(text)
    return bullet[1] if bullet and len(_pieces(text)) <= 2 else ""


def _run_of(numbered: tuple[int, tuple[int, Block, str]]) -> tuple[int, str, tuple[str, ...]]:
    """Equal for paragraphs that follow each other under one heading and begin with marks of one kind."""
    place_of_run, (place, block, mark) = numbered
    return place - place_of_run, "1" if mark.isdecimal() else mark, block.headings


def _goes_up(marks: Sequence[str]) -> bool:
    """Whether numbers count one by one; bullets always do."""
    if not marks[0].isdecimal():
        return True
    return all(int(later) == int(one) + 1 for one, later in pairwise(marks))


def _pieces(text: str) -> list[str]:
    """The text before the first bullet within a text, and what follows each."""
    parts = _WITHIN.split(text)
    if len({*parts[1::2]}) > 1:
        return [text]
    return [parts[0].strip(), *(part.strip() for part in parts[2::2] if part.strip())]


def _bare(text: str) -> str:
    return _BULLET.sub("", _NUMBER.sub("", text, count=1), count=1)


def _record(text: str, name_of: Callable[[str], str], block: int = 0) -> Record:
    return Record(name=name_of(text), text=text[:RECORD_TEXT], first=block, last=block)


def _list_of(records: tuple[Record, ...], block: Block, caption: str) -> RecordSet:
    return RecordSet(id=0, kind="list", records=records, caption=caption, headings=block.headings, region=block.region)


def _introduction(blocks: Sequence[Block], place: int) -> str:
    above = blocks[place - 1] if place else None
    if above is None or above.hidden or above.kind == "heading" or above.headings != blocks[place].headings:
        return ""
    return above.text[-INTRODUCTION_CHARS:]
