"""Reads numbers in answers, and combines or compares two of them."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

from walker.strategies.question.question import Operation

SMALL_NUMBERS = {
    word: value
    for value, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
            "twenty",
        ]
    )
}
TENS = {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100}
"""Values of number words below a thousand; those up to twenty are in `SMALL_NUMBERS`."""
SCALES = {"thousand": 1000, "million": 10**6, "billion": 10**9, "万": 10**4, "亿": 10**8}
_HAN = {digit: value for value, digit in enumerate("零一二三四五六七八九十")} | {"两": 2}
_DIGITS = re.compile(r"\d[\d,]*(?:\.\d+)?")
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|2[01]\d\d)(?!\d)")
_VERSION = re.compile(r"(\d+)\.(\d+)")


def read_number(text: str) -> Decimal | None:
    """The first number of a text, in digits or in English or Chinese words; None if there is none."""
    if match := _DIGITS.search(text):
        try:
            value = Decimal(match.group(0).replace(",", ""))
        except InvalidOperation:
            return None
        return value * _scale(text[match.end() :])
    for word in re.findall(r"[a-z]+", text.lower()):
        if word in SMALL_NUMBERS or word in TENS:
            return Decimal(SMALL_NUMBERS.get(word, TENS.get(word, 0))) * _scale(text)
    han = next((character for character in text if character in _HAN), None)
    return Decimal(_HAN[han]) if han else None


def read_year(text: str) -> int | None:
    """The first year of a text."""
    match = _YEAR.search(text)
    return int(match.group(1)) if match else None


def combine(operation: Operation, first: str, second: str, unit: str) -> str:
    """The result of the operation on two answers, with the calculation; "" if one of them has no number.

    `unit` says what is counted in the result: years are taken from dates, minor versions from version numbers.
    """
    one, other = _value(first, unit), _value(second, unit)
    if one is None or other is None:
        return ""
    if operation == "sum":
        return f"{_plain(one + other)} ({_plain(one)} + {_plain(other)})"
    high, low = max(one, other), min(one, other)
    return f"{_plain(high - low)} ({_plain(high)} - {_plain(low)})"


_OPTIONS = re.compile(
    r"[,，:：]\s*(.{1,60}?)\s+or\s+(.{1,60}?)\s*\?|(.{1,20}?)(?:和|与|跟)(.{1,20}?)(?:相比|[,，]|哪|谁|中)",
    re.IGNORECASE,
)
_LESS = re.compile(
    r"\b(?:shorter|smaller|cheaper|lower|fewer|less|earlier|older|younger|lighter|slower|nearer|closer|first)\b|更[短小低少早轻慢近]|较[短小低少早]",
    re.IGNORECASE,
)


def compare(question: str, first: str, second: str) -> str:
    """Which of the two things named in a question has more, or less if it asks for that; "" if that is unclear."""
    one, other = _value(first, question.lower()), _value(second, question.lower())
    options = _OPTIONS.search(question)
    if one is None or other is None or options is None or one == other:
        return ""
    names = [name for name in options.groups() if name]
    wants_less = _LESS.search(question) is not None
    chosen = names[0] if (one < other) == wants_less else names[1]
    return f"{chosen} ({first} / {second})"


def _value(text: str, unit: str) -> Decimal | None:
    if "year" in unit or "年" in unit:
        year = read_year(text)
        return Decimal(year) if year is not None else read_number(text)
    if "version" in unit and (match := _VERSION.search(text)):
        return Decimal(match.group(2))
    return read_number(text)


def _scale(rest: str) -> int:
    words = rest.strip().lower()
    return next((value for word, value in SCALES.items() if words.startswith(word)), 1)


def _plain(value: Decimal) -> str:
    return f"{value.normalize():f}"
