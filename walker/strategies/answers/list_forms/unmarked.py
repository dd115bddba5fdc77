"""What makes lists of what a page says without the markup of a list."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from perception.observation import Block, Observation, Record, RecordSet

RECORD_TEXT, CAPTION_CHARS = 1500, 300
SENTENCE_CHARS = 60
"""Least characters of a cell that is a text of its own, as those of tables that only place texts are."""


def main_blocks(observation: Observation) -> list[Block]:
    """The blocks of the main part of a page that are shown."""
    return [one for one in observation.blocks if not one.hidden and one.region == "main"]


def list_of_names(names: Iterable[str], caption: str, block: Block) -> RecordSet:
    """Names that a block joins as a list, each once."""
    records = tuple(Record(name=name, text=name) for name in dict.fromkeys(names))
    return RecordSet(id=0, kind="list", records=records, caption=caption[-CAPTION_CHARS:], headings=block.headings)


def cell_texts(block: Block) -> list[Block]:
    """The long cells of a row, each as a paragraph."""
    cells = block.text.split(" | ")
    return [
        msgspec.structs.replace(block, kind="paragraph", text=cell) for cell in cells if len(cell) >= SENTENCE_CHARS
    ]
