"""Records of a page, such as cards, definitions and rows of a layout, that are one line each in a prompt."""

from __future__ import annotations

from collections.abc import Sequence

from perception.observation import Block, Observation, Record, RecordSet

RECORD_CHARS = 300
"""Of the longest record that is one line; a longer one is read as text."""
BLOCKS_AT_MOST = 12
LEAST_SHARE = 0.8
"""Of the records of one kind that must be so short: all look alike."""
_LINES = frozenset(("paragraph", "item", "term", "definition", "heading", "caption"))


def lines_of_records(observation: Observation) -> dict[int, int]:
    """The ids of the first and of the last block of each record that is one line."""
    found: list[tuple[int, int]] = []
    for records in observation.record_sets:
        if records.kind == "table" or records.region != "main":
            continue
        ranges = _ranges(records, observation.blocks)
        if ranges:
            found += ranges
    lines: dict[int, int] = {}
    until = 0
    for first, last in sorted(found, key=lambda pair: (pair[0], -pair[1])):
        if first > until:
            lines[first] = until = last
    return lines


def _ranges(records: RecordSet, blocks: Sequence[Block]) -> list[tuple[int, int]]:
    """Those of its records that have several blocks, unless too many of all are too long for a line."""
    placed = [record for record in records.records if record.last]
    if all(record.first == record.last for record in placed):
        return []
    short = [record for record in placed if _is_line(record, blocks)]
    if len(short) < LEAST_SHARE * len(records.records):
        return []
    return [(record.first, record.last) for record in short if record.first < record.last]


def _is_line(record: Record, blocks: Sequence[Block]) -> bool:
    if len(record.text) > RECORD_CHARS or not 0 <= record.last - record.first < BLOCKS_AT_MOST:
        return False
    own = blocks[record.first - 1 : record.last]
    return (
        all(
            block.kind in _LINES and block.region == "main" and not block.hidden and not block.pictured for block in own
        )
        and len({block.opener for block in own}) == 1
        and sum(block.kind == "heading" for block in own) <= 1
    )
