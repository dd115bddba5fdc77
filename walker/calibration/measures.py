"""How well a score separates pages that need vision from those whose text is enough. All are plain functions of numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import accumulate

import msgspec
import numpy as np


class RocPoint(msgspec.Struct, frozen=True, kw_only=True):
    """Where pages whose score is at least `threshold` are looked at: the share of those that must be, and of those that need not."""

    threshold: float
    found: float
    wasted: float


class Interval(msgspec.Struct, frozen=True, kw_only=True):
    """A value with the bounds between which 95 of 100 resamples lie."""

    value: float
    low: float
    high: float


def area_under_curve(scores: Sequence[float], needed: Sequence[bool]) -> float:
    """Chance that a page which must be looked at scores higher than one that need not; ties count half. NaN without both.

    >>> area_under_curve([0.9, 0.4, 0.4], [True, True, False])
    0.75
    """
    positive = sorted(score for score, need in zip(scores, needed, strict=True) if need)
    negative = np.sort([score for score, need in zip(scores, needed, strict=True) if not need])
    if not positive or not len(negative):
        return math.nan
    below = np.searchsorted(negative, positive, side="left")
    up_to = np.searchsorted(negative, positive, side="right")
    return float((below + up_to).sum() / 2 / (len(positive) * len(negative)))


def roc(scores: Sequence[float], needed: Sequence[bool]) -> tuple[RocPoint, ...]:
    """Points from "nothing is looked at" to "everything is", one for each score that occurs."""
    positives, negatives = max(1, sum(needed)), max(1, len(needed) - sum(needed))
    points = [RocPoint(threshold=math.inf, found=0.0, wasted=0.0)]
    pairs = sorted(zip(scores, needed, strict=True), key=lambda pair: -pair[0])
    found = list(accumulate(int(need) for _, need in pairs))
    for place, (score, _) in enumerate(pairs):
        if place + 1 == len(pairs) or pairs[place + 1][0] != score:
            hits = found[place]
            points.append(RocPoint(threshold=score, found=hits / positives, wasted=(place + 1 - hits) / negatives))
    return tuple(points)


def resampled(
    groups: Sequence[str], measure: Callable[[np.ndarray], float], *, times: int = 400, seed: int = 7
) -> Interval:
    """A measure of row numbers with its interval. Whole groups (sites) are drawn, since pages of one site are alike."""
    rows = np.arange(len(groups))
    names = sorted(set(groups))
    by_name = {name: rows[[group == name for group in groups]] for name in names}
    chance = np.random.default_rng(seed)
    values = []
    for _ in range(times):
        drawn = np.concatenate([by_name[names[place]] for place in chance.integers(0, len(names), len(names))])
        value = measure(drawn)
        if not math.isnan(value):
            values.append(value)
    low, high = np.quantile(values, (0.025, 0.975)) if values else (math.nan, math.nan)
    return Interval(value=measure(rows), low=float(low), high=float(high))


def calibration_error(chances: Sequence[float], happened: Sequence[bool], bins: int = 10) -> float:
    """Expected calibration error: how far, on average over pages, a stated chance is from the share that came true."""
    if not chances:
        return math.nan
    places = np.minimum((np.asarray(chances) * bins).astype(int), bins - 1)
    total = 0.0
    for place in range(bins):
        inside = places == place
        if inside.any():
            stated, true = np.asarray(chances)[inside].mean(), np.asarray(happened, float)[inside].mean()
            total += abs(stated - true) * inside.sum()
    return float(total / len(chances))
