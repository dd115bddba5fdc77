"""The name of a list's entry as a reader would write it."""

from __future__ import annotations

import re
from collections import Counter

from perception.document.names import item_name, term_name
from perception.observation import Record, RecordSet

_NUMBERING = re.compile(r"^(?:\d{1,2}(?:\.\d+)*\.?|[A-Z]\.(?:\d+(?:\.\d+)*\.?)?|\([a-z0-9]\)|第.{1,3}[章节条])\s+")


_VALUE_ONLY = re.compile(r"[\d\s:.,;/–—-]*\d[\d\s:.,;/–—-]*(?:(?:[ap]\.?m\.?|h|Uhr|时|点)\b)?\s*", re.IGNORECASE)
"""A time, a date or a number: where an entry begins with one, what follows says what it is."""
NAME_CHARS = 80


def entry_name(record: Record, kind: str) -> str:
    """The name of an entry without numbering, arguments or explanation; `kind` is that of its record set."""
    if _VALUE_ONLY.fullmatch(record.name) and record.text.startswith(record.name):
        rest = record.text[len(record.name) :].strip(" -–—:|,")
        return shortened(rest) or record.name
    name = _NUMBERING.sub("", record.name).strip(" ¶:：")
    if kind == "definitions" or re.match(r"^[\w.]+\s*\(", name):
        name = term_name(name)
    if " — " in name or " – " in name or " - " in name:
        name = item_name(name)
    return name


def names_of_entries(records: RecordSet) -> tuple[str, ...]:
    """The names of all entries, "" for one that has none; entries that would be called alike ("Site report: Kiel", "Site report: Ulm")
    have the beginning of their texts as names."""
    names = [entry_name(record, records.kind) for record in records.records]
    often = Counter(names)
    return tuple(
        shortened(record.text) if often[name] > 1 and len(record.text) > len(name) else name
        for name, record in zip(names, records.records, strict=True)
    )


def shortened(text: str) -> str:
    """The beginning of a text, at most `NAME_CHARS` characters and whole words."""
    return text if len(text) <= NAME_CHARS else text[:NAME_CHARS].rsplit(" ", 1)[0]
