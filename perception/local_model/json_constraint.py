"""Constrained decoding: the likeliest token is taken with which the reply can still follow a JSON Schema."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
import regex
from numpy.typing import NDArray

State = Literal["no", "open", "whole"]

LIKELIEST = 64
"""Likeliest tokens that are tried in order; if none fits, tokens of single characters are tried."""
MOST_LETTERS, MOST_ITEMS, MOST_DIGITS = 400, 24, 12
"""Limits for strings, arrays and numbers if the schema has no smaller ones: a small model may not stop by itself."""
_LETTER = r'(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})'
_INTEGER = rf"-?(?:0|[1-9][0-9]{{0,{MOST_DIGITS - 1}}})"
_PLAIN = {
    "boolean": "(?:true|false)",
    "null": "null",
    "integer": _INTEGER,
    "number": rf"{_INTEGER}(?:\.[0-9]{{1,{MOST_DIGITS}}})?",
}


class UnsupportedSchema(ValueError):
    """A schema with a feature that is not supported; the reply is then not constrained."""


class JsonConstraint:
    """The set of replies that follow a schema, as a regular expression."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        """Raises `UnsupportedSchema`."""
        self._pattern = regex.compile(rf"\s?{_pattern(schema)}")

    def state(self, text: str) -> State:
        """Whether a text is such a reply, is the beginning of one, or neither.

        >>> JsonConstraint({"enum": ["e1", "e17"]}).state('"e1')
        'open'
        """
        found = self._pattern.fullmatch(text, partial=True)
        if found is None:
            return "no"
        return "open" if found.partial else "whole"


def constrained_choice(
    hold: JsonConstraint, decode: Callable[[list[int]], str], letters: Sequence[int], marks: frozenset[int]
) -> Callable[[list[int], NDArray[Any]], int | None]:
    """A function that chooses the next token id from the logits, None at the end. `letters` are the ids of single characters, `marks`
    those of special tokens."""

    def choose(said: list[int], logits: NDArray[Any]) -> int | None:
        before = decode(said)
        if hold.state(before) == "whole":
            return None
        for token in _in_order(logits, letters):
            if token in marks:
                continue
            after = decode([*said, token])
            # A character may need several tokens: before the last, the text ends with the replacement character U+FFFD.
            if (after != before or after.endswith("\ufffd")) and hold.state(after) != "no":
                return token
        return None

    return choose


def _in_order(logits: NDArray[Any], letters: Sequence[int]) -> list[int]:
    """The likeliest tokens, then the single characters, both in descending order of their logits."""
    count = min(LIKELIEST, len(logits))
    best = np.argpartition(logits, -count)[-count:]
    single = np.asarray(letters, np.int64)
    return [
        *(int(one) for one in best[np.argsort(-logits[best])]),
        *(int(one) for one in single[np.argsort(-logits[single])]),
    ]


def _pattern(schema: Any) -> str:
    if not isinstance(schema, Mapping):
        raise UnsupportedSchema("a schema is an object")
    if "enum" in schema or "const" in schema:
        values = schema.get("enum", [schema.get("const")])
        return "(?:" + "|".join(regex.escape(json.dumps(value, ensure_ascii=False)) for value in values) + ")"
    match schema.get("type"):
        case "object":
            return _object(schema)
        case "array":
            return _array(schema)
        case "string":
            least, most = _bounds(schema, "minLength", "maxLength", MOST_LETTERS)
            return f'"{_LETTER}{{{least},{most}}}"'
        case str(kind) if kind in _PLAIN:
            return _PLAIN[kind]
        case kind:
            raise UnsupportedSchema(f"a schema of type {kind}")


def _object(schema: Mapping[str, Any]) -> str:
    """All of its properties, in their order."""
    properties = schema.get("properties")
    if not isinstance(properties, Mapping) or not properties:
        raise UnsupportedSchema("an object without properties")
    parts = [f"{regex.escape(json.dumps(name))}: ?{_pattern(inner)}" for name, inner in properties.items()]
    return r"\{" + ", ?".join(parts) + r"\}"


def _array(schema: Mapping[str, Any]) -> str:
    item = _pattern(schema.get("items"))
    least, most = _bounds(schema, "minItems", "maxItems", MOST_ITEMS)
    if most == 0:
        return r"\[\]"
    more = f"{item}(?:, ?{item}){{{max(0, least - 1)},{most - 1}}}"
    return rf"\[{more}\]" if least else rf"\[(?:{more})?\]"


def _bounds(schema: Mapping[str, Any], low: str, high: str, most: int) -> tuple[int, int]:
    least = schema.get(low, 0)
    upper = schema.get(high, max(most, least))
    if not isinstance(least, int) or not isinstance(upper, int) or not 0 <= least <= upper:
        raise UnsupportedSchema(f"{low} and {high} that no reply can meet")
    return least, upper
