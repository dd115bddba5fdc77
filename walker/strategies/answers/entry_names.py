"""What names the entries of a list as a reader would write it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

import msgspec

from memory.words import lazy_re
from perception.document.names import item_name, term_name
from perception.observation import Block, Record, RecordSet
from walker.strategies.values.written_values import found_values

_NUMBERING = lazy_re.compile(
    r"^(?:\d{1,2}(?:\.\d+)*\.|\d{1,2}(?:\.\d+)+|[A-Z]\.\d+(?:\.\d+)*\.?|\([a-z0-9]\)|第.{1,3}[章节条])\s+"
)
_LETTER = lazy_re.compile(r"^([A-Z])[.)]\s+(?=\S)")
_COUNT = lazy_re.compile(r"^(\d{1,2})\s+(?=\S)")
_NUMBERED_WORD = lazy_re.compile(r"([^\W\d_]+)\s?(?:\d{1,3}|[IVX]+)")
TITLE_CHARS = 120
MOSTLY = 0.6
"""Share of entries that begin with a label for it to be one."""
_ICON = lazy_re.compile(r"\(icon: [^)]*\)")
"""What an icon says, as a page digest writes it."""
_RANGE = lazy_re.compile(r"[\s\d:.,/–—-]+(?:Uhr|h|am|pm)?", re.IGNORECASE)


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
    labelled = [is_label(record.name) or bool(shared and record.name.startswith(shared)) for record in records.records]
    if records.kind == "table" or not records.records or sum(labelled) < MOSTLY * len(labelled):
        labelled = [_ICON.fullmatch(record.name) is not None for record in records.records]
        if not any(labelled):
            return records
    named = tuple(
        msgspec.structs.replace(record, name=_name_behind(record, blocks, shared) if is_label else record.name)
        for record, is_label in zip(records.records, labelled, strict=True)
    )
    return msgspec.structs.replace(records, records=named)


def without_numbers(records: RecordSet) -> RecordSet:
    """The entries without the numbers or letters before their names, where these count them: "1 Scope", "2 Terms", not "2 eggs";
    "A. Scope", "B. Terms", not "A. Ash"."""
    letters = [_LETTER.match(record.name) for record in records.records]
    if len(letters) > 1 and all(match and match[1] == chr(ord("A") + place) for place, match in enumerate(letters)):
        lettered = (msgspec.structs.replace(record, name=_LETTER.sub("", record.name)) for record in records.records)
        return msgspec.structs.replace(records, records=tuple(lettered))
    told = [int(match[1]) if (match := _COUNT.match(record.name)) else -1 for record in records.records]
    if sum(one >= 0 for one in told) < 2 or any(b != a + 1 for a, b in pairwise(one for one in told if one >= 0)):
        return records
    named = (msgspec.structs.replace(record, name=_COUNT.sub("", record.name)) for record in records.records)
    return msgspec.structs.replace(records, records=tuple(named))


def with_titles(records: RecordSet) -> RecordSet:
    """The entries with what follows their number, where all are named by the same word and a number: "Lesson 3" of "Lesson 3. On
    mills"."""
    numbered = [_NUMBERED_WORD.fullmatch(record.name) for record in records.records]
    if len(numbered) < 2 or len({match[1] if match else "" for match in numbered}) > 1 or numbered[0] is None:
        return records
    titled = tuple(
        msgspec.structs.replace(record, name=" ".join(record.text.split())[:TITLE_CHARS])
        if record.text.startswith(record.name)
        else record
        for record in records.records
    )
    return msgspec.structs.replace(records, records=titled)


def is_label(text: str) -> bool:
    """Whether a text is a time, a range of times, a date, a number or an icon, and nothing else."""
    if _RANGE.fullmatch(text) or _ICON.fullmatch(text):
        return True
    if len(text) > 40 or not any(sign.isdigit() for sign in text):
        return False
    found = found_values(text)
    return bool(found) and sum(one.end - one.start for one in found) >= 0.7 * len(text.strip())


def _shared_beginning(records: Sequence[Record], blocks: Mapping[int, Block]) -> str:
    """The text that most entries begin with, "" if there is none: what stands for a picture, or the kind of all of them."""
    first = Counter(blocks[one.first].text for one in records if one.last > one.first and one.first in blocks)
    text, times = first.most_common(1)[0] if first else ("", 0)
    return text if times > 1 and times >= MOSTLY * len(records) else ""


def _name_behind(record: Record, blocks: Mapping[int, Block], shared: str) -> str:
    for number in range(record.first, record.last + 1) if record.first else ():
        block = blocks.get(number)
        if block is not None and block.text and block.text != shared and not is_label(block.text):
            return block.text
    return record.name
