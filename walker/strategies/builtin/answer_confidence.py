"""The chance that the best answer of a walk is right: by its own chance, its lead over the next one, and how often it was found."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory.counting.counter import Counter
from memory.findings import Finding
from walker.strategies.answers.answer_chance import answer_weights, log_odds_of
from walker.strategies.answers.conflicts import are_at_odds

ANSWER_SIGNALS = ("best", "margin", "support")
"""Log odds of the best finding; how far they are above those of the next other answer; further pages that say the same, up to 3."""
OPEN = 0.5
"""Worth of a count whose end was not seen."""
MOST_MARGIN = 4.0
MOST_SUPPORT = 3
HAIR = 0.1
"""Lead in log odds below which two answers that cannot both be right are a tie: at even odds one in forty."""
TIED = 0.49
"""Most chance of one of two tied answers: of two that are equally likely, one is right at most. With more it is less."""


def answer_signals(findings: Sequence[Finding], part: int) -> tuple[float, ...] | None:
    """What `ANSWER_SIGNALS` names for the best answer to a part; None if there is none."""
    ordered = sorted((one for one in findings if one.part == part), key=lambda one: -one.score)
    if not ordered:
        return None
    best = ordered[0]
    others = [one for one in ordered[1:] if not says_the_same(best.text, one.text)]
    margin = log_odds_of(best.score) - log_odds_of(others[0].score) if others else MOST_MARGIN
    pages = {one.url for one in ordered if says_the_same(best.text, one.text)}
    return log_odds_of(best.score), min(MOST_MARGIN, margin), float(min(MOST_SUPPORT, len(pages) - 1))


def confidence_in(findings: Sequence[Finding], part: int) -> float:
    """The chance, 0..1, that the best answer to a part is right; 0 if there is none."""
    chance = _chance(findings, part)
    tied = _tied(findings, part) if chance else 0
    return min(chance, 2 * TIED / (1 + tied)) if tied else chance


def _chance(findings: Sequence[Finding], part: int) -> float:
    """The fitted chance, whatever is tied."""
    signals = answer_signals(findings, part)
    return 0.0 if signals is None else answer_weights().answer.chance(ANSWER_SIGNALS, signals)


def _tied(findings: Sequence[Finding], part: int) -> int:
    """How many other answers are within a hair of the best, cannot be right if it is; 0 where a further page says what the best
    does."""
    best, *others = sorted((one for one in findings if one.part == part), key=lambda one: -one.score)
    near = [one for one in others if log_odds_of(best.score) - log_odds_of(one.score) < HAIR]
    rivals = {one.text: one.url for one in near if are_at_odds(best.text, one.text)}
    pages = {one.url for one in others if says_the_same(best.text, one.text)} | {best.url}
    return 0 if len(pages) > 1 else len(rivals)


def count_confidence(counter: Counter, findings: Sequence[Finding]) -> float:
    """The chance, 0..1, that what was counted is right: that of its list, and less while the count is open."""
    return round(_chance(findings, 0) * (1.0 if counter.done else OPEN), 3)


def says_the_same(one: str, other: str) -> bool:
    """Whether two answers are one: equal but for signs, or one within the other."""
    plain, wider = sorted((_plain(one), _plain(other)), key=len)
    return bool(plain) and re.search(rf"(?<!\w){re.escape(plain)}(?!\w)", wider) is not None


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))
