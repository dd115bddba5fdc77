"""Entries that stand in groups: below headings between them ("PhD Students", then cards; "Alumni", then cards), as lists of their own
too, paragraphs of a section that are a link each, and texts that take turns, as the name, the title and the time of each talk of a
programme do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

import msgspec

from perception.document.link_density import letters_in
from perception.observation import Block, Observation, Record, RecordSet
from walker.strategies.answers.entry_names import is_label
from walker.strategies.answers.list_forms.section_lines import BY_FORM, list_of_blocks
from walker.strategies.answers.list_forms.unmarked import RECORD_TEXT, main_blocks

LEAST_TURNS = 3
MOST_TURN = 5
"""Most blocks that an entry of a programme has."""
TURN_CHARS = 200
LEAST_ENTRIES, LEAST_LINKED = 2, 3
"""Of a section of a list; and of one of links, of which two go with a text ("Code", "Paper")."""
LINKED_SHARE = 0.6
"""Of the letters of a paragraph, those of its link, from which it is an entry that leads somewhere."""
PAIRS_AT_MOST = 100_000
"""Entries times headings up to which a list is divided: each pair takes about 50 nanoseconds."""


def below_headings(records: RecordSet, blocks: Sequence[Block]) -> Iterator[RecordSet]:
    """The groups of entries between which headings stand that belong to none of them, each as a list, and all entries, each with its
    group in its text."""
    if records.region != "main" or not all(record.first for record in records.records):
        return
    heads = [one for one in blocks if one.kind == "heading" and not one.hidden and one.region == "main"]
    groups: dict[int, list[Record]] = {}
    titles: dict[int, str] = {}
    end = 0
    for record in records.records:
        between = [one for one in heads if end < one.id < record.first]
        if between:
            titles[between[-1].id] = between[-1].text
        key = max((number for number in titles if number < record.first), default=0)
        groups.setdefault(key, []).append(record)
        end = max(end, record.last)
    if len(titles) < 2 or not end:
        return
    whole = tuple(
        msgspec.structs.replace(one, text=f"{titles.get(key, '')} | {one.text}"[:RECORD_TEXT])
        for key, group in groups.items()
        for one in group
    )
    above = (
        records.headings[:-1] if records.headings[-1:] and records.headings[-1] in titles.values() else records.headings
    )
    yield msgspec.structs.replace(records, records=whole, headings=above)
    for key, group in groups.items():
        if len(group) > 1 and key in titles:
            yield msgspec.structs.replace(records, records=tuple(group), headings=(*above, titles[key]), caption="")


def entries_of_sections(observation: Observation, lists: Iterable[RecordSet]) -> Iterator[RecordSet]:
    """The entries of each section, where none of the page's `lists` consists of just these."""
    headings = sum(block.kind == "heading" for block in observation.blocks)
    known = {tuple(record.name for record in records.records) for records in lists}
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


def with_whole_sections(observation: Observation) -> tuple[RecordSet, ...]:
    """The lists of a page; entries that are headings have all that stands below them, and not the first block alone."""
    if not any(map(_are_headings, observation.record_sets)):
        return observation.record_sets
    below = _texts_below(observation.blocks)
    return tuple(_whole(records, below) if _are_headings(records) else records for records in observation.record_sets)


def _are_headings(records: RecordSet) -> bool:
    return records.kind == "repeated" and not any(record.first for record in records.records)


def _texts_below(blocks: Sequence[Block]) -> dict[tuple[str, ...], str]:
    """What stands below each heading of the main part of a page, at any depth, by its path with itself last."""
    texts: dict[tuple[str, ...], list[str]] = {}
    for block in blocks:
        if block.hidden or block.region != "main":
            continue
        for depth in range(1, len(block.headings) + 1):
            texts.setdefault(block.headings[:depth], []).append(block.text)
    return {path: " ".join(told)[:RECORD_TEXT] for path, told in texts.items()}


def _whole(records: RecordSet, below: Mapping[tuple[str, ...], str]) -> RecordSet:
    told = (
        msgspec.structs.replace(record, text=f"{record.name} {text}"[:RECORD_TEXT])
        if (text := below.get((*records.headings, record.name), ""))
        else record
        for record in records.records
    )
    return msgspec.structs.replace(records, records=tuple(told))


def taking_turns(observation: Observation) -> Iterator[RecordSet]:
    """The entries of a section that is written as paragraphs in turns, of which one is a time, date or number; named by each of the
    others."""
    for (_, is_text), group in groupby(main_blocks(observation), lambda one: (one.headings, one.kind == "paragraph")):
        section = list(group)
        if is_text and len(section) >= 2 * LEAST_TURNS and all(len(one.text) <= TURN_CHARS for one in section):
            yield from _turns(section)


def _turns(section: Sequence[Block]) -> Iterator[RecordSet]:
    labels = [is_label(one.text) for one in section]
    for length in range(2, MOST_TURN + 1):
        turns = len(section) // length
        marks = {place % length for place, label in enumerate(labels[: turns * length]) if label}
        if turns < LEAST_TURNS or len(section) % length or len(marks) != 1 or sum(labels) < turns:
            continue
        for place in sorted(set(range(length)) - marks):
            yield RecordSet(
                id=BY_FORM,
                kind="list",
                records=tuple(
                    _turn(section[start : start + length], place) for start in range(0, len(section), length)
                ),
                headings=section[0].headings,
            )
        return


def _turn(blocks: Sequence[Block], place: int) -> Record:
    text = " | ".join(one.text for one in blocks)[:RECORD_TEXT]
    return Record(name=blocks[place].text, text=text, first=blocks[0].id, last=blocks[-1].id)
