"""Every command of the documents for users, as it stands there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from tests.walker.cli.test_documented_commands import DOCUMENTS, PROJECT, blocks_of

_COMMAND = re.compile(
    r"^\s*(?:\$ )?((?:[A-Z_]+=\S+ )*)(?:\.venv/bin/)?((?:walker (?! *decides)|make |pip |docker |python |claude |curl |eval ).*)$"
)


class Documented(NamedTuple):
    """A command, and the place where it stands first."""

    where: str
    text: str


def documented() -> tuple[Documented, ...]:
    """In the order of the documents, each once; the tutorial has a test of its own."""
    found: dict[str, Documented] = {}
    for document in DOCUMENTS:
        if document.name == "tutorial.md":
            continue
        for number, line in blocks_of(document.read_text(encoding="utf-8")):
            if match := _COMMAND.match(line):
                text = " ".join(without_comment(match[1] + match[2]).split())
                found.setdefault(text, Documented(f"{_name(document)}:{number}", text))
    return tuple(found.values())


def without_comment(line: str) -> str:
    """A line of a shell up to its comment.

    >>> without_comment("walker ask '#1' \"#2\"  # the server's")
    'walker ask \'#1\' "#2"  '
    """
    quote = ""
    for place, sign in enumerate(line):
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "\"'":
            quote = sign
        elif sign == "#" and line[place - 1 : place].isspace():
            return line[:place]
    return line


def _name(document: Path) -> str:
    return str(document.relative_to(PROJECT))
