"""What was seen, put into the page as it is read: text in pictures becomes blocks, and their tables record sets."""

from __future__ import annotations

from itertools import groupby

import msgspec

from perception.element_map import ElementMap
from perception.observation import Block, Field, Observation, Record, RecordSet
from walker.seams import Look, Seen

LEAST_UNSEEN, UNSEEN_TOLD = 8, 5
"""Characters of a text from which it is hidden when nobody sees it, and how many of them the record tells."""
LEAST_ROWS = 3
"""A table read in a picture has at least this many rows, its head included."""


def with_look(observation: Observation, look: Look) -> Observation:
    """The observation with what a look added to it. A second look adds to the first."""
    known = set(observation.seen_text)
    new = [seen for seen in look.seen if seen.text and seen.text not in known]
    if not new and not look.answer:
        return observation
    blocks, number = list(observation.blocks), len(observation.blocks)
    for seen in new:
        if seen.source != "page":
            number += 1
            blocks.append(_block(seen, number))
    texts = tuple(dict.fromkeys((*observation.seen_text, *(seen.text for seen in new))))
    if look.answer and look.answer not in texts:
        texts = (*texts, look.answer)
    return msgspec.structs.replace(
        observation,
        blocks=tuple(blocks),
        record_sets=(*observation.record_sets, *_tables(new, len(observation.record_sets))),
        seen_text=texts,
    )


def without_unseen(observation: Observation, elements: ElementMap) -> tuple[Observation, tuple[str, ...]]:
    """The observation with blocks hidden that the view shows nobody can see, and their texts.

    A text that also stands where it is seen stays.
    """
    seen = {_squeezed(element.text) for element in elements.elements if not element.unseen}
    unseen = {
        _squeezed(element.text): element.unseen
        for element in elements.elements
        if element.unseen and len(element.text) >= LEAST_UNSEEN
    }
    wanted = {text: why for text, why in unseen.items() if text and text not in seen}
    found: list[str] = []
    blocks: list[Block] = []
    for block in observation.blocks:
        why = wanted.get(_squeezed(block.text[:300])) if wanted and not block.hidden else None
        if why is not None:
            found.append(f"text that nobody sees ({why}): {block.text[:80]}")
        blocks.append(block if why is None else msgspec.structs.replace(block, hidden=True))
    if not found:
        return observation, ()
    return msgspec.structs.replace(observation, blocks=tuple(blocks)), tuple(found[:UNSEEN_TOLD])


def _squeezed(text: str) -> str:
    return " ".join(text.split())


def _block(seen: Seen, number: int) -> Block:
    kind = "row" if seen.kind == "row" else "paragraph"
    return Block(
        id=number,
        kind=kind,  # type: ignore[arg-type]
        text=seen.text,
        headings=tuple(dict.fromkeys(words for words in (seen.heading, seen.near) if words)),
        pictured=True,
    )


def _tables(seen: list[Seen], before: int) -> list[RecordSet]:
    """Rows of one picture with the same number of cells, one after the other; the first names the columns."""
    tables: list[RecordSet] = []
    for (kind, heading, _), group in groupby(seen, key=lambda one: (one.kind, one.heading, len(one.cells))):
        rows = list(group)
        if kind != "row" or len(rows) < LEAST_ROWS:
            continue
        head, *body = rows
        tables.append(
            RecordSet(
                id=before + len(tables) + 1,
                kind="table",
                columns=head.cells,
                headings=(heading,) if heading else (),
                records=tuple(
                    Record(
                        name=row.cells[0],
                        text=row.text,
                        fields=tuple(
                            Field(name=name, value=value) for name, value in zip(head.cells, row.cells, strict=True)
                        ),
                    )
                    for row in body
                ),
            )
        )
    return tables
