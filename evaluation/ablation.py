"""Ablation: the contribution of each module in every slice, as Shapley values over all combinations of modules, per question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from evaluation.dataset.question import Question
from evaluation.experiment.variants import MODULES, Variant
from evaluation.metrics.rates import mean
from evaluation.metrics.resampling import Interval, bootstrap
from evaluation.metrics.slices import by_question, slice_names, slices_of, success_by_question
from evaluation.sample import Grade
from evaluation.shapley import Coalition, coalitions, shapley_values
from walker.errors import UsageError

Measure = Literal["success", "f1"]


class SliceAblation(msgspec.Struct, frozen=True, kw_only=True):
    """The ablation of one slice, over the questions that were scored for every variant."""

    slice: str
    questions: int
    worth: dict[str, float]
    """Mean of the measure for each variant."""
    values: dict[str, Interval]
    """Shapley value of each module; they add up to all modules minus none."""


class Ablation(msgspec.Struct, frozen=True, kw_only=True):
    """ablation.json."""

    measure: Measure
    modules: tuple[str, ...]
    slices: tuple[SliceAblation, ...]
    left_out: int
    """Questions excluded because some variant has no scored sample of them."""
    left_out_on: tuple[str, ...] = ()
    """Their ids."""


def ablate(
    questions: Sequence[Question],
    grades: Sequence[Grade],
    variants: Sequence[Variant],
    *,
    measure: Measure = "success",
    modules: Sequence[str] = MODULES,
) -> Ablation:
    """Shapley values of the modules in every slice. Raises `UsageError` naming the variants that were not run.

    A Shapley value is linear in the values of the coalitions, so it is the mean of the values on single questions; the interval
    is a bootstrap over these.
    """
    names = _variant_of(variants, modules)
    rates = {coalition: _rates(grades, name, measure) for coalition, name in names.items()}
    shared = [question for question in questions if all(question.id in known for known in rates.values())]
    if not shared:
        raise UsageError(
            "no question was graded for every variant",
            where="ablate",
            advice="Run walker eval run and grade to the end",
        )
    each = {
        question.id: shapley_values(modules, {coalition: known[question.id] for coalition, known in rates.items()})
        for question in shared
    }
    slices = []
    for name in slice_names(shared):
        inside = [question.id for question in shared if name in slices_of(question)]
        slices.append(
            SliceAblation(
                slice=name,
                questions=len(inside),
                worth={names[coalition]: mean(known[q] for q in inside) for coalition, known in rates.items()},
                values={module: bootstrap([each[q][module] for q in inside]) for module in modules},
            )
        )
    left_out = tuple(question.id for question in questions if question.id not in each)
    return Ablation(
        measure=measure,
        modules=tuple(modules),
        slices=tuple(slices),
        left_out=len(left_out),
        left_out_on=left_out,
    )


def _variant_of(variants: Sequence[Variant], modules: Sequence[str]) -> Mapping[Coalition, str]:
    known = {variant.modules: variant.name for variant in variants if variant.modules is not None}
    wanted = coalitions(modules)
    missing = [
        "+".join(module for module in modules if module in modules_on) or "baseline"
        for modules_on in wanted
        if modules_on not in known
    ]
    if missing:
        raise UsageError(
            f"these walks were not run: {', '.join(missing)}",
            where="ablate",
            advice="Run them: walker eval run --variant eight",
        )
    return {coalition: known[coalition] for coalition in wanted}


def _rates(grades: Sequence[Grade], variant: str, measure: Measure) -> Mapping[str, float]:
    if measure == "success":
        return success_by_question(grades, variant)
    return {
        question_id: mean(grade.f1 for grade in found) for question_id, found in by_question(grades, variant).items()
    }


msgspec.json.Decoder(Ablation)  # described at import: docs/design/msgspec.md
