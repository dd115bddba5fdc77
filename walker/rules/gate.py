"""Read the text, glance at what it does not reach, or show the picture to a vision model: decided page by page.

A cascade (V-GEMS section 3.3 has one threshold and one step): the built-in eye is asked before a model is, and only about the
rectangles that the text does not reach.
"""

from __future__ import annotations

import math
from typing import Literal

import msgspec

from walker.settings import GateWeights

Choice = Literal["read", "glance", "look"]


class GateInputs(msgspec.Struct, frozen=True, kw_only=True):
    """What speaks for and against the text of a page."""

    understanding: float
    """Score 0..100."""
    answered: float = 0.0
    blind: float = 0.0
    gap: float = 0.0
    has_pictures: bool = False
    """There is something to look at."""
    challenge: bool = False
    """The page checks whether a person is there. That is told, and never solved."""


class GateDecision(msgspec.Struct, frozen=True, kw_only=True):
    """The choice and everything it came from. `trust` is the chance, 0..100, that the text is enough."""

    choice: Choice
    trust: float
    threshold: float
    reason: str
    terms: dict[str, float] = {}
    """What each input adds to the log odds."""


def trust_in_text(inputs: GateInputs, weights: GateWeights) -> tuple[float, dict[str, float]]:
    """The chance 0..100 that the text is enough, and the terms of its log odds."""
    terms = {
        "intercept": weights.intercept,
        "understanding": weights.understanding * inputs.understanding / 100,
        "answered": weights.answered * inputs.answered,
        "blind": weights.blind * inputs.blind,
        "gap": weights.gap * inputs.gap,
    }
    odds = max(-30.0, min(30.0, sum(terms.values())))
    return round(100 / (1 + math.exp(-odds)), 3), {name: round(value, 3) for name, value in terms.items()}


def lowered(threshold: float, left: float) -> float:
    """A threshold when only a share 0..1 of the budget is left: full down to a half, then falling with it to a half of itself."""
    return round(threshold * min(1.0, 0.5 + left), 3)


def decide_glance(inputs: GateInputs, weights: GateWeights, threshold: float, *, may_look: bool) -> GateDecision:
    """First step: glance where the text is not trusted and there is something to see."""
    trust, terms = trust_in_text(inputs, weights)
    choice: Choice = "read"
    if trust >= threshold:
        reason = "the text carries the page"
    elif not may_look:
        reason = "vision is switched off"
    elif inputs.challenge:
        reason = "the page checks for a person; its picture is not read"
    elif not inputs.has_pictures:
        reason = "the text is not trusted, but the page has nothing to look at"
    else:
        choice, reason = "glance", _why(terms)
    return GateDecision(choice=choice, trust=trust, threshold=threshold, reason=reason, terms=terms)


def decide_look(inputs: GateInputs, weights: GateWeights, threshold: float, *, has_model: bool) -> GateDecision:
    """Second step, after a glance: ask the vision model where what was read is still not trusted."""
    trust, terms = trust_in_text(inputs, weights)
    choice: Choice = "read"
    if trust >= threshold:
        reason = "what was read in the picture is enough"
    elif not has_model:
        reason = "no vision model is set; what was read in the picture is all"
    else:
        choice, reason = "look", _why(terms)
    return GateDecision(choice=choice, trust=trust, threshold=threshold, reason=reason, terms=terms)


def _why(terms: dict[str, float]) -> str:
    """The input that speaks most against the text, else what is missing for it."""
    against = min(("blind", "gap"), key=lambda name: terms[name])
    if terms[against] < -1:
        return {
            "blind": "what is asked for may stand where the text does not reach",
            "gap": "the text does not speak of what is asked for",
        }[against]
    return "the text gives no answer that is sure" if terms["answered"] < 1.5 else "the text is poor"
