"""Typed answers in JSON Lines: each value with the words that it was taken from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from walker.extraction.schemas.typed_answers import TypedOutcome


def lines_of(outcome: TypedOutcome[Any], *, plain: bool) -> Iterator[str]:
    """A line of JSON for each record, or for the one thing; `plain`: the data alone."""
    if outcome.records:
        for record in outcome.records:
            own: Any = record.data if plain else record
            yield msgspec.json.encode(own).decode()
    elif any(one.value is not None for one in outcome.fields.values()):
        data = {path: one.value for path, one in outcome.fields.items()} if outcome.data is None else outcome.data
        told = {
            "data": data,
            "fields": outcome.fields,
            "page": _page_of(outcome),
            "is_complete": outcome.data is not None and outcome.is_complete,
        }
        yield msgspec.json.encode(data if plain else told).decode()


def _page_of(outcome: TypedOutcome[Any]) -> str:
    return next((one.page for one in outcome.fields.values() if one.page), "")
