"""The chance that an answer is right that stands in a picture only: that its line was read rightly, and that it is what is
asked for, each a logistic function of what speaks for it.

The weights are data, `pictured_weights.json`; `bench/fit_pictured.py` fits them. Those of prose fit badly: prose of other
pages is as likely as ever and says nothing of what a picture shows.
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

from memory.findings import PictureSigns
from walker.strategies.answers.answer_chance import Logistic, log_odds_of, packaged_weights

READING_SIGNALS = ("sure", "clear", "small")
"""Log odds of the confidence of OCR in the line, and of its picture's lines in the median: where print is read badly some line
is misread surely; and how small the line is."""
PICTURED_SIGNALS = ("own", "margin", "left", "fit", "unsaid", "pointed", "below", "line")
"""Log odds of its own chance; how far they are above those of the next other answer that stands in a picture; log odds of what all
other findings leave it; how well its picture fits the question, what the question names that neither picture nor page says,
how plainly it points to one; and whether the answer stands below a label that does not say what is asked for, or is a line
with words of the question."""
LARGE_PIXELS = 14.0
"""Pixels of a line from which it is not small; one whose height is not known is none."""


class PicturedWeights(msgspec.Struct, frozen=True, kw_only=True):
    """The fitted weights, and what they were fitted on."""

    fitted_on: str
    reading: Logistic
    """Of a line that was read: that it is so letter by letter."""
    answer: Logistic
    """Of the best answer of a walk, where it stands in a picture only and was read rightly."""


@lru_cache(maxsize=1)
def pictured_weights() -> PicturedWeights:
    """The weights that the package holds."""
    return packaged_weights("walker.strategies.pictured", "pictured_weights.json", PicturedWeights)


def reading_signals(sure: float, clear: float, pixels: float) -> tuple[float, ...]:
    """What `READING_SIGNALS` names; confidences 0..1, height in pixels, 0 where it is not known."""
    small = max(0.0, 1 - pixels / LARGE_PIXELS) if pixels else 0.0
    return log_odds_of(sure), log_odds_of(clear), small


def reading_chance(signs: PictureSigns) -> float:
    """The chance, 0..1, that the line of an answer was read rightly."""
    signals = reading_signals(signs.sure, signs.clear, signs.pixels)
    return pictured_weights().reading.chance(READING_SIGNALS, signals)


def signals_of_signs(signs: PictureSigns) -> tuple[float, ...]:
    """What `PICTURED_SIGNALS` names from "fit" on."""
    is_below, is_line = signs.place == "below" and not signs.named, signs.place == "line"
    return signs.fit, signs.unsaid, signs.pointed, float(is_below), float(is_line)


msgspec.json.Decoder(PicturedWeights)  # described at import: docs/design/msgspec.md
