"""Agreement between judges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import msgspec

from evaluation.sample import Grade


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """Agreement of two judges over the samples that both scored."""

    first: str
    second: str
    samples: int
    observed: float
    """Share of samples on which they agree."""
    kappa: float | None
    """Cohen's kappa, -1..1; None where it is undefined because both gave one and the same verdict throughout."""


def cohen_kappa(first: Sequence[bool], second: Sequence[bool]) -> float | None:
    """Cohen's kappa (1960) of two judges' verdicts on the same samples. Raises `ValueError` for lists of different length."""
    if len(first) != len(second):
        raise ValueError(f"{len(first)} verdicts beside {len(second)}")
    if not first:
        return None
    count = len(first)
    observed = sum(one == other for one, other in zip(first, second, strict=True)) / count
    yes = sum(first) / count, sum(second) / count
    expected = yes[0] * yes[1] + (1 - yes[0]) * (1 - yes[1])
    return None if expected == 1 else (observed - expected) / (1 - expected)


def agreements(grades: Sequence[Grade]) -> tuple[Agreement, ...]:
    """Every pair of judges that both scored a sample."""
    names = list(dict.fromkeys(name for grade in grades for name in grade.votes))
    found = []
    for one, other in combinations(names, 2):
        pairs = [pair for grade in grades if (pair := _pair(grade.votes, one, other)) is not None]
        if pairs:
            first, second = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
            observed = sum(pair[0] == pair[1] for pair in pairs) / len(pairs)
            kappa = cohen_kappa(first, second)
            found.append(Agreement(first=one, second=other, samples=len(pairs), observed=observed, kappa=kappa))
    return tuple(found)


def _pair(votes: Mapping[str, bool | None], one: str, other: str) -> tuple[bool, bool] | None:
    first, second = votes.get(one), votes.get(other)
    return None if first is None or second is None else (first, second)
