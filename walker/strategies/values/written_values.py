"""Reads the values that a text states."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache

from memory.words import lazy_re
from walker.strategies.values.units import MONEY_BEFORE, converted, unit_at, unit_of_sign
from walker.strategies.values.value_kinds import Clock, Found, Measure, Unclear, Value, Version
from walker.strategies.values.written_dates import dates_in
from walker.strategies.values.written_numbers import Number, han_numbers_in, in_digits, numbers_in
from walker.strategies.values.written_times import times_in

TEXT_CHARS = 600
_GONE = "\x00"
_VERSION = lazy_re.compile(
    r"(?<![\w.])(?:v(?:ersion)?\.? ?)?(\d+(?:\.\d+){2,})(?![\w]|\.\d)|(?<![\w.])v\.? ?(\d+(?:\.\d+)*)", re.IGNORECASE
)
_JOINED = lazy_re.compile(r"[ ,]*(?:and|und|et|y|e)? *", re.IGNORECASE)
_PERCENT_BEFORE = lazy_re.compile(r"百分之([〇零一二两三四五六七八九十百]+|\d+(?:\.\d+)?)")


def values_in(text: str, language: str = "en") -> tuple[Value, ...]:
    """The values of a text in order, `Unclear` among them for what can be read in two ways. `language`: of the question; it tells
    how digits are grouped and which number words are read."""
    return tuple(one.value for one in found_values(text, language))


@lru_cache(maxsize=1024)
def found_values(text: str, language: str = "en") -> tuple[Found, ...]:
    """The same with their places, which hold for a text without "百分之"."""
    text = text[:TEXT_CHARS].replace("\u2212", "-")
    text = _PERCENT_BEFORE.sub(lambda found: f"{found[1]}%", text)
    found = list(dates_in(text))
    rest = _without(text, found)
    for read in (_versions, times_in):
        more = read(rest)
        found += more
        rest = _without(rest, more)
    measures = _measures(rest, numbers_in(rest, language))
    rest = _without(rest, measures)
    if re.search(r"[\u3400-\u9fff]", rest):
        han = _measures(rest, han_numbers_in(rest))
        measures += han
        rest = _without(rest, han)
    found += _joined(rest, [*measures, *_words(rest, language)])
    return tuple(sorted(found, key=lambda one: one.start))


def only_value(text: str, language: str = "en") -> Value | None:
    """The one value of a text; None if it states none, several, or one that can be read in two ways."""
    values = values_in(text, language)
    first = values[0] if values else None
    if first is None or isinstance(first, Unclear):
        return None
    return first if all(is_same(first, other) for other in values[1:]) else None


def is_same(one: Value, other: Value) -> bool:
    """Whether two values are equal, written alike or not; a bare number equals the same number with a unit."""
    if isinstance(one, Measure) and isinstance(other, Measure):
        if "" in (one.unit, other.unit):
            return one.amount == other.amount
        return converted(one.amount, one.unit, other.unit) == other.amount
    return type(one) is type(other) and key_of(one) == key_of(other)


def key_of(value: Value) -> object:
    """What a value is, apart from how it is written."""
    match value:
        case Measure():
            return value.amount.normalize(), value.unit
        case Clock():
            return value.minutes
        case Version():
            return value.numbers
        case Unclear():
            return value.written
    return value.first, value.last


def _without(text: str, found: list[Found]) -> str:
    for one in found:
        text = text[: one.start] + _GONE * (one.end - one.start) + text[one.end :]
    return text


def _versions(text: str) -> list[Found]:
    found = []
    for match in _VERSION.finditer(text):
        digits = match[1] or match[2]
        groups = digits.split(".")
        if match[1] and not re.match(r"v", match[0], re.IGNORECASE) and all(len(group) == 3 for group in groups[1:]):
            continue  # 1.234.567 is a number
        value = Version(numbers=tuple(map(int, groups)), written=match[0])
        found.append(Found(start=match.start(), end=match.end(), value=value))
    return found


def _measures(text: str, numbers: tuple[Number, ...]) -> list[Found]:
    found = []
    for number in numbers:
        start, end, unit, label = number.start, number.end, "", ""
        if behind := unit_at(text, end):
            unit, label, end = behind
        elif before := MONEY_BEFORE.search(text, 0, start):
            start, unit, label = before.start(), unit_of_sign(before[1]), before[1]
        written = text[start:end].strip()
        value: Value = (
            Unclear(written=written)
            if number.amount is None
            else Measure(amount=number.amount, unit=unit, written=written, label=label, digits=number.digits)
        )
        found.append(Found(start=start, end=end, value=value))
    return found


def _words(text: str, language: str) -> list[Found]:
    """Numbers in words, between what was read already."""
    found = []
    place = 0
    for piece in text.split(_GONE):
        if re.search(r"[^\W\d_]{2}", piece):
            told = in_digits(piece, language)
            found += [
                Found(start=place, end=place + len(piece), value=one.value)
                for one in _measures(told, numbers_in(told, language))
            ]
        place += len(piece) + 1
    return found


def _joined(rest: str, found: list[Found]) -> list[Found]:
    """The values, with those of one duration ("1 h 25 min", "2 years and 3 months") added together."""
    kept: list[Found] = []
    for one in sorted(found, key=lambda one: one.start):
        last = kept[-1] if kept else None
        together = _sum(last.value, one.value) if last is not None and _touch(rest, last, one) else None
        if last is None or together is None:
            kept.append(one)
        else:
            kept[-1] = Found(start=last.start, end=one.end, value=together)
    return kept


def _touch(rest: str, one: Found, other: Found) -> bool:
    return one.end <= other.start and _JOINED.fullmatch(rest, one.end, other.start) is not None


_SMALLER = {"year": ("month",), "week": ("day",), "day": ("h",), "h": ("min", "分"), "min": ("s",), "ft": ("inch",)}


def _sum(one: Value, other: Value) -> Measure | None:
    if not isinstance(one, Measure) or not isinstance(other, Measure) or other.unit not in _SMALLER.get(one.unit, ()):
        return None
    unit = "min" if other.unit == "分" else other.unit
    more = converted(one.amount, one.unit, unit)
    if more is None:
        return None
    total: Decimal = more + other.amount
    return Measure(amount=total, unit=unit, written=f"{one.written} {other.written}", label=other.label, digits="")
