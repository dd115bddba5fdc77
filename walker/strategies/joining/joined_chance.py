"""The chance that an answer of several parts is right, as logistic functions of what speaks for its parts.

The weights are data, `joined_weights.json`; `bench/fit_joined.py` fits them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import msgspec

from walker.strategies.answers.answer_chance import Logistic, log_odds_of, packaged_weights

PAIR_SIGNALS = ("left", "margin", "weaker", "choice", "taken")
"""Of what is computed from two values: log odds of the chance that all other pairs leave the best one and those of the same
answer; its lead before the next other answer; log odds of the less sure value; whether the answer is one of two that are
offered; whether the values differ in the way that the question takes for granted ("how much longer is")."""
CHAIN_SIGNALS = ("all", "weaker")
"""Of answers that are found one after the other, or side by side: log odds of the chance that all parts are right, and of the
least sure one."""


class JoinedWeights(msgspec.Struct, frozen=True, kw_only=True):
    """The fitted weights, and what they were fitted on."""

    fitted_on: str
    pair: Logistic
    chain: Logistic


@lru_cache(maxsize=1)
def joined_weights() -> JoinedWeights:
    """The weights that the package holds."""
    return packaged_weights("walker.strategies.joining", "joined_weights.json", JoinedWeights)


def pair_chance(signals: Sequence[float]) -> float:
    """The chance of what is computed, by what `PAIR_SIGNALS` names."""
    return joined_weights().pair.chance(PAIR_SIGNALS, signals)


def chain_chance(sure: Sequence[float]) -> float:
    """The chance that all parts are right, of the chances of each; 0 where one has no answer."""
    return joined_weights().chain.chance(CHAIN_SIGNALS, chain_signals(sure)) if all(sure) else 0.0


def chain_signals(sure: Sequence[float]) -> tuple[float, ...]:
    """What `CHAIN_SIGNALS` names."""
    return log_odds_of(math.prod(sure)), log_odds_of(min(sure))


msgspec.json.Decoder(JoinedWeights)  # described at import: docs/design/msgspec.md
