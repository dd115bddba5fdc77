"""A temporary file of records, one JSON object per line, with the type of each column. Column formats read the records a second time,
since the columns are known only after the last record."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

ColumnKind = Literal["boolean", "integer", "number", "text", "nested"]
"""`integer` fits 64 bits; `nested` is for lists, mappings or mixed types, and is written as JSON."""

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_ENCODER, _SORTING, _DECODER = msgspec.json.Encoder(), msgspec.json.Encoder(order="sorted"), msgspec.json.Decoder()
_INTEGERS = range(-(2**63), 2**63)


class Spool(msgspec.Struct, frozen=True, kw_only=True):
    """A file of records, and its columns: those that were named, then the others in order of first appearance."""

    path: Path
    columns: dict[str, ColumnKind]
    count: int

    @classmethod
    def fill(
        cls,
        path: Path,
        rows: Iterable[Mapping[str, Any]],
        named: Iterable[str] = (),
        seen: dict[str, ColumnKind | None] | None = None,
    ) -> Spool:
        """Write the records to a new file, each with its fields in the order of those that are `named`, then others as they come. NaN
        and infinities, which JSON lacks, become null. Columns that are `named` are there even if no record has them; those that were
        `seen` before, with their types, too, and what is seen here is added to them."""
        columns: dict[str, ColumnKind | None] = {} if seen is None else seen
        first = dict.fromkeys(named)
        for name in first:
            columns.setdefault(name, None)
        count = 0
        with path.open("wb") as file:
            for row in rows:
                plain = _plain(row)
                plain = {name: plain[name] for name in first if name in plain} | plain
                for name, value in plain.items():
                    columns[name] = _joined(columns.get(name), _kind(value))
                file.write(_ENCODER.encode(plain) + b"\n")
                count += 1
        return cls(path=path, columns={name: kind or "text" for name, kind in columns.items()}, count=count)

    def rows(self) -> Iterator[dict[str, Any]]:
        """The records, in order."""
        with self.path.open("rb") as file:
            for line in file:
                yield _DECODER.decode(line)

    def parts(self, sizes: Iterable[int], path: Path) -> Iterator[Spool]:
        """Parts of so many records, each with all columns, written to `path` one after the other."""
        with self.path.open("rb") as file:
            for rows in sizes:
                with path.open("wb") as part:
                    part.writelines(itertools.islice(file, rows))
                yield Spool(path=path, columns=self.columns, count=rows)

    def cells(self) -> Iterator[list[Any]]:
        """The records as values of `columns`, None for missing fields; nested values as JSON."""
        kinds = list(self.columns.items())
        for row in self.rows():
            yield [_cell(row.get(name), kind) for name, kind in kinds]


def as_json(value: Any) -> str:
    """A nested value for one cell, in canonical form."""
    return _SORTING.encode(value).decode()


def distinct_names(names: Iterable[str]) -> list[str]:
    """Column names for case-insensitive formats: a number is appended to later duplicates."""
    taken: set[str] = set()
    distinct = []
    for name in names:
        new, number = name or "_", 2
        while new.casefold() in taken:
            new, number = f"{name or '_'}_{number}", number + 1
        taken.add(new.casefold())
        distinct.append(new)
    return distinct


def _cell(value: Any, kind: ColumnKind) -> Any:
    if value is None:
        return None
    if kind == "number":
        return float(value)
    return as_json(value) if kind == "nested" else value


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return value if value.isascii() else _LONE_SURROGATE.sub("\ufffd", value)
    if isinstance(value, float):
        return value if value - value == 0 else None
    if isinstance(value, Mapping):
        return {_plain(str(name)): _plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return value


def _kind(value: Any) -> ColumnKind | None:
    if value is None:
        return None
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer" if value in _INTEGERS else "nested"
    if isinstance(value, float):
        return "number"
    return "text" if isinstance(value, str) else "nested"


def _joined(first: ColumnKind | None, second: ColumnKind | None) -> ColumnKind | None:
    if first is None or second is None or first == second:
        return first or second
    return "number" if {first, second} == {"integer", "number"} else "nested"
