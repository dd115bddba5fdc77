"""Fits logistic functions of named signals to examples, and says how far their chances can be trusted."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import msgspec
import numpy as np
from numpy.typing import NDArray

from walker.strategies.answers.answer_chance import Logistic

STEPS = 80
CHOICE_STEPS = 400
DECIMALS = 3
EDGES = (0.0, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 1.0)
"""Of the bands of a reliability table."""


class SignalExample(msgspec.Struct, frozen=True, kw_only=True):
    """What was seen of something, and whether it was right."""

    signals: tuple[float, ...]
    right: bool
    group: str = ""
    """Its site: examples of one site are never split between fitting and testing."""
    weight: float = 1.0
    among: str = ""
    """Its question: of the examples of one question one is chosen, or none."""


def fit_logistic(names: Sequence[str], examples: Sequence[SignalExample], *, ridge: float) -> Logistic:
    """The logistic function of least loss; `ridge` is the penalty on each weight, of signals scaled to unit spread. Raises
    `ValueError` without examples of both kinds."""
    if len({example.right for example in examples}) < 2:
        raise ValueError("examples of both kinds are needed: right ones and wrong ones")
    rows = np.array([example.signals for example in examples], dtype=float)
    labels = np.array([example.right for example in examples], dtype=float)
    importance = np.array([example.weight for example in examples], dtype=float)
    spread = np.maximum(rows.std(axis=0), 1e-6)
    scaled = np.column_stack([np.ones(len(rows)), rows / spread])
    found = _newton(scaled, labels, importance, ridge)
    kept = {name: round(float(weight), DECIMALS) for name, weight in zip(names, found[1:] / spread, strict=True)}
    return Logistic(
        intercept=round(float(found[0]), DECIMALS), weights={name: one for name, one in kept.items() if one}
    )


def fit_choice(names: Sequence[str], examples: Sequence[SignalExample], *, ridge: float) -> Logistic:
    """The function whose odds say which example of a question is right: the chance of one is its odds, divided by the odds of all
    examples of its question and one for none of them. Raises `ValueError` without examples of both kinds."""
    if len({example.right for example in examples}) < 2:
        raise ValueError("examples of both kinds are needed: right ones and wrong ones")
    ordered = sorted(examples, key=lambda example: example.among)
    rows = np.array([example.signals for example in ordered], dtype=float)
    spread, middle = np.maximum(rows.std(axis=0), 1e-6), rows.mean(axis=0)
    starts = np.array(
        [place for place, one in enumerate(ordered) if not place or ordered[place - 1].among != one.among]
    )
    lengths = np.diff([*starts, len(ordered)])
    right = np.array([example.right for example in ordered], dtype=float)
    importance = np.array([ordered[start].weight for start in starts], dtype=float)
    scaled = np.column_stack([np.ones(len(rows)), (rows - middle) / spread])
    found = _least_loss_of_choices(scaled, right, (starts, lengths, importance), ridge)
    weights = found[1:] / spread
    kept = {name: round(float(weight), DECIMALS) for name, weight in zip(names, weights, strict=True)}
    intercept = round(float(found[0] - weights @ middle), DECIMALS)
    return Logistic(intercept=intercept, weights={name: one for name, one in kept.items() if one})


_Questions = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]
"""Of each question: the place of its first example, their number, its weight."""


def _least_loss_of_choices(
    rows: NDArray[np.float64], right: NDArray[np.float64], questions: _Questions, ridge: float
) -> NDArray[np.float64]:
    """By steps along the slope, each signal with a pace of its own (Adam)."""
    starts, lengths, importance = questions
    weights = np.zeros(rows.shape[1])
    weights[0] = -3.0
    penalty = np.full(rows.shape[1], ridge)
    penalty[0] = 0.0
    pace, bend = np.zeros_like(weights), np.zeros_like(weights)
    answered = np.add.reduceat(right, starts) > 0
    for step in range(1, CHOICE_STEPS + 1):
        odds = np.exp(np.clip(rows @ weights, -30, 30))
        of_all = 1 + np.add.reduceat(odds, starts)
        of_right = np.where(answered, np.add.reduceat(odds * right, starts), 1.0)
        gap = odds / np.repeat(of_all, lengths) - odds * right / np.repeat(of_right, lengths)
        slope = rows.T @ (gap * np.repeat(importance, lengths)) + penalty * weights
        pace, bend = 0.9 * pace + 0.1 * slope, 0.99 * bend + 0.01 * slope**2
        rate = 0.1 if step < CHOICE_STEPS // 2 else 0.02
        weights = weights - rate * (pace / (1 - 0.9**step)) / (np.sqrt(bend / (1 - 0.99**step)) + 1e-9)
    return weights


def held_out(names: Sequence[str], examples: Sequence[SignalExample], *, ridge: float) -> list[float]:
    """The chance of each example by a function that was fitted on the other groups; on all where the others are of one kind."""
    chances = [0.0] * len(examples)
    for group in dict.fromkeys(example.group for example in examples):
        rest = [one for one in examples if one.group != group]
        is_enough = len({one.right for one in rest}) == 2
        fitted = fit_logistic(names, rest if is_enough else examples, ridge=ridge)
        for place, example in enumerate(examples):
            if example.group == group:
                chances[place] = fitted.chance(names, example.signals)
    return chances


def reliability(chances: Sequence[float], right: Sequence[bool]) -> tuple[str, ...]:
    """A line for each band of chances: how many, what was said, what was right."""
    lines = []
    for low, high in pairwise(EDGES):
        inside = [place for place, chance in enumerate(chances) if low <= chance < high or chance == high == 1]
        if inside:
            said = sum(chances[place] for place in inside) / len(inside)
            good = sum(right[place] for place in inside) / len(inside)
            bar = "#" * round(20 * good)
            lines.append(f"{low:.2f}-{high:.2f} {len(inside):>4}  said {said:.2f}  right {good:.2f}  {bar}")
    return tuple(lines)


def _newton(
    rows: NDArray[np.float64], labels: NDArray[np.float64], importance: NDArray[np.float64], ridge: float
) -> NDArray[np.float64]:
    weights = np.zeros(rows.shape[1])
    penalty = np.full(rows.shape[1], ridge)
    penalty[0] = 1e-6
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        slope = rows.T @ (importance * (chance - labels)) + penalty * weights
        bend = (rows * (importance * chance * (1 - chance))[:, None]).T @ rows + np.diag(penalty)
        step = np.linalg.solve(bend + 1e-9 * np.eye(len(bend)), slope)
        weights = weights - step
        if float(np.abs(step).max()) < 1e-7:
            break
    return weights
