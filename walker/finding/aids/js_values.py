"""A value that a script assigns or passes on, read as data: JSON, or the literals of JavaScript that are nearly JSON.

Nothing is run. What holds more than literals is no value.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from memory.words import lazy_re

_TOKEN = lazy_re.compile(
    r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|[A-Za-z_$][\w$]*|!0|!1|-?\d[\d.eE+-]*|-?\.\d+|[{}\[\]:,]|\s+', re.DOTALL
)
_WORDS = {"true": "true", "false": "false", "null": "null", "undefined": "null", "!0": "true", "!1": "false"}
_OPENS = lazy_re.compile(r"[\[{]")


class NotAValue(ValueError):
    """The text holds no value that can be read."""


def read_value(text: str) -> Any:
    """The first object or list in a script or JSON text. Raises `NotAValue`.

    >>> read_value("Search.setIndex({docnames:['a','b'],n:-1,})")
    {'docnames': ['a', 'b'], 'n': -1}
    """
    opening = _OPENS.search(text)
    if opening is None:
        raise NotAValue("it holds no object")
    body = text[opening.start() :]
    try:
        return msgspec.json.decode(body.rstrip().rstrip(";) \n\r\t"))
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        pass
    try:
        return msgspec.json.decode(_as_json(body))
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise NotAValue(f"it is not data ({str(error)[:80]})") from None


def _as_json(body: str) -> str:
    """The literal that a text begins with, written as JSON, in linear time. Raises `NotAValue`."""
    parts: list[str] = []
    depth, place = 0, 0
    while place < len(body):
        token = _TOKEN.match(body, place)
        if token is None:
            raise NotAValue("it holds more than literals")
        place = token.end()
        said = token[0]
        if said.isspace():
            continue
        if said in "]}" and parts and parts[-1] == ",":
            parts.pop()
        parts.append(_written(said))
        depth += (said in "[{") - (said in "]}")
        if not depth:
            return "".join(parts)
    raise NotAValue("it is cut off")


def _written(said: str) -> str:
    if said[0] == '"' or said in "{}[]:,":
        return said
    if said[0] == "'":
        inner = re.sub(r"\\'", "'", said[1:-1])
        return '"' + re.sub(r'(?<!\\)"', '\\"', inner) + '"'
    if said in _WORDS:
        return _WORDS[said]
    if said[0].isalpha() or said[0] in "_$":
        return f'"{said}"'
    return said.lstrip("+") if not said.startswith((".", "-.")) else said.replace(".", "0.", 1)
