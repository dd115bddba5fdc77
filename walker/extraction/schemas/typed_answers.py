"""Typed answers: each field of a schema with the words and the page that its value was taken from, or the reason why it has none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, TypeVar

import msgspec

from perception.geometry import Box
from traces.notebooks.table import Linked, notebook_table
from walker.seams.outcome import Outcome

T = TypeVar("T")


class FieldValue(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One field: its value with proof, or None with the reason. Each value was taken by code from `quote`, which stands on `page`."""

    value: Any = None
    """Text, number, truth value, or a date or address as text; None where nothing was found that is sure."""
    quote: str = ""
    page: str = ""
    """Address of the page."""
    box: Box | None = None
    """Of the quote on that page, in CSS pixels; None for what no person sees there, and where the page was not drawn."""
    source: str = ""
    """How the page states it: "json-ld", "table", "labelled" ...; "model" where a model named the place."""
    label: str = ""
    """What names it on the page, as the page writes it."""
    reason: str = ""
    """Why there is no value."""


class RecordValue(msgspec.Struct, frozen=True, kw_only=True):
    """One record of a list: `data` as the schema nests it, and each field by its path."""

    data: dict[str, Any]
    fields: dict[str, FieldValue]
    page: str
    is_complete: bool = True
    """Whether every field that the schema requires has a value."""


class TypedOutcome(Outcome, Generic[T], frozen=True, kw_only=True):
    """An outcome with the answer in the form of a schema."""

    data: T | None = None
    """None where a required field has no value; `fields` then still has what was found."""
    fields: Mapping[str, FieldValue] = {}
    """By path: "price", "address.city", "items[0].name"."""
    is_complete: bool = True
    """Whether every field that the schema requires has a value, in each record and each entry of a list too; `data` is without those
    that lack one."""
    missing: tuple[str, ...] = ()
    """Paths of the fields that have no value, in a list those that no record has."""
    records: tuple[RecordValue, ...] = ()
    """Of a list: all records in the order of the pages, each once, those too that lack a required field."""
    refused: tuple[str, ...] = ()
    """What a model named and was not taken, and why; a line each."""

    def _repr_html_(self) -> str:
        """As a notebook shows it: each field with its value and where it stands, or why there is none; of a list a row a record."""
        if self.records:
            names = tuple(dict.fromkeys(name for one in self.records for name in one.fields))
            rows = ([_told(one.fields.get(name, FieldValue())) for name in names] for one in self.records)
            return notebook_table(self.question, rows, heads=names)
        fields = ([path, _told(found), found.quote, found.reason] for path, found in self.fields.items())
        return notebook_table(self.question, fields, heads=("field", "value", "quote", "why there is none"))


def _told(found: FieldValue) -> str:
    return "" if found.value is None else Linked(str(found.value), found.page)
