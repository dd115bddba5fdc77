"""Chooses the two values of a comparison together: one passage tells one of them, both can be computed with, and pages that are
made alike tell both in the same words."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

from memory.findings import Finding
from memory.words import lazy_re, tokens
from walker.strategies.answers.answer_chance import found_chance, log_odds_of
from walker.strategies.joining.composing import are_as_taken, compose, is_choice, values_of
from walker.strategies.question.question import Question
from walker.strategies.values.value_kinds import Measure
from walker.strategies.values.written_values import only_value

TRIED = 7
"""Best findings of each part that are paired."""
ALIKE = 2.0
"""How much two passages in the same words, numbers aside, raise the log odds of a pair."""

APART = 1.5
"""How much it raises them that each passage names its own thing and not the other one, by the words that only one of them has."""

ONE_UNIT = 1.0
"""How much it raises them that both values are written with the same unit, and how much it takes that they have different ones: of a
building hour and a break of seconds, the hour of the other thing is meant."""
AGAINST = -3.0
"""What it takes from them that two values do not differ as the question takes for granted, or not at all."""
UNEVEN = -4.0
"""What it takes from them that the result is no whole number of the things, days or years of which a number is asked."""
OTHER_SHARE = -3.0
"""What it takes from them that both values are shares in percent and none is asked for, or a share is asked for and one is none."""
MOST_MARGIN = 4.0
_WHOLE_ASKED = lazy_re.compile(
    r"\bhow many (?!(?:of the )?(?:more )?(?:percent|points|seconds|minutes|hours|met|kilo|centi|gram|feet|inch"
    r"|mile|euro|dollar|pound|litre|liter|ton|[gmkt]i?b\b))"
    r"|\bwie ?viele (?!prozent|punkte|sekunde|minute|stunde|meter|kilo|zenti|gramm|euro|liter|tonne|[gmkt]i?b\b)"
    r"|\bcombien (?:de |d['’])(?!pour|points|seconde|minute|heure|m[eè]tre|kilo|centi|gramme|euro|litre|tonne|temps|[gmkt]i?o\b)"
    r"|\bcu[aá]nt[oa]s (?!puntos|segundo|minuto|hora|metro|kil|cent|gramo|euro|litro|tonelada|por\b|[gmkt]i?b\b)"
    r"|[多几少][年天]|几[个人名位本门次场届条票]|多少[个人名位本门次场届条票]",
    re.IGNORECASE,
)
"""Questions for a number of what cannot be halved."""
_SHARE_ASKED = lazy_re.compile(
    r"percent|per cent|prozent|pour ?cent|por ?ciento|porcentaje|%|\b(?:share|rate|discount|rabatt|anteil|remise|réduction"
    r"|descuento|taux|tasa)"
    r"|比例|百分|折扣|[^频概效]率",
    re.IGNORECASE,
)
_FRACTION = lazy_re.compile(r"\d*[.,]\d+")


class Pair(NamedTuple):
    """What was found for each of two things, what code makes of both, and the log odds of both being right."""

    one: Finding
    other: Finding
    answer: str
    log_odds: float


def pairs_of(question: Question, findings: Sequence[Finding]) -> list[Pair]:
    """The pairs that give an answer, those of the likeliest answer first: two pages may tell the same."""
    firsts, seconds = (_best_of(findings, part) for part in (0, 1))
    pairs = []
    for one in firsts:
        for other in seconds:
            if (one.quote, one.url) == (other.quote, other.url) and one.text == other.text:
                continue
            if answer := compose(question, (one.text, other.text), (one.quote, other.quote)):
                odds = _log_odds(one) + _log_odds(other) + ALIKE * likeness(one.quote, other.quote)
                odds += APART * contrast(question, one, other)
                values = _values_of(question, one, other)
                odds += 0.0 if are_as_taken(question, values) else AGAINST
                odds += ONE_UNIT * _have_one_unit(values, question.language)
                odds += UNEVEN * is_uneven(question, answer) + OTHER_SHARE * _is_other_share(question, values)
                pairs.append(Pair(one, other, answer, odds))
    told: dict[str, float] = {}
    for pair in pairs:
        told[pair.answer] = told.get(pair.answer, 0.0) + math.exp(pair.log_odds)
    return sorted(pairs, key=lambda pair: (-told[pair.answer], -pair.log_odds))


def _values_of(question: Question, one: Finding, other: Finding) -> list[str]:
    return values_of(question, (one.text, other.text), (one.quote, other.quote))


def is_uneven(question: Question, answer: str) -> bool:
    """Whether a difference is a fraction of what is counted in whole: a third of a day, half a member."""
    told = answer.partition(" ")[0]
    return (
        question.operation == "difference"
        and _WHOLE_ASKED.search(question.text) is not None
        and _FRACTION.fullmatch(told) is not None
        and "version" not in question.text.lower()
    )


def _is_other_share(question: Question, values: Sequence[str]) -> bool:
    """Whether values are no shares though one is asked for, or are both shares though none is."""
    are_shares = [
        isinstance(value, Measure) and value.unit == "%"
        for value in (only_value(one, question.language) for one in values)
    ]
    if _SHARE_ASKED.search(question.text):
        return not all(are_shares)
    return question.operation in ("difference", "sum") and all(are_shares)


def likeness(one: str, other: str) -> float:
    """Share of the words of two passages that both have, without those that hold digits."""
    first, second = (
        frozenset(word for word in tokens(text) if not any(sign.isdigit() for sign in word)) for text in (one, other)
    )
    return len(first & second) / len(first | second) if first and second else 0.0


def contrast(question: Question, one: Finding, other: Finding) -> float:
    """-1..1: whether passages, with the addresses of their pages, hold the words that only their own thing has, or the
    other's."""
    if len(question.things) != 2:
        return 0.0
    first, second = (frozenset(tokens(thing)) for thing in question.things)
    own, others = first - second, second - first
    if not own or not others:
        return 0.0
    said, told = (_words(f"{found.quote} {_NO_WORD.sub(' ', found.url)}") for found in (one, other))
    right = len(own & said) / len(own) + len(others & told) / len(others)
    wrong = len(others & said) / len(others) + len(own & told) / len(own)
    return (right - wrong) / 2


def _words(text: str) -> frozenset[str]:
    """Words, and numbers without what stands before them ("v.2.0")."""
    return frozenset((*tokens(text), *re.findall(r"\d+(?:\.\d+)*", text)))


_NO_WORD = lazy_re.compile(r"[^\w.]+|_")


def _have_one_unit(values: Sequence[str], language: str) -> int:
    """1 where both values have the same unit, -1 where both have one and it is another."""
    one, other = (only_value(value, language) for value in values)
    if not (isinstance(one, Measure) and isinstance(other, Measure) and one.unit and other.unit):
        return 0
    return 1 if one.unit == other.unit else -1


def pair_signals(question: Question, pairs: Sequence[Pair], findings: Sequence[Finding]) -> tuple[float, ...] | None:
    """What `joined_chance.PAIR_SIGNALS` names for the best pair; None if there is none."""
    if not pairs:
        return None
    best = pairs[0]
    alone = [sum(math.exp(_log_odds(one)) for one in _best_of(findings, part)) for part in (0, 1)]
    odds = [math.exp(pair.log_odds) for pair in pairs]
    same = sum(one for one, pair in zip(odds, pairs, strict=True) if pair.answer == best.answer)
    left = same / (1 + sum(alone) + sum(odds))
    others = [one for one, pair in zip(odds, pairs, strict=True) if pair.answer != best.answer]
    margin = best.log_odds - math.log(max(others)) if others else MOST_MARGIN
    weaker = min(_log_odds(best.one), _log_odds(best.other))
    is_taken = bool(question.first_is) and are_as_taken(question, _values_of(question, best.one, best.other))
    return log_odds_of(left), min(MOST_MARGIN, margin), weaker, float(is_choice(question)), float(is_taken)


def _best_of(findings: Sequence[Finding], part: int) -> list[Finding]:
    """The best findings of a part, each text and page once."""
    kept: dict[tuple[str, str], Finding] = {}
    for one in sorted((one for one in findings if one.part == part), key=lambda one: -one.score):
        kept.setdefault((one.text, one.url), one)
    return list(kept.values())[:TRIED]


def _log_odds(finding: Finding) -> float:
    return log_odds_of(found_chance(finding.score))
