"""The chance that an answer is right that was read in a picture, as a logistic function of what speaks for it.

The weights are data, `pictured_weights.json`; `bench/fit_pictured.py` fits them. Those of prose fit badly: what prose of other pages
says is as likely as ever, and nothing of what is asked.
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

from walker.strategies.answers.answer_chance import Logistic, packaged_weights

PICTURED_SIGNALS = ("own", "margin", "rivals")
"""Log odds of its own chance; how far they are above those of the next other answer that was read in a picture; and log odds of what
all other findings leave it."""


class PicturedWeights(msgspec.Struct, frozen=True, kw_only=True):
    """The fitted weights, and what they were fitted on."""

    fitted_on: str
    answer: Logistic
    """Of the best answer of a walk, where it was read in a picture."""


@lru_cache(maxsize=1)
def pictured_weights() -> PicturedWeights:
    """The weights that the package holds."""
    return packaged_weights("walker.strategies.pictured", "pictured_weights.json", PicturedWeights)


msgspec.json.Decoder(PicturedWeights)  # described at import: docs/design/msgspec.md
