"""What a reply wants computed: code reads the values from checked findings and computes."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from memory.findings import ComputedFinding, Finding
from perception.document.visible import visible_text
from walker.models.replies import CalculationReply
from walker.seams.task import Task
from walker.strategies.answers.calculation import Calculation, agrees, calculate
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
    named = [numbered[number - 1] if 1 <= number <= len(numbered) else None for number in wanted.of]
    inputs = tuple(finding for finding in named if finding is not None and _is_quoted(finding, task.language))
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


def _is_quoted(finding: Finding, language: str) -> bool:
    """Whether the one value of a finding stands in its quote too, which was checked against the page."""
    value = only_value(finding.text, language)
    if isinstance(finding, ComputedFinding):
        return value is not None  # code has it from what is quoted
    return value is not None and any(is_same(value, other) for other in values_in(finding.quote, language))
