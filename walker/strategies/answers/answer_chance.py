"""The chance that a passage or a span of it answers a question, as a logistic function of what speaks for it.

The weights are data: `answer_weights.json`, and `read_weights.json` for what a reader has read; `bench/fit_answers.py` fits both.
`walker calibrate --answers` shows what they are worth.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple, TypeVar

import msgspec

from walker.strategies.answers.evidence import WeighedPassage
from walker.strategies.answers.extraction import SPAN_SIGNALS, SpanCandidate
from walker.strategies.question.answer_type import AnswerType

T = TypeVar("T")
PASSAGE_SIGNALS = (
    "own", "near", "above", "title", "page", "named", "pairs", "meaning",
    "page_fit", "length", "hidden", "margin", "value", "asks", "no_span", "span", "counted", "closeness", "words",
)  # fmt: skip
"""Where the question's words are met (see `WeighedPassage`); likeness in meaning; fit of the page that the question names, less 0.5;
length; whether it is hidden, in the margin, a cell or definition, itself a question; whether it has no span of a type that has a
form of its own, and else the chance of its best span; nearness of the counted noun to the best span of a number; how many words of
the question are around that span; likeness in meaning word by word."""
READ_SPAN_SIGNALS = (*SPAN_SIGNALS, "read")
"""With the log probability that the reader gives the span, as a share of `MOST_LOG`."""
READ_PASSAGE_SIGNALS = (*PASSAGE_SIGNALS, "read", "read_span")
"""With the reader's log odds that the text around the passage answers, as a share of `MOST_LOG`, and what it gives the best span."""
MOST_LOG = 10.0
FORMED = frozenset(
    ("number", "year", "date", "time", "version", "person", "code", "email", "phone", "url", "expansion")
)
"""Types of answers that have a form of their own."""
LONG_WORDS = 60


class Logistic(msgspec.Struct, frozen=True, kw_only=True):
    """A logistic function of named signals."""

    intercept: float
    weights: dict[str, float]

    def log_odds(self, names: Sequence[str], signals: Sequence[float]) -> float:
        """Log odds; a signal without a weight counts nothing."""
        return self.intercept + sum(
            self.weights.get(name, 0.0) * value for name, value in zip(names, signals, strict=True)
        )

    def chance(self, names: Sequence[str], signals: Sequence[float]) -> float:
        """The chance, 0..1."""
        return chance_of(self.log_odds(names, signals))


class Likeness(NamedTuple):
    """Likeness in meaning of a passage to the question, 0..1: of both as a whole, and word by word."""

    whole: float
    words: float


class AnswerWeights(msgspec.Struct, frozen=True, kw_only=True):
    """The fitted weights, and what they were fitted on."""

    fitted_on: str
    span: Logistic
    """Of a span, in a passage that holds the answer."""
    passage: Logistic
    """Of a passage."""
    answer: Logistic
    """Of the best answer of a walk."""


@lru_cache(maxsize=2)
def answer_weights(*, read: bool = False) -> AnswerWeights:
    """The weights that the package holds; `read`: those for texts that a reader has read."""
    name = "read_weights.json" if read else "answer_weights.json"
    return packaged_weights("walker.strategies.answers", name, AnswerWeights)


def packaged_weights(package: str, name: str, kind: type[T]) -> T:
    """Fitted weights from the file of a package."""
    return msgspec.json.decode(files(package).joinpath(name).read_bytes(), type=kind)


def chance_of(log_odds: float) -> float:
    """The logistic function."""
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, log_odds))))


def chances_among(log_odds: Sequence[float]) -> list[float]:
    """The chance of each of several of which one is meant at most, from their log odds against that none is (conditional logit)."""
    odds = [math.exp(max(-30.0, min(30.0, one))) for one in log_odds]
    every = 1 + sum(odds)
    return [one / every for one in odds]


def log_odds_of(chance: float) -> float:
    """The inverse of `chance_of`, bounded."""
    bounded = min(0.999, max(0.001, chance))
    return math.log(bounded / (1 - bounded))


def finding_score(chance: float) -> float:
    """The score of a finding, 0..1: the root of its chance. Few passages of many answer, so chances are small; the gate was fitted to
    scores that are not."""
    return round(math.sqrt(chance), 4)


def found_chance(score: float) -> float:
    """The chance that stands behind the score of a finding."""
    return score * score


def span_chance(span: SpanCandidate) -> float:
    """The chance that a span is the answer, if its passage holds it."""
    return signals_chance(span.signals)


def signals_chance(signals: Sequence[float]) -> float:
    """The same of a span's signals, with the reader's or without."""
    read = len(signals) == len(READ_SPAN_SIGNALS)
    return answer_weights(read=read).span.chance(READ_SPAN_SIGNALS if read else SPAN_SIGNALS, signals)


def read_signal(log: float) -> float:
    """A logarithm of the reader as a signal, -1..1."""
    return max(-MOST_LOG, min(MOST_LOG, log)) / MOST_LOG


def passage_signals(
    weighed: WeighedPassage, wanted: AnswerType, span: SpanCandidate | None, fit: float, likeness: Likeness
) -> tuple[float, ...]:
    """What `PASSAGE_SIGNALS` names; `span`: its best, None if it has none."""
    passage = weighed.passage
    best_span = span_chance(span) if span is not None else None
    of_span = dict(zip(SPAN_SIGNALS, span.signals, strict=False)) if span is not None else {}
    is_formed = wanted.kind in FORMED
    return (
        weighed.own,
        weighed.near,
        weighed.above,
        weighed.title,
        weighed.page,
        weighed.named,
        weighed.pairs,
        likeness.whole,
        fit - 0.5,
        min(1.0, len(passage.text.split()) / LONG_WORDS),
        float(passage.hidden),
        float(passage.margin),
        float(passage.is_value),
        float(passage.text.rstrip().endswith(("?", "？"))),
        float(is_formed and best_span is None),
        best_span or 0.0,
        of_span.get("noun", 0.0) if wanted.kind == "number" and wanted.noun else 0.5,
        of_span.get("closeness", 0.0),
        likeness.words,
    )


def passage_chance(signals: Sequence[float]) -> float:
    """The chance that a passage holds the answer, by its signals, with the reader's or without."""
    read = len(signals) == len(READ_PASSAGE_SIGNALS)
    return answer_weights(read=read).passage.chance(READ_PASSAGE_SIGNALS if read else PASSAGE_SIGNALS, signals)


msgspec.json.Decoder(AnswerWeights)  # described at import: docs/design/msgspec.md
