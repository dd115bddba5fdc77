"""Checks that samples and grades belong to their experiment: mixed or edited files are detected, line by line."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping

from evaluation.sample import Grade, Sample

Key = tuple[str, str, int]


def sample_check(questions: Container[str], variants: Container[str], samples: int) -> Callable[[Sample], str]:
    """A validator: why a sample is invalid, "" for a valid one."""

    def why_wrong(sample: Sample) -> str:
        if sample.question_id not in questions:
            return f'its question "{sample.question_id}" is not in this experiment'
        if sample.variant not in variants:
            return f'its variant "{sample.variant}" is not in this experiment'
        return "" if 1 <= sample.number <= samples else f"its number is {sample.number}, of {samples}"

    return why_wrong


def grade_check(samples: Mapping[Key, Sample]) -> Callable[[Grade], str]:
    """A validator: why a grade is invalid, "" for a valid one."""

    def why_wrong(grade: Grade) -> str:
        if grade.key not in samples:
            return f'there is no answer of "{grade.variant}" to "{grade.question_id}" (sample {grade.number})'
        if not 0.0 <= grade.f1 <= 1.0:
            return f"its F1 is {grade.f1:g}, not from 0 to 1"
        if grade.error_class is not None and grade.right is not False:
            return f'it has the error class "{grade.error_class}", but is not wrong'
        if grade.seal and grade.seal != grade.sealed.seal:
            return "it was edited after grading (delete the line, and walker eval grade grades again)"
        return ""

    return why_wrong
