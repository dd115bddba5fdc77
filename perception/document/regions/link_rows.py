"""Links in a row without a list around them, such as a cloud of tags or a line of categories, as records."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Set

from perception.document.addresses import absolute_url
from perception.document.link_density import letters_in
from perception.document.page_text import Mark, PageText
from perception.observation import Block, Record, RecordSet

LEAST_LINKS = 4
LEAST_SHARE = 0.8
"""Of the letters of a row, those of its links."""
LEAST_LETTERS = 2
"""Of a label on average: the letters of an index, and the numbers of pages, are ways to a list and no list."""


def read_link_rows(page: PageText, base: str, within: Set[int]) -> list[tuple[int, RecordSet]]:
    """The rows, each with its position; none is what stands `within` the blocks of a card, or begins alike in several places."""
    rows: dict[int, list[Mark]] = defaultdict(list)
    for mark in page.marks:
        if mark.kind == "a" and mark.block and mark.text_end > mark.text_start and mark.element.get("href"):
            rows[mark.block].append(mark)
    found: list[tuple[int, Block, tuple[Record, ...]]] = []
    for number, marks in rows.items():
        block = page.blocks[number - 1]
        if len(marks) < LEAST_LINKS or block.kind != "paragraph" or block.hidden or number in within:
            continue
        labels = [block.text[mark.text_start : mark.text_end] for mark in marks]
        if _is_row(labels, block.text):
            records = (
                Record(name=label, text=label, url=absolute_url(base, mark.element.get("href")))
                for label, mark in zip(labels, marks, strict=True)
            )
            found.append((marks[0].start, block, tuple(records)))
    begins = Counter(records[0].name for _, _, records in found)
    return [
        (start, RecordSet(id=0, kind="list", records=records, headings=block.headings, region=block.region))
        for start, block, records in found
        if begins[records[0].name] == 1
    ]


def _is_row(labels: list[str], text: str) -> bool:
    linked = letters_in("".join(labels))
    is_named = len(set(labels)) == len(labels) and linked >= LEAST_LETTERS * len(labels)
    return is_named and linked >= LEAST_SHARE * letters_in(text)
