"""Extracts structured facts from a page: table cells, definitions, dated entries."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

import msgspec

from evaluation.building.tree import HarvestedPage
from evaluation.metrics.rates import plain
from perception.observation import Record, RecordSet

MOST_ANSWER_CHARS, MOST_NAME_CHARS = 60, 80
_DATE = re.compile(
    r"\b\d{1,2}(?:st|nd|rd|th)? (?:January|February|March|April|May|June|July|August|September|October|November|December) \d{4}\b"
    r"|\b(?:January|February|March|April|May|June|July|August|September|October|November|December) \d{1,2}, \d{4}\b"
    r"|\b\d{4}-\d{2}-\d{2}\b|\d{4}年\d{1,2}月\d{1,2}日"
)
_QUANTITY = re.compile(r"^[^\d]{0,3}(-?\d[\d,]*(?:\.\d+)?)\s*(\D{0,16})$")
_PLACEHOLDER = re.compile(r"^[\W_]*$|^(?:n/?a|none|unknown|see|more|read more|tba|tbd)\b", re.IGNORECASE)
_WEEKDAYS = frozenset("mon tue wed thu fri sat sun 一 二 三 四 五 六 日".split())
_WORD = re.compile(r"[a-zA-Z\u3400-\u9fff]")

FactKind = Literal["cell", "definition", "date"]


class Fact(msgspec.Struct, frozen=True, kw_only=True):
    """`subject` has `value` under `attribute`, as the quote says. A definition has no attribute."""

    kind: FactKind
    page: str
    subject: str
    attribute: str
    value: str
    quote: str

    @property
    def quantity(self) -> tuple[float, str] | None:
        """The number and its unit, None unless the value is a single quantity."""
        match = _QUANTITY.match(self.value.strip())
        return (float(match[1].replace(",", "")), plain(match[2])) if match else None


def facts_of(page: HarvestedPage) -> tuple[Fact, ...]:
    """The facts of a page that can be asked for: with a unique subject, and a short value that occurs once."""
    sets = [records for records in page.record_sets if not records.nested and not _is_calendar(records)]
    found = [fact for records in sets for fact in _facts(page, records)]
    subjects = [(plain(fact.subject), plain(fact.attribute)) for fact in found]
    return tuple(
        fact
        for fact, subject in zip(found, subjects, strict=True)
        if subjects.count(subject) == 1 and _is_askable(fact)
    )


def _facts(page: HarvestedPage, records: RecordSet) -> Iterator[Fact]:
    for record in records.records:
        if records.kind == "table":
            yield from _cells(page, records, record)
        elif records.kind == "definitions":
            for field in record.fields:
                quote = _quote(page, field.value, field.name)
                yield Fact(
                    kind="definition", page=page.key, subject=field.name, attribute="", value=field.value, quote=quote
                )
        yield from _dated(page, records, record)


def _cells(page: HarvestedPage, records: RecordSet, record: Record) -> Iterator[Fact]:
    quote = _quote(page, record.text, record.name)
    if not records.columns and len(record.fields) == 2:
        name, value = (field.value for field in record.fields)
        yield Fact(kind="definition", page=page.key, subject=name, attribute="", value=value, quote=quote)
        return
    for field in record.fields:
        if field.name and field.value != record.name and _WORD.search(field.name):
            yield Fact(
                kind="cell", page=page.key, subject=record.name, attribute=field.name, value=field.value, quote=quote
            )


def _dated(page: HarvestedPage, records: RecordSet, record: Record) -> Iterator[Fact]:
    """Facts of entries that contain one date and have a name besides it."""
    dates = list(dict.fromkeys(match[0] for match in _DATE.finditer(record.text)))
    if len(dates) == 1 and records.kind in ("list", "repeated") and not _DATE.search(record.name):
        quote = _quote(page, dates[0], record.name)
        told = "date" in record.name.lower() or "日期" in record.name
        kind: FactKind = "definition" if told else "date"
        yield Fact(kind=kind, page=page.key, subject=record.name, attribute="", value=dates[0], quote=quote)


def _is_calendar(records: RecordSet) -> bool:
    """Whether a table is a calendar month, whose cells make no sensible questions."""
    columns = [plain(column).removeprefix("星期").removeprefix("周")[:3] for column in records.columns]
    return sum(column in _WEEKDAYS for column in columns) >= 6


def _quote(page: HarvestedPage, wanted: str, name: str) -> str:
    """A line of the page that contains `wanted`, preferably with `name` too; "" for none."""
    whole = plain(wanted)
    lines = [line for line in page.lines if whole in plain(line)]
    named = [line for line in lines if plain(name) in plain(line)]
    return (named or lines or [""])[0][:400]


def _is_askable(fact: Fact) -> bool:
    return (
        bool(fact.quote)
        and plain(fact.value) in plain(fact.quote)
        and 0 < len(fact.value) <= MOST_ANSWER_CHARS
        and 2 <= len(fact.subject) <= MOST_NAME_CHARS
        and _WORD.search(fact.subject) is not None
        and not fact.subject.rstrip().endswith(("?", "？"))
        and not _PLACEHOLDER.match(fact.value)
        and plain(fact.value) not in plain(fact.subject)
        and plain(fact.subject) not in plain(fact.value)
    )
