"""What the programs that fit weights share: their options, what they keep of pages that were read, and how weights are written."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from answers.question_set import PARTS
from walker.calibration.logistic_fit import DECIMALS, SignalExample, fit_logistic
from walker.strategies.answers.answer_chance import Logistic, chance_of

T = TypeVar("T")


def fit_options(parser: argparse.ArgumentParser, *, others: int) -> argparse.Namespace:
    """The options of a program that fits on the building sites, on both parts of their questions, beside its own. `others`: pages
    that are read besides the sources."""
    parser.add_argument("--others", type=int, default=others)
    parser.add_argument("--dry", action="store_true", help="write no weights")
    parser.add_argument("--gathered", type=Path, help="a file that keeps what was read")
    options = parser.parse_args()
    options.half, options.parts = "building", PARTS
    return options


def kept_or(file: Path | None, kind: type[T], gather: Callable[[], list[T]]) -> list[T]:
    """What the file keeps; where there is none, what is gathered now, which it keeps then."""
    if file is not None and file.is_file():
        return msgspec.msgpack.decode(file.read_bytes(), type=list[kind])  # type: ignore[valid-type]
    gathered = gather()
    if file is not None:
        file.write_bytes(msgspec.msgpack.encode(gathered))
    return gathered


def write_weights(file: Path, weights: msgspec.Struct) -> None:
    """Write a file of weights into the package."""
    file.write_bytes(msgspec.json.format(msgspec.json.encode(weights), indent=1) + b"\n")


def _mean_of(one: Logistic, other: Logistic) -> Logistic:
    """The function whose log odds are the mean of those of both."""
    names = dict.fromkeys((*one.weights, *other.weights))
    means = {name: (one.weights.get(name, 0.0) + other.weights.get(name, 0.0)) / 2 for name in names}
    weights = {name: round(mean, DECIMALS) for name, mean in means.items()}
    return Logistic(intercept=round((one.intercept + other.intercept) / 2, DECIMALS), weights=weights)


Weights = TypeVar("Weights", bound=msgspec.Struct)


def mean_of_weights(before: Weights, fitted: Weights) -> Weights:
    """The mean of each function of two files of weights; `fitted_on` names both."""
    ours, theirs = msgspec.structs.asdict(before), msgspec.structs.asdict(fitted)
    means: dict[str, object] = {
        name: _mean_of(ours[name], one) for name, one in theirs.items() if isinstance(one, Logistic)
    }
    told = f"{ours['fitted_on']}; its mean with that of {theirs['fitted_on']}"
    return msgspec.structs.replace(fitted, fitted_on=told, **means)


def fit_for(
    names: Sequence[str], examples: Sequence[SignalExample], speak_for: Collection[str], *, ridge: float
) -> Logistic:
    """The function of least loss without those signals of `speak_for` that would speak against: the right unit never does, whatever
    a few hundred examples say."""
    left_out: set[str] = set()
    while True:
        kept = [
            msgspec.structs.replace(
                one, signals=tuple(0.0 if n in left_out else v for n, v in zip(names, one.signals, strict=True))
            )
            for one in examples
        ]
        fitted = fit_logistic(names, kept, ridge=ridge)
        wrong = {name for name in speak_for if fitted.weights.get(name, 0.0) < 0} - left_out
        if not wrong:
            return fitted
        left_out |= wrong


LEVEL_STEPS = 50


def levelled(function: Logistic, names: Sequence[str], examples: Sequence[SignalExample], *, ridge: float) -> Logistic:
    """The function with that intercept, its weights as they are, which has the least loss on these examples; `ridge` is the penalty on
    the square of the change."""
    odds, level = [function.log_odds(names, one.signals) for one in examples], 0.0
    for _ in range(LEVEL_STEPS):
        chances = [chance_of(one + level) for one in odds]
        slope = sum(one.weight * (chance - one.right) for chance, one in zip(chances, examples, strict=True))
        bend = sum(one.weight * chance * (1 - chance) for chance, one in zip(chances, examples, strict=True))
        level -= (slope + ridge * level) / (bend + ridge)
    return msgspec.structs.replace(function, intercept=round(function.intercept + level, DECIMALS))
