"""The lines of a prompt: those of a block of text, none of them longer than a part of a page, and the records of a page, such as
cards, definitions and rows of a layout, that are one line each."""

from __future__ import annotations

from collections.abc import Sequence

from memory.words import lazy_re
from perception.document.visible import visible_text, without_unseen
from perception.observation import Block, Observation, Record, RecordSet
from walker.strategies.model.digest.link_marks import LinkMarks

PART_CHARS = 900
"""Characters of a part, each counted as the bytes that it has in UTF-8: so a part has about as many tokens in any script. A longer
block is cut at sentences or lines."""
DEEPEST = 4
"""Lists in lists whose entries are set in."""
RECORD_CHARS = 300
"""Of the longest record that is one line; a longer one is read as text."""
BLOCKS_AT_MOST = 12
LEAST_SHARE = 0.8
"""Of the records of one kind that must be so short: all look alike."""
_LINES = frozenset(("paragraph", "item", "term", "definition", "heading", "caption"))
_SENTENCE = lazy_re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])")
_WIDE_ENDS = ("。", "！", "？", "；")
"""What no space follows."""


def size_of(text: str) -> int:
    """Its length in UTF-8: a token holds about as much of that in any script."""
    return len(text) if text.isascii() else len(text.encode(errors="replace"))


def lines_of(block: Block, marks: LinkMarks) -> list[str]:
    """The lines of a block: code keeps its line breaks, everything else is one line, cut where it is long."""
    text = marks.text_of(block)
    if block.kind == "code":
        lines = without_unseen(text).strip("\n").splitlines()
        if len(lines) <= 1:
            return [f"`{visible_text(text)}`"] if lines else []
        return _gathered(["```", *(line.rstrip() for line in lines), "```"], "\n")
    clean = visible_text(text)
    if not clean:
        return []
    pieces = [clean] if size_of(clean) <= PART_CHARS else _gathered(_SENTENCE.split(clean), " ")
    first, *rest = pieces
    match block.kind:
        case "item":
            first = f"{'  ' * min(block.depth, DEEPEST)}- {first}"
        case "row":
            first = f"| {first} |"
        case "quote":
            first = f"> {first}"
        case "definition":
            first = f"  {first}"
    return [first, *rest]


def _gathered(pieces: list[str], glue: str) -> list[str]:
    """The pieces joined to runs of at most about `PART_CHARS`; one that is longer by itself is cut."""
    runs: list[str] = []
    for whole in pieces:
        each = PART_CHARS if whole.isascii() else max(1, PART_CHARS * len(whole) // size_of(whole))
        for start in range(0, max(1, len(whole)), each):
            piece = whole[start : start + each]
            if runs and size_of(runs[-1]) + size_of(piece) < PART_CHARS:
                runs[-1] = f"{runs[-1]}{'' if runs[-1].endswith(_WIDE_ENDS) else glue}{piece}"
            else:
                runs.append(piece)
    return runs


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
