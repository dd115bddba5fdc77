"""The first difference of two JSON-ready values."""

from __future__ import annotations

from typing import Any

import msgspec

BRIEF = 160
"""A value is truncated to so many characters in a message."""
LEAD = 24
"""Characters shown of the common beginning of two long texts, before the first that differs."""


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """The first field that differs, with both values; `field` is a path such as `terms.blind` or `added[2].name`."""

    field: str
    expected: Any
    got: Any

    def __str__(self) -> str:
        if isinstance(self.expected, Entries) and isinstance(self.got, Entries):
            return f"{self.field}: expected {self.expected.count} entries, got {self.got.count}"
        start = 0
        if isinstance(self.expected, str) and isinstance(self.got, str):
            pairs = zip(self.expected, self.got, strict=False)
            shared = next((place for place, (one, other) in enumerate(pairs) if one != other), 0)
            start = shared - LEAD if shared > 2 * LEAD else 0
        return f"{self.field}: expected {_brief(self.expected, start)}, got {_brief(self.got, start)}"


class Entries(msgspec.Struct, frozen=True):
    """Placeholder for a list that differs from the other one only in length."""

    count: int


def find_difference(expected: Any, got: Any, field: str = "") -> Difference | None:
    """The first difference of two JSON-ready values, in the expected value's order of keys; None where they are equal."""
    if expected == got:
        return None
    if isinstance(expected, dict) and isinstance(got, dict):
        for name in (*expected, *(name for name in got if name not in expected)):
            if expected.get(name) != got.get(name):
                return find_difference(expected.get(name), got.get(name), f"{field}.{name}" if field else str(name))
    if isinstance(expected, list | tuple) and isinstance(got, list | tuple):
        for place, (one, other) in enumerate(zip(expected, got, strict=False)):
            if one != other:
                return find_difference(one, other, f"{field}[{place}]")
        return Difference(field=field, expected=Entries(len(expected)), got=Entries(len(got)))
    return Difference(field=field, expected=expected, got=got)


def _brief(value: Any, start: int = 0) -> str:
    text = f"…{value[start:]!r}" if start else repr(value)
    return text if len(text) <= BRIEF else f"{text[: BRIEF - 1]}…"
