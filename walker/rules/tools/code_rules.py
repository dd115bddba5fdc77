"""Whether code that a model wrote is run, and over which values: pure, so that a replay runs the same."""

from __future__ import annotations

import msgspec

from memory.findings import Citation, ComputedFinding, Finding
from memory.state import WalkMemory
from memory.words import lazy_re
from perception.document.visible import visible_text
from perception.observation import Observation, RecordSet
from walker.seams.actions import CodeInput, RunCode
from walker.seams.code_runner import CODE_CHARS, CodeValue

RUNS_A_WALK = 4
ROWS = 500
"""Of a list, that code is given."""
SOURCES = 12
"""Quotes that a computed finding cites; of a longer list the first rows."""
TOLD_CHARS = 160
"""Of an input, as it is told."""
TEXT_CHARS = 600
"""Of an output that is a finding."""
_NAME = lazy_re.compile(r"[a-z][a-z0-9_]{0,30}")


class FoundValue(msgspec.Struct, frozen=True, kw_only=True):
    """An input of code: its value, and where that stands."""

    name: str
    value: CodeValue
    sources: tuple[Citation, ...]
    score: float
    """Confidence 0..1 in what it rests on."""
    parts: tuple[int, ...] = ()
    """The parts of the question that it is relevant to."""

    @property
    def told(self) -> str:
        """The input in a line: "f1: 256 KiB", "t2: 12 rows"."""
        if isinstance(self.value, tuple):
            first = "; ".join(" | ".join(row) for row in self.value[:3])
            return f"{self.name}: {len(self.value)} rows: {first}"[:TOLD_CHARS]
        return f"{self.name}: {self.value}"[:TOLD_CHARS]


def why_not_run(action: RunCode, observation: Observation, memory: WalkMemory) -> str:
    """Why code is not run, worded for the explorer; "" where it is."""
    if len(memory.runs) >= RUNS_A_WALK:
        return f"code was run {RUNS_A_WALK} times, as often as a walk may"
    if not action.code.strip():
        return "there is no code to run"
    if len(action.code) > CODE_CHARS:
        return f"the code has {len(action.code)} characters; {CODE_CHARS} are the most"
    if not action.inputs:
        return "the code uses no value that was found: name findings (f1, f2), what was counted (items) or a table (t1)"
    names = [one.name for one in action.inputs]
    if len(set(names)) < len(names) or not all(_NAME.fullmatch(name) for name in names):
        return "each input needs a name of its own, of small letters and digits"
    missing = next((one for one in action.inputs if found_value(one, observation, memory) is None), None)
    if missing is not None:
        return f"{missing.name} is no value that was found: {_there_are(observation, memory)}"
    told = told_inputs(action, observation, memory)
    before = next((run for run in memory.runs if run.code == action.code and run.inputs == told), None)
    if before is None:
        return ""
    said = f"it failed: {before.failure}" if before.failure else "its output is known"
    return f"this very code was run already: {said}"


def found_values(action: RunCode, observation: Observation, memory: WalkMemory) -> tuple[FoundValue, ...]:
    """The inputs of code that may be run, in its order."""
    values = (found_value(one, observation, memory) for one in action.inputs)
    return tuple(value for value in values if value is not None)


def told_inputs(action: RunCode, observation: Observation, memory: WalkMemory) -> tuple[str, ...]:
    """The inputs in a line each."""
    return tuple(one.told for one in found_values(action, observation, memory))


def found_value(asked: CodeInput, observation: Observation, memory: WalkMemory) -> FoundValue | None:
    """The value that an input names, None where there is none."""
    match asked.of:
        case "finding":
            if not 1 <= asked.number <= len(memory.findings):
                return None
            return _of_finding(asked.name, memory.findings[asked.number - 1])
        case "items":
            return _of_items(asked.name, memory)
        case "table":
            found = next((one for one in observation.record_sets if one.id == asked.number), None)
            return _of_table(asked.name, found, observation.url) if found is not None else None


def computed_finding(action: RunCode, output: str, values: tuple[FoundValue, ...], step: int) -> ComputedFinding:
    """The output of code as a finding that rests on the code's inputs."""
    sources = tuple(dict.fromkeys(source for value in values for source in value.sources))[:SOURCES]
    parts = tuple(sorted({part for value in values for part in value.parts}))
    return ComputedFinding(
        text=visible_text(output)[:TEXT_CHARS],
        quote=" … ".join(source.quote for source in sources)[:TEXT_CHARS],
        url=sources[0].url if sources else "",
        step=step,
        # No surer than the least sure of what it rests on.
        score=min((value.score for value in values), default=0.0),
        part=parts[0] if parts else 0,
        parts=parts,
        code=action.code,
        inputs=tuple(value.told for value in values),
        sources=sources,
    )


def _of_finding(name: str, finding: Finding) -> FoundValue:
    parts = finding.parts or (finding.part,)
    return FoundValue(name=name, value=finding.text, sources=finding.citations, score=finding.score, parts=parts)


def _of_items(name: str, memory: WalkMemory) -> FoundValue | None:
    items = memory.counter.items
    if not items:
        return None
    rows = tuple((item.name, item.value) for item in items[:ROWS])
    sources = tuple(Citation(url=item.page_url, quote=item.quote or item.name) for item in items[:SOURCES])
    return FoundValue(name=name, value=rows, sources=sources, score=1.0)


def _of_table(name: str, table: RecordSet, url: str) -> FoundValue:
    """The rows of a list, below its columns where they have names."""
    head = (table.columns,) if any(table.columns) else ()
    rows = tuple(
        tuple(visible_text(field.value) for field in record.fields) or (visible_text(record.text),)
        for record in table.records[:ROWS]
    )
    sources = tuple(Citation(url=url, quote=record.text) for record in table.records[:SOURCES])
    return FoundValue(name=name, value=(*head, *rows), sources=sources, score=1.0)


def _there_are(observation: Observation, memory: WalkMemory) -> str:
    """What code may be run over, for the one who named something else."""
    found = len(memory.findings)
    tables = [f"t{one.id}" for one in observation.record_sets[:8]]
    told = [f"{found} findings" if found else "", "items" if memory.counter.items else "", ", ".join(tables)]
    return "there are " + (", ".join(filter(None, told)) or "none yet")
