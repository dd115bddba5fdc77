"""Merges what was seen into the observation of the page: text in pictures becomes blocks, tables in them record sets."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import msgspec

from perception.element_map import ElementMap
from perception.geometry import Box
from perception.observation import Block, Field, Observation, Record, RecordSet
from perception.page_pictures import LETTER_KINDS, PagePicture, ocr_confidence, with_ocr_confidence
from perception.picture_lines import with_lines
from perception.snapshot import BlindRegion
from walker.seams.actions import Enlarge
from walker.seams.protocols import Look, Seen

LEAST_UNSEEN, UNSEEN_LISTED = 8, 5
"""Least characters of an invisible text that is hidden from the strategies, and how many such texts the notes list."""
CROP_TEXTS, CROP_TEXT_CHARS = 6, 80
"""Most texts of a crop that are stored with it, for choosing the next crop, and most characters of each."""
LEAST_ROWS = 3
"""Least rows of a table read in a picture, its header included."""


def with_look(observation: Observation, look: Look) -> Observation:
    """The observation with what a look added; a second look adds to the first."""
    if look.lines:
        lines = with_lines(observation.picture_lines, look.lines)
        observation = msgspec.structs.replace(observation, picture_lines=lines)
    known = set(observation.seen_text)
    new = [seen for seen in look.seen if seen.text and (seen.text not in known or _answers(seen, look, observation))]
    if not new and not look.answer:
        return observation
    blocks, number = list(observation.blocks), len(observation.blocks)
    for seen in new:
        if seen.source != "page":
            number += 1
            blocks.append(_block(seen, number, _headings_of(seen, observation)))
    texts = tuple(dict.fromkeys((*observation.seen_text, *(seen.text for seen in new))))
    if look.answer and look.answer not in texts:
        texts = (*texts, look.answer)
    return msgspec.structs.replace(
        observation,
        blocks=tuple(blocks),
        record_sets=(*observation.record_sets, *_tables(new, len(observation.record_sets))),
        seen_text=texts,
    )


def with_looked_at(observation: Observation, boxes: tuple[Box, ...], scale: float, look: Look) -> Observation:
    """The observation with the scale and the OCR confidence of these boxes stored with its pictures."""
    pictures = with_ocr_confidence(observation.pictures, boxes, scale, _lines(look))
    return observation if pictures == observation.pictures else msgspec.structs.replace(observation, pictures=pictures)


def with_crop(observation: Observation, part: Enlarge, scale: float, look: Look, *, blank: bool = False) -> Observation:
    """The observation with one more picture: the part that was enlarged to this scale, and the text read in it, or that it is
    `blank`."""
    around = _region_around(observation, part.box)
    crop = PagePicture(
        box=part.box,
        of=part.image_index,
        scale=scale,
        detail=around.detail if around is not None and part.box.share_in(around.box) > 0.8 else 0.0,
        sure=ocr_confidence(part.box, _lines(look)),
        words=observation.pictures[part.image_index].words,
        texts=tuple(text[:CROP_TEXT_CHARS] for text in look.texts[:CROP_TEXTS]),
        blank=blank,
    )
    lines = _lines(look)
    pictures = with_ocr_confidence(observation.pictures, (part.box,), scale, lines) if lines else observation.pictures
    return msgspec.structs.replace(observation, pictures=(*pictures, crop))


def regions_of(observation: Observation, part: Enlarge) -> tuple[BlindRegion, ...]:
    """The blind regions of an enlarged part: the part itself, with the text around it, and the regions without text in it."""
    around = _region_around(observation, part.box)
    if around is None:
        around = BlindRegion(kind="media", box=part.box, near=observation.pictures[part.image_index].words)
    marks = (region for region in observation.blind if region.kind not in LETTER_KINDS)
    return (
        msgspec.structs.replace(around, kind="media", box=part.box),
        *(region for region in marks if region.box.share_in(part.box) > 0.5),
    )


def without_texts(observation: Observation, seen: Sequence[Seen]) -> Observation:
    """The observation without these texts, which were read in pictures, and without tables most of which were read so: what reads
    them anew brings their rows."""
    gone = {one.text for one in seen}
    if not gone:
        return observation
    rows = gone.difference(block.text for block in observation.blocks if not block.pictured)
    return msgspec.structs.replace(
        observation,
        record_sets=tuple(
            one
            for one in observation.record_sets
            if 2 * sum(record.text in rows for record in one.records) < max(1, len(one.records))
        ),
        blocks=tuple(block for block in observation.blocks if not (block.pictured and block.text in gone)),
        seen_text=tuple(text for text in observation.seen_text if text not in gone),
    )


def _region_around(observation: Observation, box: Box) -> BlindRegion | None:
    """The blind region that shares most with a box of the page."""
    regions = [region for region in observation.blind if region.kind in LETTER_KINDS and region.box.overlap(box) > 0]
    return max(regions, key=lambda region: region.box.overlap(box), default=None)


def _lines(look: Look) -> list[tuple[Box, float]]:
    return [(seen.box, seen.confidence) for seen in look.seen if seen.source == "ocr" and seen.box is not None]


def without_unseen(observation: Observation, elements: ElementMap) -> tuple[Observation, tuple[str, ...]]:
    """The observation with those blocks hidden that are invisible in the view, and a note on each.

    A text that is also visible somewhere is not hidden.
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
    return msgspec.structs.replace(observation, blocks=tuple(blocks)), tuple(found[:UNSEEN_LISTED])


def _answers(seen: Seen, look: Look, observation: Observation) -> bool:
    """Whether it is a model's answer in words that were read before: it is then added once more, under the question."""
    if seen.source != "model" or seen.text != look.answer:
        return False
    return not any(block.text == seen.text and seen.near in block.headings for block in observation.blocks)


def _headings_of(seen: Seen, observation: Observation) -> tuple[str, ...]:
    """What stands above what was seen; of a model's words the picture that they are of, and nearest the question that they answer."""
    if seen.source != "model":
        return (seen.heading, seen.near, seen.picture)
    around = _region_around(observation, seen.box) if seen.box is not None and not seen.picture else None
    return (seen.heading, around.called if around is not None else seen.picture, seen.near)


def _squeezed(text: str) -> str:
    return " ".join(text.split())


def _block(seen: Seen, number: int, headings: tuple[str, ...]) -> Block:
    kind = "row" if seen.kind == "row" else "paragraph"
    return Block(
        id=number,
        kind=kind,  # type: ignore[arg-type]
        text=seen.text,
        headings=tuple(dict.fromkeys(filter(None, headings))),
        pictured=True,
    )


def _tables(seen: list[Seen], before: int) -> list[RecordSet]:
    """Tables from consecutive rows with the same heading and number of cells; the first row names the columns."""
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
