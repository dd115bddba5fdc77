"""Findings for the same part of a question that say different things."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from rapidfuzz import fuzz

from memory.counting.requirement import read_requirement
from memory.findings import Finding
from memory.words import lazy_re
from walker.strategies.values.polarity import verdict_in
from walker.strategies.values.value_kinds import Days, Measure, Value
from walker.strategies.values.written_values import is_same, only_value

MOST = 3
"""Pairs that are told; more say no more than these."""
LEAST_SCORE = 0.5
"""Confidence from which a finding counts."""
LEAST_SCORE_OF_ONE = 0.7
"""The same for a question of one part: its findings are all compared, and may be several facts that it needs."""
NAME_WORDS = 5
SPELLINGS = 85.0
"""Likeness, 0..100, from which two names are spellings of one."""
_NAME = lazy_re.compile(r"[^\W\d_]")


_IS_ONE = "(?:is|was|has|does)"
_SEVERAL = lazy_re.compile(
    rf"\bwho (?:are|were)\b|\b(?:which|what) (?!{_IS_ONE}\b)(?:\w+ (?!{_IS_ONE}\b))??\w+[^\Ws]s\b(?! {_IS_ONE}\b)"
    r"|\bwer (?:sind|waren)\b|\bwelche \w+en\b|\bquel(?:le)?s\b|\bcuáles\b|\bquiénes\b|\bquais\b|\bquali\b|哪些|哪几|分别",
    re.IGNORECASE,
)
"""Questions for several things that no counter counts."""


def asks_for_several(text: str, language: str = "en") -> bool:
    """Whether a question, or a part of one, wants several names: then two of them are no conflict."""
    return _SEVERAL.search(text) is not None or read_requirement(text, language).mode != "none"


def conflicts_of(
    findings: Sequence[Finding], language: str = "en", *, parts: int = 1, names: Sequence[Sequence[str]] = ()
) -> tuple[tuple[int, int], ...]:
    """Pairs of places, in order, of findings that answer the same part for the same subject and differ: in a number of the same
    unit, a date, a version, or a short name that is no other spelling. What gives no single value, or another kind of value, is not
    compared. `parts`: of the question; where it has one, findings of different pages are compared. `names`: of the question, each
    with its other spellings; findings beside which different ones stand are about different subjects."""
    least = LEAST_SCORE if parts > 1 else LEAST_SCORE_OF_ONE
    sure = [place for place, finding in enumerate(findings) if finding.score >= least]
    values = {place: only_value(findings[place].text, language) for place in sure}
    pairs = (
        (one, other)
        for one, other in itertools.combinations(sure, 2)
        if _answer_the_same(findings[one], findings[other], parts)
        and not _are_apart(findings[one], findings[other], names)
        and _differ(findings[one].text, findings[other].text, values[one], values[other])
    )
    return tuple(itertools.islice(pairs, MOST))


def are_at_odds(one: str, other: str, language: str = "en") -> bool:
    """Whether two answers to the same cannot both be right: yes and no, numbers of one unit, dates, versions or short names that
    differ."""
    said, other_said = verdict_in(one), verdict_in(other)
    if said is not None and other_said is not None:
        return said != other_said
    return _differ(one, other, only_value(one, language), only_value(other, language))


def says_the_same(one: str, other: str) -> bool:
    """Whether two answers are one: equal but for signs, one within the other, one value ("31 metres", "31 m"), or both yes or both
    no."""
    said, other_said = verdict_in(one), verdict_in(other)
    if said is not None and other_said is not None:
        return said == other_said
    plain, wider = sorted((_plain(one), _plain(other)), key=len)
    if plain and re.search(rf"(?<!\w){re.escape(plain)}(?!\w)", wider) is not None:
        return True
    value, other_value = only_value(one, "en"), only_value(other, "en")
    return value is not None and other_value is not None and is_same(value, other_value)


def _answer_the_same(one: Finding, other: Finding, parts: int) -> bool:
    if parts > 1:
        return len(one.parts) == 1 and one.parts == other.parts
    return one.url != other.url


def _are_apart(one: Finding, other: Finding, names: Sequence[Sequence[str]]) -> bool:
    """Whether they are about different subjects: names of the question stand beside both, and none beside both of them; or they are
    entries of one list, below one heading."""
    if one.heading and one.heading == other.heading and one.url == other.url and one.quote != other.quote:
        return True
    first, second = _named_beside(one, names), _named_beside(other, names)
    return bool(first and second) and not first & second


def _named_beside(finding: Finding, names: Sequence[Sequence[str]]) -> frozenset[int]:
    said = f"{finding.heading} {finding.before} {finding.quote}".casefold()
    return frozenset(
        place for place, spellings in enumerate(names) if any(name.casefold() in said for name in spellings)
    )


def _differ(one: str, other: str, value: Value | None, other_value: Value | None) -> bool:
    if value is None and other_value is None:
        return _are_names(one, other) and fuzz.token_set_ratio(one.casefold(), other.casefold()) < SPELLINGS
    if value is None or other_value is None or type(value) is not type(other_value):
        return False
    if isinstance(value, Measure) and isinstance(other_value, Measure):
        same_kind = value.unit == other_value.unit or "" in (value.unit, other_value.unit)
        return same_kind and not is_same(value, other_value)
    if isinstance(value, Days) and isinstance(other_value, Days):
        # A month and a day in it are one date, told more or less exactly.
        return value.last < other_value.first or other_value.last < value.first
    return not is_same(value, other_value)


def _are_names(one: str, other: str) -> bool:
    return all(
        _NAME.search(text) and len(text.split()) <= NAME_WORDS and not re.search(r"[\d;,，；、]", text)
        for text in (one, other)
    )


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))
