"""Entries below headings as lists of their own: the cards between two headings of a long run of cards, and the paragraphs of a section
that are a link each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from perception.document.link_density import letters_in
from perception.observation import Block, Observation, RecordSet
from walker.strategies.answers.list_forms.grouped_entries import below_headings
from walker.strategies.answers.list_forms.section_lines import list_of_blocks
from walker.strategies.answers.list_forms.unmarked import main_blocks

LEAST_ENTRIES, LEAST_LINKED = 2, 3
"""Of a section of a list; and of one of links, of which two go with a text ("Code", "Paper")."""
LINKED_SHARE = 0.6
"""Of the letters of a paragraph, those of its link, from which it is an entry that leads somewhere."""
PAIRS_AT_MOST = 100_000
"""Entries times headings up to which a list is divided: each pair takes about 50 nanoseconds."""


def entries_of_sections(observation: Observation) -> Iterator[RecordSet]:
    """The entries of each section, where no list of the page consists of just these."""
    blocks = observation.blocks
    headings = sum(block.kind == "heading" for block in blocks)
    known = {tuple(record.name for record in records.records) for records in observation.record_sets}
    for one in (*_divided(observation, headings), *_linked(observation)):
        names = tuple(record.name for record in one.records)
        if names not in known and len(set(names)) >= LEAST_ENTRIES:
            known.add(names)
            yield one


def _divided(observation: Observation, headings: int) -> Iterator[RecordSet]:
    """The entries of lists between one heading and the next, where several headings stand between them."""
    for records in observation.record_sets:
        if records.kind != "table" and headings * len(records.records) <= PAIRS_AT_MOST:
            yield from list(below_headings(records, observation.blocks))[1:]


def _linked(observation: Observation) -> Iterator[RecordSet]:
    """The paragraphs of a section each of which is a link and little else, in a row."""
    labels: dict[int, str] = {}
    for link in observation.links:
        for number in (link.block, *(place.block for place in link.again)):
            if number and len(link.label) > len(labels.get(number, "")):
                labels[number] = link.label
    for (headings, is_linked), group in groupby(
        main_blocks(observation), lambda one: (one.headings, _leads(one, labels))
    ):
        section: Sequence[Block] = list(group)
        if is_linked and headings and len(section) >= LEAST_LINKED:
            yield list_of_blocks([(labels[one.id], [one]) for one in section], "")


def _leads(block: Block, labels: dict[int, str]) -> bool:
    label = labels.get(block.id, "")
    return block.kind == "paragraph" and bool(label) and letters_in(label) >= LINKED_SHARE * letters_in(block.text)
