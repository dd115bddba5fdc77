"""What a reply wants computed: code reads the values from checked findings and computes."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from memory.findings import ComputedFinding, Finding
from perception.document.visible import visible_text
from walker.models.replies import CalculationReply
from walker.seams.calculations import CalculationName
from walker.seams.task import Task
from walker.strategies.answers.calculation import CHOOSING, Calculation, agrees, as_days, calculate, stated_value
from walker.strategies.values.value_kinds import Measure, Unclear
from walker.strategies.values.written_values import is_same, only_value, values_in

NAME_CHARS = 80


class ComputedAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """An answer that code computed."""

    answer: str
    note: str
    """How, and what the model said if that was something else."""
    inputs: tuple[Finding, ...]
    """The findings that state the values."""
    value: str
    """What was computed, without any of the model's words."""


def compute_answer(
    wanted: CalculationReply | None, numbered: Sequence[Finding | None], task: Task, said: str
) -> ComputedAnswer | None:
    """The computed answer; None where nothing is to be computed, or a finding does not state one value that its quote states too: then
    the model's own answer stands. `said`: that answer, whose wording is kept where it says the same."""
    if wanted is None:
        return None
    named = [_finding(number, numbered) for number in wanted.of]
    inputs = tuple(
        one for one in named if one is not None and not _why_not_stated(one, wanted.operation, task.language)
    )
    if not inputs or len(inputs) < len(named):
        return None
    bound = visible_text(wanted.bound)
    # No other text than the quotes and the question's own is computed with.
    may_add = len(inputs) == 1 or wanted.operation in ("sum", "average")
    is_asked = bool(bound) and may_add and _is_stated(bound, task)
    computed = calculate(
        Calculation(
            operation=wanted.operation,
            values=(*(finding.text for finding in inputs), *((bound,) if is_asked else ())),
            names=tuple(visible_text(name)[:NAME_CHARS] for name in wanted.names if visible_text(name)),
            question=task.question,
            language=task.language,
        )
    )
    if computed is None:
        return None
    source = f"; {bound} is the question's own" if is_asked else ""
    if not said or not agrees(computed, said, task.language):
        note = f"computed: {computed.text}{source}" + (f"; the model said “{said}”" if said else "")
        return ComputedAnswer(answer=computed.text, note=note, inputs=inputs, value=computed.text)
    shown = computed.inputs if computed.inputs not in said else ""
    answer = f"{said} ({shown})" if shown else said
    return ComputedAnswer(answer=answer, note=f"computed: {computed.text}{source}", inputs=inputs, value=computed.text)


def _is_stated(bound: str, task: Task) -> bool:
    """Whether the question states this value, in digits or in words."""
    value = only_value(bound, task.language)
    return value is not None and any(is_same(value, other) for other in values_in(task.question, task.language))


def why_not_computed(wanted: CalculationReply, numbered: Sequence[Finding | None], task: Task) -> str:
    """For a person: why `compute_answer` gives nothing for this reply."""
    found: list[Finding] = []
    for number in wanted.of:
        finding = _finding(number, numbered)
        if finding is None:
            return f"nothing was computed: finding {number} is not there"
        if why := _why_not_stated(finding, wanted.operation, task.language):
            return f"nothing was computed: finding {number} {why}"
        found.append(finding)
    if wanted.operation in CHOOSING and len(wanted.names) != len(wanted.of) + bool(wanted.bound):
        return "nothing was computed: not every value has a name"
    values = [stated_value(one.text, wanted.operation, task.language) for one in found]
    if wanted.operation in ("earlier", "later") and any(isinstance(value, Measure) and value.unit for value in values):
        return f"nothing was computed: “{wanted.operation}” is of dates or of ages, and a finding states a duration"
    return "nothing was computed: the values are of different kinds or units, or overlap"


def _finding(number: int, numbered: Sequence[Finding | None]) -> Finding | None:
    return numbered[number - 1] if 1 <= number <= len(numbered) else None


def _why_not_stated(finding: Finding, operation: CalculationName, language: str) -> str:
    """Why a finding has no value to compute with: it states none or several, or its quote, which was checked against the page, has
    another; "" where it has one."""
    value = stated_value(finding.text, operation, language)
    if value is None:
        values = values_in(finding.text, language)
        if any(isinstance(one, Unclear) for one in values):
            return "can be read in two ways"
        return "states several values" if values else "states no value"
    quoted = values_in(finding.quote, language)
    dates = [day for one in quoted if (day := as_days(one)) is not None]
    # Code has a computed finding from what is quoted.
    if isinstance(finding, ComputedFinding) or any(is_same(value, other) for other in (*quoted, *dates)):
        return ""
    return "states a value that its quote does not"
