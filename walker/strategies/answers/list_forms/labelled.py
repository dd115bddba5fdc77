"""Lists whose entries begin with a label: paragraphs in a row ("Treasurer: Ana Ruiz"), and items behind a count ("Speaker 2: ...")."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from memory.words import lazy_re, tokens
from perception.observation import Block, Observation, Record, RecordSet
from walker.strategies.answers.entry_names import MOSTLY, is_label
from walker.strategies.answers.list_fit import PERSON_NOUNS
from walker.strategies.answers.list_forms.unmarked import CAPTION_CHARS, RECORD_TEXT, main_blocks
from walker.strategies.answers.list_question import AskedList

LEAST_PARAGRAPHS = 3
LABEL_WORDS = 6
VALUE_CHARS = 80
"""Most characters of a value that may be a name."""
BLOCKS_BETWEEN = 8
"""Most other blocks, as a list below each, between two labelled paragraphs of one section."""
_LABELLED = lazy_re.compile(
    r"(?:\(?\d{1,3}[.)、]\s*)?(?P<label>[^\s:：—–。！？!?][^:：—–。！？!?]{0,48}?)\s?(?:[:：](?!//)|\s[—–-]\s|——)\s*(?P<value>\S.*)",
    re.DOTALL,
)
_APPOSED = lazy_re.compile(
    r"(?P<label>[A-ZÀ-Þ][\w'’.-]*(?:\s(?:(?:de|da|di|du|van|von|der|den|la|le|bin|al)\s){0,2}[A-ZÀ-Þ][\w'’.-]*){1,3}),\s+(?P<value>[^\s.].*[^.])"
)
"""A name and what it is of: "Ana Ruiz, head of the harbour"."""
APPOSED_CHARS = 160
_COUNTED = lazy_re.compile(r"(?P<kind>[^\W\d]+)\s?(?:\d{1,3}|[A-Z])\s*[:：]\s*(?P<value>\S.*)")
_VALUED = lazy_re.compile(r"(?P<label>[^:：]{2,90})[:：]\s*(?P<value>\S.*)")


def labelled_paragraphs(observation: Observation) -> Iterator[RecordSet]:
    """The paragraphs of a section that begin with a label, or with a name and what it is of, named by it; by what follows where the
    label is a date, time or number."""
    run: list[tuple[Block, str]] = []
    are_apposed = False
    caption = before = ""
    between = 0
    for block in main_blocks(observation):
        name, is_apposed = _label_of(block) if block.kind == "paragraph" else ("", False)
        is_apart = bool(run) and (block.headings != run[-1][0].headings or (bool(name) and is_apposed != are_apposed))
        if is_apart or block.kind == "heading" or between > BLOCKS_BETWEEN or (block.kind == "paragraph" and not name):
            yield from _of_run(run, caption)
            run = []
        if name:
            caption = caption if run else before
            run.append((block, name))
            are_apposed = is_apposed
            between = 0
        else:
            between += 1
        before = "" if block.kind == "heading" else block.text
    yield from _of_run(run, caption)


def behind_counts(records: RecordSet, asked: AskedList) -> RecordSet:
    """The entries named by what follows "Speaker 2:", where most begin with a count of one kind; these alone where the question counts
    this kind."""
    found = [_COUNTED.fullmatch(record.text) for record in records.records]
    kinds = {match["kind"] for match in found if match}
    counted = sum(match is not None for match in found)
    if records.kind != "list" or len(kinds) != 1 or counted < max(2, MOSTLY * len(found)):
        return records
    named = _named_by_values(records, found)
    if frozenset(tokens(min(kinds))) <= asked.stems:
        kept = tuple(record for record, match in zip(named.records, found, strict=True) if match)
        return msgspec.structs.replace(named, records=kept)
    return named


def holders(records: RecordSet, asked: AskedList) -> RecordSet | None:
    """For a question that asks who: the entries "Treasurer: Ana Ruiz" named by what follows; None where most have no such form."""
    if records.kind != "list" or not (asked.asks_person or asked.stems & PERSON_NOUNS):
        return None
    found = [_VALUED.fullmatch(record.text) for record in records.records]
    named = sum(match is not None and len(match["value"]) <= VALUE_CHARS for match in found)
    return _named_by_values(records, found) if named >= max(2, MOSTLY * len(found)) else None


def _label_of(block: Block) -> tuple[str, bool]:
    """What a paragraph is named by, "" for nothing, and whether that is a name behind which a comma stands."""
    match = _LABELLED.match(block.text)
    if match is None and len(block.text) <= APPOSED_CHARS and (match := _APPOSED.fullmatch(block.text)) is not None:
        return match["label"], True
    if match is None or len(match["label"].split()) > LABEL_WORDS:
        return "", False
    if is_label(match["label"]):
        return match["value"] if len(match["value"]) <= VALUE_CHARS else "", False
    return match["label"].strip(), False


def _of_run(run: Sequence[tuple[Block, str]], caption: str) -> Iterator[RecordSet]:
    if len({name for _, name in run}) >= max(LEAST_PARAGRAPHS, MOSTLY * len(run)):
        records = tuple(
            Record(name=name, text=block.text[:RECORD_TEXT], first=block.id, last=block.id) for block, name in run
        )
        yield RecordSet(
            id=0, kind="list", records=records, caption=caption[-CAPTION_CHARS:], headings=run[0][0].headings
        )


def _named_by_values(records: RecordSet, found: Sequence[re.Match[str] | None]) -> RecordSet:
    named = (
        msgspec.structs.replace(record, name=match["value"].strip())
        if match and len(match["value"]) <= VALUE_CHARS
        else record
        for record, match in zip(records.records, found, strict=True)
    )
    return msgspec.structs.replace(records, records=tuple(named))
