"""Lists of the lines that a page breaks a text into: the names of one paragraph, a line each, and paragraphs of which each says the
same things line by line, a name, a date, a place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from perception.observation import Block, Observation, Record, RecordSet
from walker.strategies.answers.entry_names import is_label
from walker.strategies.answers.list_forms.section_lines import BY_FORM, LINE_CHARS, LINE_WORDS, list_of_blocks
from walker.strategies.answers.list_forms.unmarked import CAPTION_CHARS, main_blocks

LEAST_LINES = 2
LEAST_ALIKE = 3
"""Least paragraphs in a row that are broken alike."""
MOST_PLACES = 4
"""Lines of each by which it is named: the first says what it is, the next ones when and where."""
MOSTLY = 0.6
"""Share of the paragraphs that have a line at this place, for it to name them."""
_KINDS = ("paragraph", "quote", "item", "definition")


def lines_of_texts(observation: Observation) -> Iterator[RecordSet]:
    """The lists of the main part of a page that are lines of its texts."""
    before = ""
    for (kind, _), group in groupby(main_blocks(observation), lambda one: (one.kind, one.headings)):
        run = list(group)
        broken = [one for one in run if one.breaks]
        are_alike = len(broken) >= max(LEAST_ALIKE, MOSTLY * len(run))
        if are_alike and kind == "paragraph":  # the items of a list are entries already
            yield from _alike(broken)
        for block in run:
            if block.breaks and kind in _KINDS and not are_alike:
                yield from _within(block, before)
            before = "" if kind == "heading" else block.text


def _within(block: Block, before: str) -> Iterator[RecordSet]:
    """The runs of short lines of one text, each below the longer line or the text before it."""
    caption = before
    for is_short, group in groupby(block.lines, _is_short):
        lines = list(group)
        names = list(dict.fromkeys(lines))
        if is_short and len(names) >= LEAST_LINES and not all(map(is_label, names)):
            records = tuple(Record(name=name, text=name, first=block.id, last=block.id) for name in names)
            yield RecordSet(
                id=BY_FORM, kind="list", records=records, caption=caption[-CAPTION_CHARS:], headings=block.headings
            )
        caption = lines[-1]


def _alike(broken: Sequence[Block]) -> Iterator[RecordSet]:
    """The broken paragraphs of a section, named by their first lines, by their second ones, and so on."""
    for place in range(MOST_PLACES):
        told = [(one, one.lines[place]) for one in broken if place < len(one.lines)]
        if len(told) < max(LEAST_ALIKE, MOSTLY * len(broken)):
            return
        if not all(is_label(name) for _, name in told):
            yield list_of_blocks([(name, [one]) for one, name in told], "")


def _is_short(line: str) -> bool:
    return (
        len(line) <= LINE_CHARS
        and len(line.split()) <= LINE_WORDS
        and not line.endswith((".", "!", "。", "！", ":", "："))
    )
