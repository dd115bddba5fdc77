"""The kinds of values that a text can state."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import msgspec


class Measure(msgspec.Struct, frozen=True, kw_only=True):
    """A number with its unit."""

    amount: Decimal
    unit: str = ""
    """Canonical name of the unit ("km", "EUR", "month"), "" for a bare number."""
    written: str
    """The number and the unit as they stand in the text."""
    label: str = ""
    """The unit as it stands in the text ("seconds", "€")."""
    digits: str = ""
    """The number alone as it stands in the text: "2.10" may be a version."""


class Days(msgspec.Struct, frozen=True, kw_only=True):
    """A date, or a month, as its first and its last day."""

    first: dt.date
    last: dt.date
    written: str


class Clock(msgspec.Struct, frozen=True, kw_only=True):
    """A time of day."""

    minutes: int
    """Since midnight, 0..1440: 24:00 is the end of a day."""
    written: str


class Version(msgspec.Struct, frozen=True, kw_only=True):
    """A version with three numbers or more, or one that is marked as such."""

    numbers: tuple[int, ...]
    written: str


class Unclear(msgspec.Struct, frozen=True, kw_only=True):
    """A value that can be read in two ways: 03/04/2021, 1.234."""

    written: str


Value = Measure | Days | Clock | Version | Unclear


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """A value and its place in the text, as character offsets."""

    start: int
    end: int
    value: Value
