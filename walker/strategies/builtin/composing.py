"""Composes the answer to a question from the answers to its parts."""

from __future__ import annotations

import math
from collections.abc import Sequence

from walker.seams.calculations import CalculationName
from walker.strategies.answers.calculation import Calculation, calculate
from walker.strategies.question.answer_type import read_answer_type
from walker.strategies.question.asked_comparison import bound_of, checks_of, options_of, orders_of
from walker.strategies.question.question import Question

BY_CHANCE = 0.4
"""Share of wrong values that choose the right one of two: half of them would, were all of them values of these two things."""
_VALUES = frozenset(("version", "year", "date", "time", "number"))


def compose(question: Question, found: Sequence[str]) -> str:
    """The answer; "" where it has to be computed and cannot be. `found`: what was found for each part, "" for nothing."""
    last = found[-1] if found else ""
    if question.operation in ("difference", "sum", "compare", "whether") and len(found) >= 2:
        return _computed(question, found[:2]) if all(found[:2]) else ""
    if last and (bound := bound_of(question.text)) is not None:
        return _first_result(question, (last, bound.text), (bound.check,)) or last
    return last


def joint_confidence(question: Question, sure: Sequence[float]) -> float:
    """The chance that what was composed is right: that all parts are. Of yes and no, and of two things that are offered, wrong values
    may choose rightly too."""
    chance = math.prod(sure)
    is_choice = question.operation == "whether" or (
        question.operation == "compare"
        and bool(options_of(question.text))
        and read_answer_type(question.text, question.language).kind not in _VALUES
    )
    return chance + (1 - chance) * BY_CHANCE if is_choice and chance else chance


def _computed(question: Question, values: Sequence[str]) -> str:
    names = options_of(question.text) if question.operation == "compare" else ()
    operations: tuple[CalculationName, ...]
    match question.operation:
        case "compare":
            operations = orders_of(question.text)
            if read_answer_type(question.text, question.language).kind in _VALUES:
                names = tuple(values)  # "which version brought the earlier of two": a value is asked for, no name
        case "whether":
            operations = checks_of(question.text)
        case "sum":
            operations = ("sum",)
        case _:
            operations = ("difference",)
    return _first_result(question, values, operations, names)


def _first_result(
    question: Question, values: Sequence[str], operations: Sequence[CalculationName], names: tuple[str, ...] = ()
) -> str:
    """The result of the first operation that has one: "older" is the earlier of two dates, and more of two ages."""
    for operation in operations:
        computed = calculate(
            Calculation(
                operation=operation,
                values=tuple(values),
                names=names,
                question=question.text,
                language=question.language,
            )
        )
        if computed is not None:
            return computed.text
    return ""
