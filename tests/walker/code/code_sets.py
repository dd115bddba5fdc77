"""The two sets that interpreters are measured with: tasks with code that solves them, and snippets that want out."""

from __future__ import annotations

from pathlib import Path

import msgspec

from memory.findings import Citation
from walker.rules.tools.code_rules import FoundValue
from walker.seams.code_runner import CodeValue, Ran
from walker.walk.computing import variables_of

_HERE = Path(__file__).parent


class CodeTask(msgspec.Struct, frozen=True, kw_only=True):
    """Values as pages state them, code that a model could have written, and the right output."""

    name: str
    code: str
    value: str
    found: tuple[str, ...] = ()
    items: tuple[tuple[str, ...], ...] = ()
    table: tuple[tuple[str, ...], ...] = ()
    language: str = "en"

    @property
    def inputs(self) -> dict[str, CodeValue]:
        """The variables as a walk makes them."""
        named: dict[str, CodeValue] = {f"f{number}": text for number, text in enumerate(self.found, start=1)}
        named |= {name: rows for name, rows in (("items", self.items), ("t1", self.table)) if rows}
        source = (Citation(url="https://a.example/", quote=self.name),)
        values = (FoundValue(name=name, value=value, sources=source, score=1.0) for name, value in named.items())
        return variables_of(tuple(values), self.language)


class Hostile(msgspec.Struct, frozen=True, kw_only=True):
    """A snippet that wants out, or wants all of the machine."""

    kind: str
    name: str
    code: str
    harmless: str = ""
    """Its output where it runs to its end without reaching anything."""


def code_tasks() -> tuple[CodeTask, ...]:
    """All 40 tasks."""
    return msgspec.json.decode((_HERE / "tasks.json").read_bytes(), type=tuple[CodeTask, ...])


def hostile_snippets() -> tuple[Hostile, ...]:
    """All 60 snippets."""
    return msgspec.json.decode((_HERE / "hostile.json").read_bytes(), type=tuple[Hostile, ...])


def has_escaped(snippet: Hostile, ran: Ran) -> bool:
    """Whether it said anything but what is known to be harmless: whoever is kept in fails, or is told nothing of the machine."""
    return ran.failure is None and ran.output != snippet.harmless
