"""The words that a format is made of: names of fields, tags of unions, values of enumerations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec


def words_of(*kinds: Any) -> frozenset[str]:
    """Every word of the formats of these types, and of the types of their fields; text that a field may hold is none."""
    words: set[str] = set()
    pending = list(msgspec.inspect.multi_type_info(kinds))
    seen: set[int] = set()
    while pending:
        kind = pending.pop()
        if id(kind) in seen:
            continue
        seen.add(id(kind))
        match kind:
            case msgspec.inspect.StructType():
                words |= {field.encode_name for field in kind.fields} | _texts((kind.tag_field, kind.tag))
            case msgspec.inspect.LiteralType():
                words |= _texts(kind.values)
            case msgspec.inspect.EnumType():
                words |= _texts(member.value for member in kind.cls)
        pending += _inner(kind)
    return frozenset(words)


def _texts(values: Any) -> set[str]:
    return {value for value in values if isinstance(value, str)}


def _inner(kind: msgspec.inspect.Type) -> Iterator[msgspec.inspect.Type]:
    """The types that a type is made of."""
    if isinstance(kind, msgspec.inspect.StructType):
        yield from (field.type for field in kind.fields)
        return
    for name in kind.__struct_fields__:
        value = getattr(kind, name)
        for one in value if isinstance(value, tuple) else (value,):
            if isinstance(one, msgspec.inspect.Type):
                yield one
