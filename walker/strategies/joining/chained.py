"""Weighs answers to the last part of a chain again, once it is known what the part before names: pages that were read earlier
were read without it."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from memory.findings import Finding
from memory.words import STOP_WORDS, lazy_re, tokens
from walker.strategies.answers.answer_chance import chance_of, finding_score, found_chance, log_odds_of
from walker.strategies.question.question import Question
from walker.strategies.values.value_kinds import Days
from walker.strategies.values.written_values import values_in

NAMED, UNNAMED = 3.0, -2.0
"""What it adds to the log odds of an answer whose passage names what is known, and of one whose passage does not."""
_NAMES = lazy_re.compile(r"\s*(?:[;,，、]|\band\b|\bund\b|\bet\b|\by\b)\s*")
_MONTHS = tuple("January February March April May June July August September October November December".split())
_MONTH = lazy_re.compile(r"\bwhich month\b|哪个?月", re.IGNORECASE)


def known_answer(question: Question, number: int, findings: Sequence[Finding]) -> tuple[str, int]:
    """In a chain, the answer of the part before, which this part is about, and the step at which it was found; "" and 0
    otherwise."""
    if question.operation != "chain" or number == 0:
        return "", 0
    before = max((one for one in findings if one.part == number - 1), key=lambda one: one.score, default=None)
    if before is None:
        return "", 0
    return _as_asked(question.parts[number - 1].text, before.text, question.language), before.step


def weighed_again(question: Question, findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings, those of the last part with what naming the known thing adds, where they were found before it was known."""
    last = len(question.parts) - 1
    known, step = known_answer(question, last, findings)
    if not known:
        return tuple(findings)
    return tuple(_again(one, known) if one.part == last and one.step <= step else one for one in findings)


def _again(finding: Finding, known: str) -> Finding:
    address = re.sub(r"\W|_", " ", finding.url)
    said = frozenset(tokens(f"{finding.quote} {finding.text} {finding.heading} {address}"))
    share = max((_share(name, said) for name in _NAMES.split(known) if name), default=0.0)
    odds = log_odds_of(found_chance(finding.score)) + UNNAMED + (NAMED - UNNAMED) * share
    return msgspec.structs.replace(finding, score=finding_score(chance_of(odds)))


def _share(name: str, said: frozenset[str]) -> float:
    words = frozenset(word for word in tokens(name) if word not in STOP_WORDS)
    return len(words & said) / len(words) if words else 0.0


def _as_asked(asked: str, text: str, language: str) -> str:
    """The answer in the form that is asked for: the month of a date."""
    if not _MONTH.search(asked):
        return text
    day = next((value.first for value in values_in(text, language) if isinstance(value, Days)), None)
    if day is None:
        return text
    return f"{day.month} 月" if language == "zh" else _MONTHS[day.month - 1]
