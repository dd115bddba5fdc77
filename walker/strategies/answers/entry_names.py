"""What names the entries of a list as a reader would write it, and the column of a table that the question asks for."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from perception.document.names import item_name, term_name
from perception.observation import Block, Record, RecordSet
from walker.strategies.values.written_values import found_values

_NUMBERING = re.compile(r"^(?:\d{1,2}(?:\.\d+)*\.?|[A-Z]\.(?:\d+(?:\.\d+)*\.?)?|\([a-z0-9]\)|第.{1,3}[章节条])\s+")
MOSTLY = 0.6
"""Share of entries that begin with a label for it to be one."""
_ICON = re.compile(r"\(icon: [^)]*\)")
"""What an icon says, as a page digest writes it."""
_RANGE = re.compile(r"[\s\d:.,/–—-]+(?:Uhr|h|am|pm)?", re.IGNORECASE)


def entry_name(record: Record, kind: str) -> str:
    """The name of an entry without numbering, arguments or explanation; `kind` is that of its record set."""
    name = _NUMBERING.sub("", record.name).strip(" ¶:：")
    if kind == "definitions" or re.match(r"^[\w.]+\s*\(", name):
        name = term_name(name)
    if kind != "repeated" and (" — " in name or " – " in name or " - " in name):
        name = item_name(name)  # of a card it is the title, and what follows a dash in it belongs to it
    return name


def with_names(records: RecordSet, blocks: Mapping[int, Block]) -> RecordSet:
    """The same entries, named by the first text of each that is no time, date or number and not shared by all, where most begin so; an
    icon names none."""
    shared = _shared_beginning(records.records, blocks)
    labelled = [_is_label(record.name) or bool(shared and record.name.startswith(shared)) for record in records.records]
    if records.kind == "table" or not records.records or sum(labelled) < MOSTLY * len(labelled):
        labelled = [_ICON.fullmatch(record.name) is not None for record in records.records]
        if not any(labelled):
            return records
    named = tuple(
        msgspec.structs.replace(record, name=_name_behind(record, blocks, shared) if is_label else record.name)
        for record, is_label in zip(records.records, labelled, strict=True)
    )
    return msgspec.structs.replace(records, records=named)


def by_column(records: RecordSet, nouns: Sequence[str]) -> RecordSet | None:
    """The rows of a table, named by the column with one of these nouns as its header, each value once; None where none has."""
    wanted = frozenset(noun.casefold() for noun in nouns)
    column = next((name for name in records.columns[1:] if name.casefold().strip(" :") in wanted), "")
    if not column:
        return None
    rows: dict[str, Record] = {}
    for record in records.records:
        value = next((field.value for field in record.fields if field.name == column), "").strip()
        if value and value not in rows:
            rows[value] = msgspec.structs.replace(record, name=value)
    return msgspec.structs.replace(records, records=tuple(rows.values())) if len(rows) > 1 else None


def by_telling_column(records: RecordSet) -> RecordSet:
    """The rows of a table whose first column repeats, as the district of each school does, named by the first column that tells all of
    them apart by words; any other list as it is."""
    if records.kind != "table" or len({record.name for record in records.records}) == len(records.records):
        return records
    for place in range(1, min((len(record.fields) for record in records.records), default=0)):
        values = [record.fields[place].value.strip() for record in records.records]
        if len(frozenset(values)) == len(values) and all(values) and not any(map(_is_label, values)):
            named = zip(records.records, values, strict=True)
            rows = tuple(msgspec.structs.replace(record, name=value) for record, value in named)
            return msgspec.structs.replace(records, records=rows)
    return records


def _shared_beginning(records: Sequence[Record], blocks: Mapping[int, Block]) -> str:
    """The text that most entries begin with, "" if there is none: what stands for a picture, or the kind of all of them."""
    first = Counter(blocks[one.first].text for one in records if one.last > one.first and one.first in blocks)
    text, times = first.most_common(1)[0] if first else ("", 0)
    return text if times > 1 and times >= MOSTLY * len(records) else ""


def _name_behind(record: Record, blocks: Mapping[int, Block], shared: str) -> str:
    for number in range(record.first, record.last + 1) if record.first else ():
        block = blocks.get(number)
        if block is not None and block.text and block.text != shared and not _is_label(block.text):
            return block.text
    return record.name


def _is_label(text: str) -> bool:
    """Whether a text is a time, a range of times, a date or a number, and nothing else."""
    if _RANGE.fullmatch(text) or _ICON.fullmatch(text):
        return True
    if len(text) > 40 or not any(sign.isdigit() for sign in text):
        return False
    found = found_values(text)
    return bool(found) and sum(one.end - one.start for one in found) >= 0.7 * len(text.strip())
