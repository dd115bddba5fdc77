"""What was filled in of a schema: a tree of fields, as data and by path."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from walker.extraction.schemas.typed_answers import FieldValue
from walker.extraction.schemas.wanted import Wanted, WantedList, WantedObject

Filled = FieldValue | Mapping[str, "Filled"] | Sequence["Filled"]
"""One field, the fields of an object by name, or the entries of a list."""


def flat_fields(filled: Filled, path: str = "") -> Iterator[tuple[str, FieldValue]]:
    """All fields by path: "price", "address.city", "tags[0]"."""
    if isinstance(filled, FieldValue):
        yield path, filled
    elif isinstance(filled, Mapping):
        for name, one in filled.items():
            yield from flat_fields(one, f"{path}.{name}" if path else name)
    else:
        for place, one in enumerate(filled):
            yield from flat_fields(one, f"{path}[{place}]")


def data_of(filled: Filled) -> Any:
    """The values as the schema nests them, None for those that are missing."""
    if isinstance(filled, FieldValue):
        return filled.value
    if isinstance(filled, Mapping):
        return {name: data_of(one) for name, one in filled.items()}
    return [data_of(one) for one in filled]


def valid_data(filled: Filled, wanted: Wanted) -> Any:
    """The data without optional fields that have no value; null where one may not be left out, None where a required one has none."""
    match wanted:
        case WantedObject():
            return _valid_object(filled, wanted) if isinstance(filled, Mapping) else None
        case WantedList():
            if isinstance(filled, FieldValue | Mapping):
                return None
            entries = [valid_data(one, wanted.of) for one in filled]
            kept = [one for one in entries if one is not None]
            return kept if len(kept) >= wanted.least else None
        case _:
            return filled.value if isinstance(filled, FieldValue) else None


def _valid_object(filled: Mapping[str, Filled], wanted: WantedObject) -> dict[str, Any] | None:
    data: dict[str, Any] = {}
    for field in wanted.fields:
        value = valid_data(filled[field.name], field.wanted) if field.name in filled else None
        if value is not None:
            data[field.name] = value
        elif field.is_required:
            return None
        elif field.takes_null:
            data[field.name] = None
    return data


def is_whole(filled: Filled, wanted: Wanted) -> bool:
    """Whether every required field has a value, in each entry of a list of objects too: `valid_data` leaves such entries out."""
    match wanted:
        case WantedObject():
            if not isinstance(filled, Mapping) or valid_data(filled, wanted) is None:
                return False
            given = ((filled[field.name], field.wanted) for field in wanted.fields if field.name in filled)
            return all(is_whole(one, kind) for one, kind in given if valid_data(one, kind) is not None)
        case WantedList(of=WantedObject()) if not isinstance(filled, FieldValue | Mapping):
            return all(is_whole(one, wanted.of) for one in filled)
        case _:
            return valid_data(filled, wanted) is not None


def has_value(filled: Filled) -> bool:
    """Whether anything in it has a value."""
    return any(one.value is not None for _, one in flat_fields(filled))


def share_filled(filled: Filled, weights: Mapping[str, float]) -> float:
    """Share 0..1 of the fields of an object that have a value, weighed by name."""
    if not isinstance(filled, Mapping):
        return 0.0
    total = sum(weights.values())
    return (
        sum(weight for name, weight in weights.items() if name in filled and has_value(filled[name])) / total
        if total
        else 0.0
    )
