"""Confidence intervals and significance tests by resampling questions, the unit of sampling."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from math import comb

import msgspec
import numpy as np

SAMPLES = 2000
"""Bootstrap resamples: for 50 questions and more the ends of a 95 % interval then vary by less than 0.01 with the seed."""
LEVEL = 0.95
Z_SQUARED = 1.959964**2
"""Normal quantile of the confidence level, for Wilson's interval."""
EXACT_FLIPS = 14
"""Up to so many differing questions all sign flips are enumerated; beyond, `SAMPLES` x 5 random ones."""


class Interval(msgspec.Struct, frozen=True, kw_only=True):
    """A mean over questions with its 95 % bootstrap interval."""

    value: float
    low: float
    high: float
    count: int
    """Number of questions."""


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """Paired comparison of two variants over the questions that both answered. `difference` is first minus second."""

    difference: Interval
    better: int
    """Questions on which the first is better."""
    worse: int
    p: float
    """Two-sided p-value, 0..1: probability of a difference at least as large if the variants were equal."""
    adjusted: float = 1.0
    """p-value after Holm's correction for the number of comparisons."""
    better_on: tuple[str, ...] = ()
    worse_on: tuple[str, ...] = ()


def bootstrap(values: Sequence[float], *, seed: int = 0) -> Interval:
    """Mean and 95 % percentile bootstrap interval of per-question values."""
    known = np.asarray(values, float)
    if not len(known):
        return Interval(value=0.0, low=0.0, high=1.0, count=0)
    drawn = np.random.default_rng(seed).integers(0, len(known), (SAMPLES, len(known)))
    low, high = np.quantile(known[drawn].mean(axis=1), [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(value=float(known.mean()), low=float(low), high=float(high), count=len(known))


def rate_interval(values: Sequence[float], *, seed: int = 0) -> Interval:
    """`bootstrap` for rates 0..1. Where all values are equal (all right, all wrong, one question), the bootstrap is degenerate, and
    Wilson's score interval is used instead."""
    found = bootstrap(values, seed=seed)
    if not found.count or len(set(values)) > 1:
        return found
    share = Z_SQUARED / (found.count + Z_SQUARED)
    middle = found.value * (1 - share) + share / 2
    half = math.sqrt(share * found.value * (1 - found.value) * (1 - share) + (share / 2) ** 2)
    return msgspec.structs.replace(found, low=max(0.0, middle - half), high=min(1.0, middle + half))


def compare(first: Mapping[str, float], second: Mapping[str, float], *, seed: int = 0) -> Comparison:
    """Paired comparison by question: an exact sign test (McNemar) if every value is 0 or 1, else a sign-flip permutation test."""
    shared = sorted(first.keys() & second.keys())
    differences = np.array([first[name] - second[name] for name in shared], float)
    better, worse = int((differences > 0).sum()), int((differences < 0).sum())
    binary = set(np.abs(differences)) <= {0.0, 1.0}
    p = sign_test(better, worse) if binary else _flip_test(differences, seed)
    return Comparison(
        difference=_signed(bootstrap(differences.tolist(), seed=seed)),
        better=better,
        worse=worse,
        p=p,
        better_on=tuple(name for name, one in zip(shared, differences, strict=True) if one > 0),
        worse_on=tuple(name for name, one in zip(shared, differences, strict=True) if one < 0),
    )


def sign_test(better: int, worse: int) -> float:
    """Two-sided exact p-value 0..1 for numbers of questions better and worse, ties excluded: McNemar's exact test."""
    count = better + worse
    if not count:
        return 1.0
    tail = sum(comb(count, number) for number in range(min(better, worse) + 1)) / 2**count
    return float(min(1.0, 2 * tail))


def holm(comparisons: Mapping[str, Comparison]) -> dict[str, Comparison]:
    """The comparisons, in the order given, with p-values 0..1 adjusted for multiple testing by Holm's step-down method: S. Holm, "A
    simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6 (1979)."""
    ordered = sorted(comparisons, key=lambda name: comparisons[name].p)
    highest, adjusted = 0.0, {}
    for rank, name in enumerate(ordered):
        highest = max(highest, min(1.0, comparisons[name].p * (len(ordered) - rank)))
        adjusted[name] = msgspec.structs.replace(comparisons[name], adjusted=highest)
    return {name: adjusted[name] for name in comparisons}


def _flip_test(differences: np.ndarray[tuple[int], np.dtype[np.float64]], seed: int) -> float:
    """p-value 0..1: share of sign flips whose mean is at least as far from zero as the observed one."""
    moved = differences[differences != 0]
    if not len(moved):
        return 1.0
    if len(moved) <= EXACT_FLIPS:
        places = np.arange(2 ** len(moved))[:, None] >> np.arange(len(moved)) & 1
        signs = 1 - 2 * places
        extra = 0
    else:
        signs = np.random.default_rng(seed).choice((-1, 1), (5 * SAMPLES, len(moved)))
        extra = 1  # the observed assignment is one of the possible ones
    sums = np.abs((signs * moved).sum(axis=1))
    as_far = int((sums >= abs(moved.sum()) - 1e-9).sum())
    return min(1.0, (as_far + extra) / (len(signs) + extra))


def _signed(interval: Interval) -> Interval:
    """The interval clipped to a difference's range, -1..1."""
    return interval if interval.count else msgspec.structs.replace(interval, low=-1.0)
