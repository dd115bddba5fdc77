"""Costs of answers: pages, tokens, seconds, money."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from evaluation.metrics.rates import mean
from evaluation.sample import Grade, Sample


class Costs(msgspec.Struct, frozen=True, kw_only=True):
    """Mean costs of one variant per sample, and per right answer (None where none was right)."""

    variant: str
    samples: int
    pages: float
    tokens: float
    seconds: float
    calls: float
    """Calls of the language model and of a vision model; looks by OCR are none."""
    money: float | None
    """None where the prices are unknown."""
    pages_a_right_answer: float | None
    tokens_a_right_answer: float | None
    seconds_a_right_answer: float | None
    money_a_right_answer: float | None
    looked: float
    """Share 0..1 of the pages whose picture was read."""
    failed: int
    """Failed samples, which are excluded from the means."""


def costs_of(samples: Iterable[Sample], grades: Sequence[Grade], variant: str) -> Costs:
    """The costs of a variant."""
    every = [sample for sample in samples if sample.variant == variant]
    walked = [sample for sample in every if not sample.error]
    right = sum(bool(grade.right) for grade in grades if grade.variant == variant)
    pages = sum(sample.pages for sample in walked)
    paid = [sample.money for sample in walked if sample.money is not None]
    money = sum(paid) if walked and len(paid) == len(walked) else None

    def each(total: float) -> float | None:
        return total / right if right else None

    return Costs(
        variant=variant,
        samples=len(every),
        pages=mean(sample.pages for sample in walked),
        tokens=mean(sample.usage.total_tokens for sample in walked),
        seconds=mean(sample.usage.seconds for sample in walked),
        calls=mean(sample.usage.model_calls for sample in walked),
        money=None if money is None else money / len(walked),
        pages_a_right_answer=each(pages),
        tokens_a_right_answer=each(sum(sample.usage.total_tokens for sample in walked)),
        seconds_a_right_answer=each(sum(sample.usage.seconds for sample in walked)),
        money_a_right_answer=None if money is None or not right else money / right,
        looked=sum(sample.looks for sample in walked) / pages if pages else 0.0,
        failed=len(every) - len(walked),
    )
