"""The chance that a list is meant, and what an answer by a list is worth, as logistic functions of what speaks for it.

The weights are data, `list_weights.json`; `bench/fit_lists.py` fits them.
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

from walker.strategies.answers.answer_chance import Logistic, log_odds_of, packaged_weights

BESIDE_SIGNALS = ("list", "asks_list", "agrees")
"""Of a list beside passages that may state the number: log odds of its chance among lists; whether the question says that the things
are listed; whether a passage of the page states the same number, which is then a finding of its own."""

COUNT_SIGNALS = ("left", "margin", "pages", "own", "asks_list")
"""Of an answer by a counted list: those of any answer (`answer_confidence.py`), and whether the question
says that the things are listed."""


class ListWeights(msgspec.Struct, frozen=True, kw_only=True):
    """The fitted weights, and what they were fitted on."""

    fitted_on: str
    near: Logistic
    """Of a list among the likeliest of its page, by words."""
    read: Logistic
    """The same with what a reader makes of it."""
    beside: Logistic
    """Of a list among all that may say how many."""
    quota: Logistic
    """Of the best answer of a walk that names some."""
    count: Logistic
    """Of the best answer of a walk that counts a list."""


@lru_cache(maxsize=1)
def list_weights() -> ListWeights:
    """The weights that the package holds."""
    return packaged_weights("walker.strategies.builtin", "list_weights.json", ListWeights)


def chance_beside(chance: float, *, asks_list: bool, agrees: bool) -> float:
    """The chance of a list that a "how many" question may mean, beside sentences that may state the number."""
    return list_weights().beside.chance(BESIDE_SIGNALS, beside_signals(chance, asks_list=asks_list, agrees=agrees))


def beside_signals(chance: float, *, asks_list: bool, agrees: bool) -> tuple[float, ...]:
    """What `BESIDE_SIGNALS` names."""
    return log_odds_of(chance), float(asks_list), float(agrees)


msgspec.json.Decoder(ListWeights)  # described at import: docs/design/msgspec.md
