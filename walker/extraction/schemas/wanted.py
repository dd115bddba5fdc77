"""What a schema wants, as frozen values: scalars, lists and objects of fields."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

ScalarKind = Literal["string", "number", "integer", "boolean", "date", "datetime", "time", "url", "email"]


class WantedScalar(msgspec.Struct, frozen=True, kw_only=True, tag="scalar"):
    """One value, and the limits that the schema sets to it."""

    kind: ScalarKind
    options: tuple[Any, ...] = ()
    """The only values that it may have; () for any."""
    least: float | None = None
    most: float | None = None
    is_above: bool = False
    """`least` itself is too little."""
    is_below: bool = False
    least_chars: int = 0
    most_chars: int | None = None
    pattern: str = ""


class WantedList(msgspec.Struct, frozen=True, kw_only=True, tag="list"):
    """Several of one kind."""

    of: Wanted
    least: int = 0
    most: int | None = None


class WantedField(msgspec.Struct, frozen=True, kw_only=True):
    """One field of an object: its name, further words for it, and what it holds."""

    name: str
    title: str = ""
    description: str = ""
    is_required: bool = True
    """Whether it has to have a value."""
    takes_null: bool = False
    """Whether it has to be in the data, as null where it has no value."""
    wanted: Wanted


class WantedObject(msgspec.Struct, frozen=True, kw_only=True, tag="object"):
    """Several fields that belong together."""

    fields: tuple[WantedField, ...]
    title: str = ""
    description: str = ""


Wanted = WantedScalar | WantedList | WantedObject


class WantedRecords(msgspec.Struct, frozen=True, kw_only=True):
    """A schema that is a list of records, by itself or as its only field."""

    record: WantedObject
    under: str = ""
    """Name of the field that holds the list; "" where the schema is the list."""
    label: str = ""
    """Words for the whole list."""
    least: int = 0
    most: int | None = None


def records_of(wanted: Wanted) -> WantedRecords | None:
    """The records that a schema is a list of; None where it is one thing."""
    if isinstance(wanted, WantedList) and isinstance(wanted.of, WantedObject):
        label = f"{wanted.of.title} {wanted.of.description}".strip()
        return WantedRecords(record=wanted.of, label=label, least=wanted.least, most=wanted.most)
    if isinstance(wanted, WantedObject) and len(wanted.fields) == 1:
        (only,) = wanted.fields
        if isinstance(only.wanted, WantedList) and isinstance(only.wanted.of, WantedObject):
            label = " ".join(filter(None, (only.title or only.name, only.description)))
            of = only.wanted
            return WantedRecords(record=of.of, under=only.name, label=label, least=of.least, most=of.most)  # type: ignore[arg-type]
    return None


def leaves_of(wanted: Wanted, path: str = "") -> tuple[tuple[str, WantedField], ...]:
    """The paths of all fields that are no objects, in order, with the fields."""
    if not isinstance(wanted, WantedObject):
        return ()
    found: list[tuple[str, WantedField]] = []
    for field in wanted.fields:
        own = f"{path}.{field.name}" if path else field.name
        if isinstance(field.wanted, WantedObject):
            found += leaves_of(field.wanted, own)
        else:
            found.append((own, field))
    return tuple(found)


def told_schema(wanted: Wanted, depth: int = 0) -> str:
    """A schema as it was understood, a line a field."""
    indent = "  " * depth
    match wanted:
        case WantedObject():
            return "\n".join(_told_field(field, depth) for field in wanted.fields)
        case WantedList():
            return f"{indent}list of {_kind_of(wanted.of)}" + _below(wanted.of, depth)
        case WantedScalar():
            return f"{indent}{_kind_of(wanted)}"


def _told_field(field: WantedField, depth: int) -> str:
    need = "" if field.is_required else ", optional"
    hint = f"  ({field.description})" if field.description else ""
    line = f"{'  ' * depth}{field.name}: {_kind_of(field.wanted)}{need}{hint}"
    return line + _below(field.wanted, depth)


def _below(wanted: Wanted, depth: int) -> str:
    inner = wanted.of if isinstance(wanted, WantedList) else wanted
    return "\n" + told_schema(inner, depth + 1) if isinstance(inner, WantedObject) else ""


def _kind_of(wanted: Wanted) -> str:
    match wanted:
        case WantedObject():
            return wanted.title or "object"
        case WantedList():
            return f"list of {_kind_of(wanted.of)}"
        case WantedScalar():
            options = f" of {', '.join(map(str, wanted.options))}" if wanted.options else ""
            return f"{wanted.kind}{options}"
