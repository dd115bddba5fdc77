"""Lists that a page writes as lines: names with an explanation each in a block of code, and runs of short lines below a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from perception.observation import Block, Observation, Record, RecordSet

LEAST_LINES = 3
MOSTLY = 0.6
"""Share of the lines of a block of code that explain a name, for it to be a list of names."""
LINE_CHARS, LINE_WORDS = 40, 4
"""Most characters and words of a line that is an entry and no sentence."""
_EXPLAINED = re.compile(r"^\s*(?P<name>[\w.+/-]{1,30}(?: or [\w.+/-]{1,30})?)\s+[-–—]\s+\S")
_SENTENCE_END = re.compile(r"[.:?!。：？！]\s*$")


def written_lists_on(observation: Observation) -> Iterator[RecordSet]:
    """The lists in the lines of the main part of a page."""
    known = {tuple(record.name for record in records.records) for records in observation.record_sets}
    blocks = [block for block in observation.blocks if not block.hidden and block.region == "main"]
    before, section = "", tuple[str, ...]()
    run: list[Block] = []
    for block in (*blocks, None):
        if block is not None and _is_line(block) and (not run or run[-1].headings == block.headings):
            run.append(block)
            continue
        names = [one.text for one in run]
        if len(frozenset(names)) >= LEAST_LINES and tuple(names) not in known and _introduces(before, section, run):
            yield _record_set(names, before, run[0])
        run = [block] if block is not None and _is_line(block) else []
        if block is not None and block.kind == "code":
            names = _explained(block.text)
            if names:
                yield _record_set(names, before, block)
        if block is not None and block.kind != "heading" and not run:
            before, section = block.text, block.headings


def _introduces(before: str, section: tuple[str, ...], run: Sequence[Block]) -> bool:
    """Whether a sentence stands before a run of lines in their own section."""
    return _SENTENCE_END.search(before) is not None and section == run[0].headings


def _is_line(block: Block) -> bool:
    text = block.text
    return (
        block.kind == "paragraph"
        and 0 < len(text) <= LINE_CHARS
        and len(text.split()) <= LINE_WORDS
        and not _SENTENCE_END.search(text)
    )


def _explained(text: str) -> list[str]:
    lines = [line for line in text.splitlines() if line.strip()]
    names = [match["name"] for line in lines if (match := _EXPLAINED.match(line))]
    return list(dict.fromkeys(names)) if len(names) >= max(LEAST_LINES, MOSTLY * len(lines)) else []


def _record_set(names: Sequence[str], before: str, block: Block) -> RecordSet:
    records = tuple(Record(name=name, text=name) for name in dict.fromkeys(names))
    return RecordSet(id=0, kind="list", records=records, caption=before[-300:], headings=block.headings)
