"""What every dataset format is made of: a reader and a writer of one record, and the fields that both take apart."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, Literal

import msgspec

from evaluation.dataset.question import Question

FormatName = Literal[
    "walker",
    "webwalkerqa",
    "everwebqa",
    "development",
    "browsecomp-vl",
    "infoseek",
    "evqa",
    "mmsearch",
    "choices",
    "webwatcher",
]
Record = dict[str, Any]
"""One question as a file holds it."""
WEB = "web"
"""Site of the questions that name no page to start from."""


class BadRecord(ValueError):
    """An invalid record; the message says why."""


class Format(msgspec.Struct, frozen=True, kw_only=True):
    """A dataset format."""

    name: FormatName
    read: Callable[[Record], Question]
    write: Callable[[Question], Record]
    columns: tuple[str, ...] = ()
    """Columns of its CSV file; () where it is JSON Lines."""
    has_ids: bool = True
    """Whether a record has an id of its own; else one is made of its content, and made unique."""


def converted(record: Record) -> Question:
    """The question of a record in our own form. Raises `BadRecord` naming the field."""
    try:
        return msgspec.convert(record, Question)
    except msgspec.ValidationError as error:
        raise BadRecord(str(error)) from None


def made_id(*parts: object) -> str:
    """An id from the hash of what a question says, for forms without ids, so that it does not depend on the line number."""
    return "q-" + hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest()[:10]


def lower_fields(record: Any) -> Record:
    """The record with field names in lower case and underlines for spaces; {} for what is no record."""
    if not isinstance(record, dict):
        return {}
    return {str(name).strip().lower().replace(" ", "_"): value for name, value in record.items()}


def text_of(record: Record, name: str) -> str:
    """A field that has to hold a text, or a number as text. Raises `BadRecord` naming it."""
    value = record.get(name)
    if isinstance(value, bool) or not isinstance(value, str | int | float) or not str(value).strip():
        raise BadRecord(f'"{name}" is {short(value)}; expected a text')
    return str(value).strip()


def texts_of(record: Record, name: str) -> tuple[str, ...]:
    """A field with one text or several; numbers are taken as text. Raises `BadRecord` naming it."""
    values = listed(record.get(name))
    if any(not isinstance(value, str | int | float) for value in values):
        raise BadRecord(f'"{name}" is {short(record[name])}; expected a text, or a list of texts')
    return tuple(map(str, values))


def numbers_of(record: Record, name: str) -> tuple[int, ...]:
    """A field with whole numbers. Raises `BadRecord` naming it."""
    values = listed(record.get(name))
    if any(type(value) is not int for value in values):
        raise BadRecord(f'"{name}" is {short(record[name])}; expected a list of whole numbers')
    return tuple(values)


def listed(value: Any) -> list[Any]:
    """One value or several as a list; [] for none."""
    if value is None or value == "":
        return []
    return list(value) if isinstance(value, list | tuple) else [value]


def short(value: Any) -> str:
    """A value as JSON, cut for a message."""
    return msgspec.json.encode(value).decode()[:60]
