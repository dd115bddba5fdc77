"""The chance that the best answer of a walk is right: what the other answers leave it, its lead, and how often it was found."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from memory.counting.counter import Counter
from memory.findings import Finding, PictureSigns
from walker.strategies.answers.answer_chance import answer_weights, found_chance, log_odds_of
from walker.strategies.answers.conflicts import are_at_odds, says_the_same
from walker.strategies.builtin.list_chance import COUNT_SIGNALS, list_weights
from walker.strategies.pictured.pictured_chance import (
    PICTURED_SIGNALS,
    pictured_weights,
    reading_chance,
    signals_of_signs,
)

ANSWER_SIGNALS = ("left", "margin", "pages", "own")
"""Log odds of the chance that all other findings leave the best one and those that say the same; how far its own are above those of
the next other answer; pages that gave a finding, as a share of `MANY_PAGES`: where few were read, little competes; its own log odds,
which a sentence that stands on many pages does not raise and many a page read does not lower, or its lead before an answer that cannot
be right beside it, where that is less."""
FOLLOWED = 0.7
"""Least chance of a count of as many entries as the list itself says that it has, or that was followed over pages to its end."""
OPEN = 0.5
"""Worth of a count whose end was not seen."""
MOST_MARGIN = 4.0
MANY_PAGES = 5
HAIR = 0.1
"""Lead in log odds below which two answers that cannot both be right are a tie: at even odds one in forty."""
CLOSE = math.log(2)
"""Lead in log odds below which another answer is told beside one that is not sure: the best is less than twice as likely. Two
sentences that differ in a name alone have a lead of 0.4, for instance."""
TIED = 0.49
"""Most chance of one of two tied answers: of two that are equally likely, one is right at most. With more it is less."""

AGREEING = 60
"""Most characters of an answer that another one agrees with: a sentence holds many a value."""
COMPARED = 8
"""Likeliest answers that are compared with each other; what is less likely adds little."""


def best_answer(findings: Sequence[Finding], part: int) -> Finding | None:
    """The best answer to a part: by its odds, and by those of short answers of all pages that say the same, at equal weight. Of 711
    questions of building sites and written ones 397 are answered rightly, as by its own odds alone; handbooks, which say a thing on
    many pages, gain ("4 spaces" on two pages comes before "two" on one)."""
    compared = [(one, _odds(one)) for one in _likeliest_first(findings, part)[:COMPARED]]
    if not compared:
        return None
    return max(compared, key=lambda pair: pair[1] * _agreeing_odds(pair[0], compared))[0]


def _likeliest_first(findings: Sequence[Finding], part: int) -> list[Finding]:
    return sorted((one for one in findings if one.part == part), key=lambda one: -one.score)


def _odds(one: Finding) -> float:
    return math.exp(log_odds_of(found_chance(one.score)))


def _agreeing_odds(one: Finding, others: Sequence[tuple[Finding, float]]) -> float:
    """The odds of those that say the same, of each page the best."""
    by_page: dict[str, float] = {}
    for other, odds in others:
        is_short = max(len(one.text), len(other.text)) <= AGREEING
        if other.text == one.text or (is_short and says_the_same(one.text, other.text)):
            by_page[other.url] = max(by_page.get(other.url, 0.0), odds)
    return sum(by_page.values())


def answer_signals(
    findings: Sequence[Finding], part: int, counted: frozenset[str] = frozenset()
) -> tuple[float, ...] | None:
    """What `ANSWER_SIGNALS` names for the best answer to a part; None if there is none. `counted`: quotes of entries that
    were counted, and their number; what quotes one or says the number says the same."""
    ordered, best = _likeliest_first(findings, part), best_answer(findings, part)
    if best is None:
        return None
    best = next((one for one in ordered if one.quote in counted), best)
    odds = [_odds(one) for one in ordered]
    same = [bool(counted.intersection((one.quote, one.text))) or says_the_same(best.text, one.text) for one in ordered]
    left = sum(one for one, is_same in zip(odds, same, strict=True) if is_same) / (1 + sum(odds))
    others = [one for one, is_same in zip(odds, same, strict=True) if not is_same]
    own = log_odds_of(found_chance(best.score))
    margin = own - math.log(others[0]) if others else MOST_MARGIN
    read = min(1.0, len({one.url for one in ordered}) / MANY_PAGES)
    compared = zip(odds[:COMPARED], ordered, strict=False)
    rival = next((one for one, other in compared if are_at_odds(best.text, other.text)), 1.0)
    return log_odds_of(left), min(MOST_MARGIN, margin), read, own - max(0.0, math.log(rival))


def pictured_signals(findings: Sequence[Finding], best: Finding, signs: PictureSigns) -> tuple[float, ...]:
    """What `PICTURED_SIGNALS` names for the best answer to a part, which stands in a picture only; `signs`: what speaks for it."""
    signals, own = answer_signals(findings, best.part), log_odds_of(found_chance(best.score))
    others = [
        log_odds_of(found_chance(one.score))
        for one in findings
        if one.part == best.part and one.pictured is not msgspec.UNSET and not says_the_same(best.text, one.text)
    ]
    margin = min(MOST_MARGIN, own - max(others)) if others else MOST_MARGIN
    return own, margin, signals[0] if signals else own, *signals_of_signs(signs)


def list_confidence(findings: Sequence[Finding], *, is_quota: bool, asks_list: bool) -> float:
    """The chance, 0..1, that the best answer, a list, is right; less where another is as likely."""
    signals = answer_signals(findings, 0)
    if signals is None:
        return 0.0
    chance = _list_chance(signals, is_quota=is_quota, asks_list=asks_list)
    return _left_by(tied_findings(findings, 0), chance)


def _list_chance(signals: tuple[float, ...], *, is_quota: bool, asks_list: bool) -> float:
    if is_quota:
        return list_weights().quota.chance(ANSWER_SIGNALS, signals)
    return list_weights().count.chance(COUNT_SIGNALS, (*signals, float(asks_list)))


def confidence_in(findings: Sequence[Finding], part: int, *, read: bool = False) -> float:
    """The chance, 0..1, that the best answer to a part is right; 0 if there is none. `read`: a reader has read them."""
    chance = _chance(findings, part, read=read)
    return _left_by(tied_findings(findings, part), chance) if chance else 0.0


def _chance(findings: Sequence[Finding], part: int, *, read: bool = False) -> float:
    """The fitted chance, whatever is tied."""
    best = best_answer(findings, part)
    if best is not None and best.pictured is not msgspec.UNSET:
        of_picture = pictured_signals(findings, best, best.pictured)
        return reading_chance(best.pictured) * pictured_weights().answer.chance(PICTURED_SIGNALS, of_picture)
    signals = answer_signals(findings, part)
    return 0.0 if signals is None else answer_weights(read=read).answer.chance(ANSWER_SIGNALS, signals)


def _left_by(tied: Sequence[Finding], chance: float) -> float:
    """What other answers that are as likely leave of a chance."""
    return min(chance, 2 * TIED / (1 + len(tied))) if tied else chance


def tied_findings(findings: Sequence[Finding], part: int, lead: float = HAIR) -> tuple[Finding, ...]:
    """Other answers to a part behind which the best has no such lead, and that cannot be right if it is, each once; none where a
    further page says what the best does."""
    best = best_answer(findings, part)
    if best is None:
        return ()
    others = [one for one in _likeliest_first(findings, part) if one is not best]
    near = [
        one for one in others if log_odds_of(found_chance(best.score)) - log_odds_of(found_chance(one.score)) < lead
    ]
    rivals: dict[str, Finding] = {}
    for one in near:
        if are_at_odds(best.text, one.text):
            rivals.setdefault(one.text, one)
    pages = {one.url for one in others if says_the_same(best.text, one.text)} | {best.url}
    return () if len(pages) > 1 else tuple(rivals.values())


def count_confidence(counter: Counter, findings: Sequence[Finding], *, asks_list: bool = True) -> float:
    """The chance, 0..1, that what was counted is right: that of its list, and less while the count is open. What is said within one
    of its entries is no number of them all."""
    quotes = {item.quote for item in counter.items}
    counted, entries = frozenset((str(counter.found), *quotes)), "\n".join(quotes)
    of_all = [one for one in findings if one.quote in quotes or one.quote not in entries]
    signals = answer_signals(of_all, 0, counted)
    is_quota = counter.requirement.mode == "quota"
    chance = 0.0 if signals is None else _list_chance(signals, is_quota=is_quota, asks_list=asks_list)
    is_followed = len({item.page_url for item in counter.items}) > 1
    if chance and counter.done and (counter.stated_total == counter.found or (is_followed and counter.complete)):
        chance = max(chance, FOLLOWED)
    return round(chance * (1.0 if counter.done else OPEN), 3)
