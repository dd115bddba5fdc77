"""Splits a page into passages: sentences, table rows and definitions, with the text around them."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from memory.words import lazy_re
from perception.observation import Block, Observation, RecordSet

VALUE_CHARS = 80
"""Most characters of a cell or definition that is a mere value: the question's words are in its row, column or term."""
DEFINITION_CHARS = 200
"""Of a definition or the cells of a row, by which its term or the name of the row is found."""
CELL_ROWS = 200
SENTENCES_A_BLOCK = 60
PASSAGES_AT_MOST = 50_000
"""As many as an office file has blocks at most, so that none of its rows is passed over. 12,000 rows take 2 s to be divided and
weighed, where the page itself takes 6 to be read (2 cores, under load)."""
_SENTENCE_END = lazy_re.compile(r"(?<=[.!?])[\"”')\]]?\s+(?=[\"“'(\[A-Z0-9])|(?<=[。！？；])")
_ABBREVIATION = lazy_re.compile(
    r"(?:\b(?:Dr|Mr|Mrs|Ms|Prof|St|No|vs|e\.g|i\.e|etc|Fig|Vol|pp|cf|Jr|Sr|Inc|Ltd|approx|ca)\.|\b[A-Z]\.)$"
)


class Passage(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """`text` is verbatim; `near` is the rest of its block and the sentence before, `above` headings and introduction."""

    text: str
    near: str
    above: str
    hidden: bool
    margin: bool
    """In the navigation, the header, the footer or a sidebar."""
    place: int
    is_value: bool = False
    """A cell or a short definition, whose row, column or term (`near`) says what it means."""
    quote: str = ""
    """Quoted instead of the text: the whole row of a cell."""
    pictured: bool = False
    """Read in a picture."""


def split_passages(observation: Observation) -> tuple[Passage, ...]:
    """All passages of the page in order, those from OCR and the vision model included."""
    found: list[Passage] = []
    term = before = ""
    defined = _definitions(observation.blocks)
    for block in observation.blocks:
        if block.kind == "heading":
            before = ""
            continue
        if block.kind == "term":
            term = block.text
        above = " ".join(block.headings)
        near = ""
        if block.kind == "definition":
            above, near = f"{above} {term}", term
        elif block.kind == "term":
            near = defined.get(block.id, "")
        elif block.pictured:
            near = above
        elif block.kind in ("item", "row", "code", "quote"):
            above = f"{above} {before[-200:]}"
        found += _of_block(block, above, near, len(found))
        if block.kind in ("paragraph", "definition", "caption"):
            before = block.text
        if len(found) >= PASSAGES_AT_MOST:
            break
    found += _cells(observation.record_sets, observation.blocks, len(found))
    return (*found, *_seen(observation, len(found)))


def _definitions(blocks: tuple[Block, ...]) -> dict[int, str]:
    """The beginning of what defines each term, by the block of the term: "which exception is raised when ..." asks for a term."""
    found: dict[int, str] = {}
    terms: list[int] = []
    for block in blocks:
        if block.kind == "term":
            terms.append(block.id)
        elif block.kind == "definition" and terms:
            found |= dict.fromkeys(terms, block.text[:DEFINITION_CHARS])
            terms = []
        elif block.kind == "heading":
            terms = []
    return found


def _seen(observation: Observation, place: int) -> Iterator[Passage]:
    """Passages that were seen in pictures only."""
    pictured = {block.text for block in observation.blocks if block.pictured}
    texts = (text for text in observation.seen_text if text not in pictured)
    for number, text in enumerate(texts, place):
        yield Passage(
            text=text, near="", above=observation.title, hidden=False, margin=False, place=number, pictured=True
        )


def _cells(record_sets: tuple[RecordSet, ...], blocks: tuple[Block, ...], place: int) -> Iterator[Passage]:
    """Every cell of a table, with the names of its row and column."""
    rows = {block.text: block for block in blocks if block.kind == "row"}
    number = place
    for records in record_sets:
        if records.kind != "table" or not records.columns:
            continue
        above = " ".join((*records.headings, records.caption))
        for record in records.records[:CELL_ROWS]:
            block = rows.get(record.text)
            others = [field for field in record.fields if field.value != record.name]
            told = " ".join(field.value for field in others)[:DEFINITION_CHARS]
            cells = [(record.name, told), *((field.value, f"{record.name} {field.name}") for field in others)]
            for text, near in cells:
                if text and len(text) <= VALUE_CHARS:
                    yield Passage(
                        text=text,
                        near=near,
                        above=above,
                        hidden=block.hidden if block else False,
                        margin=records.region != "main",
                        place=number,
                        is_value=True,
                        quote=record.text,
                    )
                    number += 1


def _of_block(block: Block, above: str, near: str, place: int) -> Iterator[Passage]:
    sentences = _lines(block.text) if block.kind == "code" else split_sentences(block.text)
    for number, sentence in enumerate(sentences[:SENTENCES_A_BLOCK]):
        around = " ".join((near, *sentences[max(0, number - 2) : number], *sentences[number + 1 : number + 2]))
        yield Passage(
            text=sentence,
            near=around,
            above=above,
            hidden=block.hidden,
            margin=block.region != "main",
            place=place + number,
            # A few words in a picture are what the text around it is about.
            is_value=(block.kind == "definition" or block.pictured or (block.kind == "term" and bool(near)))
            and len(block.text) <= VALUE_CHARS,
            pictured=block.pictured,
        )


def _lines(text: str) -> list[str]:
    """Code as overlapping pairs of lines: an input and its output."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return [f"{line} {lines[number + 1]}" if number + 1 < len(lines) else line for number, line in enumerate(lines)]


def split_sentences(text: str) -> list[str]:
    """Sentences of English and Chinese text; abbreviations and initials do not end one."""
    parts: list[str] = []
    for piece in _SENTENCE_END.split(text):
        if not piece.strip():
            continue
        if parts and _ABBREVIATION.search(parts[-1]):
            parts[-1] = f"{parts[-1]} {piece.strip()}"
        else:
            parts.append(piece.strip())
    return parts
