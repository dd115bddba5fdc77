"""Read the text, or look at the picture: decided for each page from its understanding score (V-GEMS equation 1)."""

from __future__ import annotations

from typing import Literal

import msgspec


class GateDecision(msgspec.Struct, frozen=True, kw_only=True):
    """The choice and everything it came from."""

    choice: Literal["read", "look"]
    score: float
    threshold: float
    reason: str


def decide_modality(score: float, threshold: float, *, has_pictures: bool, may_look: bool) -> GateDecision:
    """Look when the text scores below the threshold and there is something to look at."""
    if score >= threshold:
        return _decision("read", score, threshold, "the text carries the page")
    if not may_look:
        return _decision("read", score, threshold, "vision is switched off")
    if not has_pictures:
        return _decision("read", score, threshold, "low score, but the page has no picture to look at")
    return _decision("look", score, threshold, "the text does not carry the page")


def _decision(choice: Literal["read", "look"], score: float, threshold: float, reason: str) -> GateDecision:
    return GateDecision(choice=choice, score=score, threshold=threshold, reason=reason)
