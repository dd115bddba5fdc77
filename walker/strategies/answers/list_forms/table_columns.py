"""Tables of which the rows are named by another column than the first, stand in groups, or of which the columns are the entries."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from memory.words import lazy_re, tokens
from perception.observation import Field, Record, RecordSet
from walker.strategies.answers.entry_names import MOSTLY, is_label
from walker.strategies.answers.list_fit import PERSON_NOUNS
from walker.strategies.answers.list_question import AskedList

RECORD_TEXT = 1500
LEAST_BLANK, MOST_BLANK = 0.1, 0.8
"""Share of rows in which a first column that names groups is left out."""
MOST_GROUPS = 0.5
"""Most groups to a row of a table that stands in groups."""
FEW_ROWS = 3
"""Most rows of a table whose columns are the entries, and what stands below each says something of it."""
LEAST_COLUMNS = 3
FILLED = 0.8
"""Share of rows that have a value in a column, for it to name them."""
MANY_ENTRIES = 3
"""Values of a column that are lists of names, from which each name in them is an entry."""
_PERSON_HEAD = lazy_re.compile(
    r"name|speaker|presenter|author|officer|player|winner|champion|holder|person|member|lecturer|teacher|instructor|contact|chair|host"
    r"|referent|vortragende|leitung|spieler|sieger|ansprechpartner|nom|intervenant|orateur|auteur|responsable|nombre|ponente|autor|docente"
    r"|讲者|姓名|讲师|演讲者|嘉宾|负责人|主讲人?|老师|教师|人员|成员|名字|作者",
    re.IGNORECASE,
)
_TIME_HEAD = lazy_re.compile(
    r"year|season|date|day|time|when|jahr|saison|datum|tag|année|date|jour|año|fecha|día|时间|日期|年份?|时段",
    re.IGNORECASE,
)
_DITTO = frozenset(("同上", "〃", '"', "''", "ditto", "dito", "idem", "ídem"))
_NOTHING = lazy_re.compile(r"[\s/\\–—_.?*-]*|n/?a|none|无|暂无", re.IGNORECASE)
_JOINED = lazy_re.compile(r"\s*[,，、;；]\s*(?![^(（]*[)）])|\s+(?:and|und|et|y|&)\s+(?=[A-ZÀ-Þ])|\s{2,}")


def by_telling_column(records: RecordSet) -> RecordSet:
    """The rows of a table whose first column repeats or is left out, as the district of each school is, or tells times and numbers
    only, named by the first column that tells all of them apart by words; any other list as it is."""
    if records.kind != "table" or not records.records:
        return records
    names = [record.name for record in records.records]
    has_labels = sum(map(is_label, names)) >= MOSTLY * len(names)
    is_grouped = _is_left_out(records)
    if len(frozenset(names)) == len(names) and not has_labels and not is_grouped:
        return records
    for place in range(1, _width(records)):
        values = _values(records, place)
        named = [value for value in values if value and not is_label(value)]
        is_full = len(named) == len(values) and len(frozenset(values)) == len(values)
        if is_full or (has_labels and len(named) >= FILLED * len(values)):
            shown = zip(records.records, values, strict=True)
            rows = tuple(msgspec.structs.replace(one, name=value or one.name) for one, value in shown)
            return msgspec.structs.replace(records, records=rows)
    return records


def with_groups(records: RecordSet) -> RecordSet:
    """The rows of a table without those that only head a group, each with the name of its group in its text."""
    if records.kind != "table" or _width(records) < 2:
        return records
    kept, group = [], ""
    carried = _is_left_out(records)
    for record in records.records:
        first = _value(record.fields)
        if _heads_group(record):
            group = record.name
            continue
        group = first if carried and first else group
        is_told = not group or (carried and bool(first))
        text = record.text if is_told else f"{group} | {record.text}"[:RECORD_TEXT]
        kept.append(msgspec.structs.replace(record, text=text))
    headed = len(records.records) - len(kept)
    if not carried and not 2 <= headed <= MOST_GROUPS * len(records.records):
        return records
    return msgspec.structs.replace(records, records=tuple(kept))


def groups_of(records: RecordSet, asked: AskedList) -> Iterator[RecordSet]:
    """The groups of a table's rows that the question names, each as a list: those below a row that heads them, and those with one
    value in the first column."""
    if records.kind != "table" or _width(records) < 2:
        return
    groups: dict[str, list[Record]] = {}
    group = ""
    is_headed = sum(map(_heads_group, records.records)) >= 2
    for record in records.records:
        first = record.fields[0].value.strip() if record.fields else ""
        if is_headed and _heads_group(record):
            group = record.name
            continue
        group = group if is_headed or not first or first in _DITTO else first
        groups.setdefault(group, []).append(record)
    if len(groups) > MOST_GROUPS * len(records.records):
        return
    for name, rows in groups.items():
        words = frozenset(tokens(name))
        if len(rows) > 1 and words and words <= asked.words:
            own = msgspec.structs.replace(records, records=tuple(rows), headings=(*records.headings, name))
            yield by_telling_column(own) if is_headed else _named_by_next(own)


def by_asked_columns(records: RecordSet, asked: AskedList) -> Iterator[RecordSet]:
    """The rows of a table, named by each column that the question means: one with the counted noun in its header, or with persons or
    times where it asks for these; each value once."""
    if records.kind != "table":
        return
    for place, header in enumerate(records.columns[: _width(records)]):
        if not _is_asked(header, asked):
            continue
        rows = _by_value(records, place)
        if len(rows) > 1 and tuple(row.name for row in rows) != tuple(row.name for row in records.records):
            yield msgspec.structs.replace(records, records=rows)


def columns_as_entries(records: RecordSet) -> RecordSet | None:
    """The columns of a table as entries: where few rows say one kind of thing of each, as pictures below names do, or the first header
    is empty, for its column names what is said; None for other tables."""
    if records.kind != "table" or len(records.columns) < LEAST_COLUMNS or not all(records.columns[1:]):
        return None
    is_wide = len(records.records) <= FEW_ROWS and _says_one_kind(records)
    is_cross = not records.columns[0]
    if not is_wide and not is_cross:
        return None
    entries = []
    for place, header in enumerate(records.columns):
        if header and (place or not is_cross):
            values = [record.fields[place].value for record in records.records if place < len(record.fields)]
            entries.append(Record(name=header, text=" | ".join((header, *values))[:RECORD_TEXT]))
    if len({entry.name for entry in entries}) < max(2, len(entries)):
        return None
    return msgspec.structs.replace(records, records=tuple(entries), columns=())


def _says_one_kind(records: RecordSet) -> bool:
    """Whether a row has its first value in another cell too, or a picture in each, and so says one kind of thing of each column."""
    rows = [[field.value.strip() for field in record.fields] for record in records.records]
    return any(row[0] in row[1:] or all(value.startswith("(icon") for value in row) for row in rows if row and row[0])


def _is_asked(header: str, asked: AskedList) -> bool:
    head = header.casefold().strip(" :：")
    if head in asked.plurals or head in asked.singulars:
        return True
    words = frozenset(tokens(head))
    if not words:
        return False
    if words & asked.stems or (not asked.stems and words <= asked.told):
        return True
    if (asked.asks_person or asked.stems & PERSON_NOUNS) and _PERSON_HEAD.search(head):
        return True
    return asked.asks_time and _TIME_HEAD.search(head) is not None


def _by_value(records: RecordSet, place: int) -> tuple[Record, ...]:
    """The rows by their values in a column, each with the texts of all its rows; of values that are lists of names, by each name."""
    values = _values(records, place)
    lists = [_JOINED.split(value) for value in values]
    are_lists = sum(len(pieces) > 1 for pieces in lists) * MANY_ENTRIES >= len(lists)
    found: dict[str, Record] = {}
    for record, value, pieces in zip(records.records, values, lists, strict=True):
        for name in pieces if are_lists else (value,):
            if name in found:
                text = f"{found[name].text} ; {record.text}"[:RECORD_TEXT]
                found[name] = msgspec.structs.replace(found[name], text=text)
            elif name and _NOTHING.fullmatch(name) is None:
                found[name] = msgspec.structs.replace(record, name=name)
    return tuple(found.values())


def _values(records: RecordSet, place: int) -> list[str]:
    """The values of a column, "" where a row has none; what says "the same" is that of the row above."""
    values: list[str] = []
    for record in records.records:
        value = record.fields[place].value.strip() if place < len(record.fields) else ""
        values.append(values[-1] if values and value.casefold() in _DITTO else value)
    return values


def _named_by_next(records: RecordSet) -> RecordSet:
    """The rows named by the first column after that of their group."""
    values = _values(records, 1)
    if not all(values) or all(map(is_label, values)):
        return records
    rows = zip(records.records, values, strict=True)
    return msgspec.structs.replace(
        records, records=tuple(msgspec.structs.replace(record, name=value) for record, value in rows)
    )


def _heads_group(record: Record) -> bool:
    """Whether a row has a value in one cell alone, the first."""
    values = [field.value.strip() for field in record.fields]
    return len(values) > 1 and bool(values[0]) and not any(values[1:])


def _is_left_out(records: RecordSet) -> bool:
    """Whether the first column is filled in the first row of each group only."""
    first = _first_cells(records.records)
    blank = sum(not value or value in _DITTO for value in first)
    return bool(first and first[0]) and LEAST_BLANK * len(first) <= blank <= MOST_BLANK * len(first)


def _first_cells(rows: Sequence[Record]) -> list[str]:
    return [_value(row.fields) for row in rows]


def _value(fields: Sequence[Field]) -> str:
    return fields[0].value.strip() if fields else ""


def _width(records: RecordSet) -> int:
    return min((len(record.fields) for record in records.records), default=0)
