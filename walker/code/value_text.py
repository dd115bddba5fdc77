"""A value of the code as text. Uses the standard library only: Pyodide runs this very file beside the code, to tell values alike."""

from __future__ import annotations

import datetime
import decimal
import json
import math
from typing import Any

DIGITS = 12
"""Of a float, that are significant: 0.1 + 0.2 is 0.3."""
EXACT = 2**53
"""Below which a float holds every whole number."""
_DEEPEST = 20


def text_of(value: Any) -> str:
    """A text itself, a number in plain digits, a date or time in ISO form, collections as JSON; "" for None. Raises `ValueError`,
    one line, for a value that is none of these."""
    if value is None:
        return ""
    plain = _plain(value, 0)
    return plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False)


def _plain(value: Any, depth: int) -> Any:
    """The value in the types of JSON, numbers that JSON has no form for as texts."""
    if depth > _DEEPEST:
        raise ValueError("the value holds itself, or is nested too deep")
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, int | float | decimal.Decimal):
        return _number(value)
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, datetime.timedelta):
        return str(value)
    if isinstance(value, dict):
        return {_key(name): _plain(inner, depth + 1) for name, inner in value.items()}
    if isinstance(value, set | frozenset):
        return sorted((_plain(inner, depth + 1) for inner in value), key=str)
    if isinstance(value, list | tuple):
        return [_plain(inner, depth + 1) for inner in value]
    raise ValueError(f"the value is of the type {type(value).__name__}: give a text, a number, a date or a list")


def _key(name: Any) -> str:
    return name if isinstance(name, str) else str(_plain(name, _DEEPEST - 1))


def _number(value: int | float | decimal.Decimal) -> int | float | str:
    if isinstance(value, int):
        str(value)  # raises where it has more digits than Python writes
        return value
    if isinstance(value, decimal.Decimal):
        return f"{value:f}" if value.is_finite() else str(value)
    if not math.isfinite(value):
        return str(value)
    if value.is_integer() and abs(value) < EXACT:
        return int(value)
    return float(f"{value:.{DIGITS}g}")
