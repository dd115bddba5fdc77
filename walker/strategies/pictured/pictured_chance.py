"""The chance that an answer is right that stands in a picture only, as a logistic function of what speaks for it.

The weights are data, `pictured_weights.json`; `bench/fit_pictured.py` fits them. Those of prose fit badly: prose of other
pages is as likely as ever and says nothing of what a picture shows.
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

from memory.findings import PicturePlace, PictureSigns
from walker.strategies.answers.answer_chance import Logistic, log_odds_of, packaged_weights

PLACES: tuple[PicturePlace, ...] = ("below", "line")
PICTURED_SIGNALS = ("own", "margin", "left", "sure", "small", "fit", "unsaid", "pointed", *PLACES)
"""Log odds of its own chance; how far they are above those of the next other answer that stands in a picture; log odds of what all
other findings leave it; log odds of the confidence of OCR in its line; how small that is; how well its picture fits the question, what
the question names that neither picture nor page says, how plainly it points to one; and whether the answer stands below its
label, or is a line with words of the question, which is right less often than what stands beside a label, or in a cell."""
LARGE_PIXELS, UNKNOWN_SMALL = 14.0, 0.3
"""Pixels of a line from which it is not small; how small one is taken to be whose height is not known."""


class PicturedWeights(msgspec.Struct, frozen=True, kw_only=True):
    """The fitted weights, and what they were fitted on."""

    fitted_on: str
    answer: Logistic
    """Of the best answer of a walk, where it stands in a picture only."""


@lru_cache(maxsize=1)
def pictured_weights() -> PicturedWeights:
    """The weights that the package holds."""
    return packaged_weights("walker.strategies.pictured", "pictured_weights.json", PicturedWeights)


def signals_of_signs(signs: PictureSigns) -> tuple[float, ...]:
    """What `PICTURED_SIGNALS` names from "sure" on."""
    small = max(0.0, 1 - signs.pixels / LARGE_PIXELS) if signs.pixels else UNKNOWN_SMALL
    places = (float(signs.place == place) for place in PLACES)
    return log_odds_of(signs.sure), small, signs.fit, signs.unsaid, signs.pointed, *places


msgspec.json.Decoder(PicturedWeights)  # described at import: docs/design/msgspec.md
