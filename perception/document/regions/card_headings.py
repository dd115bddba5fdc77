"""Headings that stand within cards, behind other text of theirs: such a heading is of its own card, not of what follows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import msgspec

from perception.observation import Block, Record, RecordSet

LEAST_CARDS = 3
"""Cards of one kind from which where their headings stand is no chance."""

_Path = tuple[str, ...]


def with_card_headings(blocks: Sequence[Block], sets: Sequence[RecordSet]) -> tuple[Block, ...]:
    """The blocks, those of cards with text before their heading under that heading, and what follows the last such card under
    the headings that stand above all of them."""
    paths: dict[int, _Path] = {}
    for records in sets:
        named = _named_from_behind(records, blocks)
        for record, title in named:
            own, above = (*title.headings, title.text), _above(title, named)
            for block in blocks[record.first - 1 : record.last]:
                if block.id < title.id and block.kind != "heading":
                    paths[block.id] = (*above, title.text)
                elif block.id != title.id and block.headings[: len(own)] == own:
                    paths[block.id] = (*above, *block.headings[len(own) - 1 :])
        if named:
            last, title = named[-1]
            paths |= _after(blocks, last.last, (*title.headings, title.text), _above(title, named))
    if not paths:
        return tuple(blocks)
    return tuple(
        msgspec.structs.replace(block, headings=paths[block.id]) if block.id in paths else block for block in blocks
    )


def _above(title: Block, named: Sequence[tuple[Record, Block]]) -> _Path:
    """The headings above a card's heading, without those of other cards."""
    return min((title.headings, named[0][1].headings), key=len)


def _after(blocks: Sequence[Block], last: int, within: _Path, above: _Path) -> dict[int, _Path]:
    """By id, the headings of the blocks behind the last card that are told as if they stood in it."""
    found: dict[int, _Path] = {}
    for block in blocks[last:]:
        if block.headings[: len(within)] != within:
            break
        found[block.id] = (*above, *block.headings[len(within) :])
    return found


def _named_from_behind(records: RecordSet, blocks: Sequence[Block]) -> list[tuple[Record, Block]]:
    """The cards with the heading of each, where each has one, all of one level, and text before it; [] for any other list. Where
    something stands between them, what looks like a card is a title with what belongs to it."""
    cards = [record for record in records.records if record.first]
    if records.kind != "repeated" or len(cards) < LEAST_CARDS or len(cards) < len(records.records):
        return []
    if any(after.first != before.last + 1 for before, after in pairwise(cards)):
        return []
    named: list[tuple[Record, Block]] = []
    for record in cards:
        own = [block for block in blocks[record.first - 1 : record.last] if not block.hidden]
        titles = [block for block in own if block.kind == "heading"]
        if len(titles) != 1 or own[0] is titles[0]:
            return []
        named.append((record, titles[0]))
    return named if len({title.level for _, title in named}) == 1 else []
