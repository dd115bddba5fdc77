"""How sure a figure is, and whether two variants differ: by resampling questions, which are what chance chose."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from math import comb

import msgspec
import numpy as np

SAMPLES = 2000
"""Resamplings: the ends of a 95 % interval then move by less than 0.01 with the seed for 50 questions and more."""
LEVEL = 0.95
Z_SQUARED = 1.959964**2
"""Of the level, for Wilson's interval."""
EXACT_FLIPS = 14
"""Up to so many differing questions all sign flips are tried; beyond, `SAMPLES` x 5 of them."""


class Interval(msgspec.Struct, frozen=True, kw_only=True):
    """A mean over questions with its bootstrap interval."""

    value: float
    low: float
    high: float
    count: int
    """Questions it was taken over."""


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """Two variants over the questions that both answered. `difference` is first minus second."""

    difference: Interval
    better: int
    """Questions that the first does better."""
    worse: int
    p: float
    """Chance of a difference as large, either way, if the two were the same."""
    adjusted: float = 1.0
    """The same after Holm's correction for the number of comparisons."""


def bootstrap(values: Sequence[float], *, seed: int = 0) -> Interval:
    """Mean and percentile interval of per-question values."""
    known = np.asarray(values, float)
    if not len(known):
        return Interval(value=0.0, low=0.0, high=1.0, count=0)
    drawn = np.random.default_rng(seed).integers(0, len(known), (SAMPLES, len(known)))
    low, high = np.quantile(known[drawn].mean(axis=1), [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(value=float(known.mean()), low=float(low), high=float(high), count=len(known))


def rate_interval(values: Sequence[float], *, seed: int = 0) -> Interval:
    """The same of rates 0..1. Where all are alike (all right, all wrong, one question), resampling has nothing to say, and
    Wilson's interval stands in."""
    found = bootstrap(values, seed=seed)
    if not found.count or len(set(values)) > 1:
        return found
    share = Z_SQUARED / (found.count + Z_SQUARED)
    middle = found.value * (1 - share) + share / 2
    half = math.sqrt(share * found.value * (1 - found.value) * (1 - share) + (share / 2) ** 2)
    return msgspec.structs.replace(found, low=max(0.0, middle - half), high=min(1.0, middle + half))


def compare(first: Mapping[str, float], second: Mapping[str, float], *, seed: int = 0) -> Comparison:
    """Paired comparison by question: an exact sign test where every value is 0 or 1 (McNemar), else sign flips."""
    shared = sorted(first.keys() & second.keys())
    differences = np.array([first[name] - second[name] for name in shared], float)
    better, worse = int((differences > 0).sum()), int((differences < 0).sum())
    binary = set(np.abs(differences)) <= {0.0, 1.0}
    p = sign_test(better, worse) if binary else _flip_test(differences, seed)
    return Comparison(difference=_signed(bootstrap(differences.tolist(), seed=seed)), better=better, worse=worse, p=p)


def sign_test(better: int, worse: int) -> float:
    """Two-sided exact p of so many questions better and worse, ties left out; this is McNemar's exact test."""
    count = better + worse
    if not count:
        return 1.0
    tail = sum(comb(count, number) for number in range(min(better, worse) + 1)) / 2**count
    return float(min(1.0, 2 * tail))


def holm(comparisons: Mapping[str, Comparison]) -> dict[str, Comparison]:
    """The comparisons with p adjusted for their number, in the order given."""
    ordered = sorted(comparisons, key=lambda name: comparisons[name].p)
    highest, adjusted = 0.0, {}
    for rank, name in enumerate(ordered):
        highest = max(highest, min(1.0, comparisons[name].p * (len(ordered) - rank)))
        adjusted[name] = msgspec.structs.replace(comparisons[name], adjusted=highest)
    return {name: adjusted[name] for name in comparisons}


def _flip_test(differences: np.ndarray[tuple[int], np.dtype[np.float64]], seed: int) -> float:
    """Share of sign flips whose mean is as far from zero as the one observed."""
    moved = differences[differences != 0]
    if not len(moved):
        return 1.0
    if len(moved) <= EXACT_FLIPS:
        places = np.arange(2 ** len(moved))[:, None] >> np.arange(len(moved)) & 1
        signs = 1 - 2 * places
        extra = 0
    else:
        signs = np.random.default_rng(seed).choice((-1, 1), (5 * SAMPLES, len(moved)))
        extra = 1  # the observed one is among those possible
    sums = np.abs((signs * moved).sum(axis=1))
    as_far = int((sums >= abs(moved.sum()) - 1e-9).sum())
    return min(1.0, (as_far + extra) / (len(signs) + extra))


def _signed(interval: Interval) -> Interval:
    """A difference of nothing is between -1 and 1."""
    return interval if interval.count else msgspec.structs.replace(interval, low=-1.0)
