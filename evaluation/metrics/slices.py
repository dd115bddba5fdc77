"""Metrics of each variant in each slice of the questions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import get_args

import msgspec

from evaluation.dataset.question import Difficulty, Kind, Question
from evaluation.metrics.rates import mean, pass_at_k
from evaluation.metrics.resampling import Comparison, Interval, compare, holm, rate_interval
from evaluation.sample import ERROR_CLASSES, Grade

ALL = "all"


class SliceFigures(msgspec.Struct, frozen=True, kw_only=True):
    """Metrics of one variant in one slice."""

    variant: str
    slice: str
    questions: int
    success: Interval
    """Share 0..1 of right answers; with several samples per question, their mean (avg@k)."""
    f1: Interval
    cited: float
    pass_at: dict[int, float] = {}
    """Unbiased pass@k, for each k up to the smallest number of samples of a question."""
    unscored: int = 0
    """Samples without a parsable grade, which count neither as right nor as wrong."""
    errors: dict[str, int] = {}
    """Wrong answers by error class, "unclassified" without one."""


def slices_of(question: Question) -> tuple[str, ...]:
    """Names of the slices that a question is in."""
    named = [ALL, question.kind, question.domain, question.language]
    if question.difficulty:
        named += [question.difficulty, f"{question.kind} {question.difficulty}"]
    if question.modality != "text":
        named.append(question.modality)
    return tuple(dict.fromkeys(name for name in named if name))


def slice_names(questions: Iterable[Question]) -> tuple[str, ...]:
    """All non-empty slices: "all", kinds, difficulties, both, then the rest in order of appearance."""
    known = list(questions)
    there = dict.fromkeys(name for question in known for name in slices_of(question))
    pairs = [f"{kind} {difficulty}" for kind in get_args(Kind) for difficulty in get_args(Difficulty)]
    order = {name: place for place, name in enumerate((ALL, *get_args(Kind), *get_args(Difficulty), *pairs))}
    return tuple(sorted(there, key=lambda name: order.get(name, len(order))))


def by_question(grades: Iterable[Grade], variant: str) -> dict[str, list[Grade]]:
    """The grades of a variant by question."""
    found: dict[str, list[Grade]] = defaultdict(list)
    for grade in grades:
        if grade.variant == variant:
            found[grade.question_id].append(grade)
    return dict(found)


def success_by_question(grades: Iterable[Grade], variant: str) -> dict[str, float]:
    """Share 0..1 of right samples for each question with a scored one."""
    rates = {}
    for question_id, found in by_question(grades, variant).items():
        scored = [float(grade.right) for grade in found if grade.right is not None]
        if scored:
            rates[question_id] = mean(scored)
    return rates


def figures_of(
    questions: Sequence[Question], grades: Sequence[Grade], variants: Sequence[str]
) -> tuple[SliceFigures, ...]:
    """Metrics of every variant in every slice, variants in the order given."""
    found = []
    for name in slice_names(questions):
        inside = [question.id for question in questions if name in slices_of(question)]
        found += [_figures(name, inside, grades, variant) for variant in variants]
    return tuple(found)


def comparisons_with(
    baseline: str, grades: Sequence[Grade], variants: Sequence[str], *, within: frozenset[str] | None = None
) -> Mapping[str, Comparison]:
    """Comparison of each other variant with the baseline, p-values adjusted for their number; only questions in `within`."""

    def rates(variant: str) -> dict[str, float]:
        known = success_by_question(grades, variant)
        return known if within is None else {name: value for name, value in known.items() if name in within}

    base = rates(baseline)
    return holm({variant: compare(rates(variant), base) for variant in variants if variant != baseline})


def _figures(name: str, inside: Sequence[str], grades: Sequence[Grade], variant: str) -> SliceFigures:
    graded = by_question(grades, variant)
    found = {question_id: graded[question_id] for question_id in inside if question_id in graded}
    every = [grade for several in found.values() for grade in several]
    scored = {
        question_id: known
        for question_id, several in found.items()
        if (known := [grade for grade in several if grade.right is not None])
    }
    fewest = min((len(known) for known in scored.values()), default=0)
    wrong = [grade for grade in every if grade.right is False]
    return SliceFigures(
        variant=variant,
        slice=name,
        questions=len(found),
        success=rate_interval([mean(float(bool(grade.right)) for grade in known) for known in scored.values()]),
        f1=rate_interval([mean(grade.f1 for grade in several) for several in found.values()]),
        cited=mean(float(grade.cited) for grade in every),
        pass_at={
            k: mean(pass_at_k(len(known), sum(bool(g.right) for g in known), k) for known in scored.values())
            for k in range(1, fewest + 1)
        },
        unscored=sum(grade.right is None for grade in every),
        errors={
            kind: count
            for kind in (*ERROR_CLASSES, "unclassified")
            if (count := sum((grade.error_class or "unclassified") == kind for grade in wrong))
        },
    )
