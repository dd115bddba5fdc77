"""Whether one date or number is a coarser form of another."""

from __future__ import annotations

import re

from evaluation.metrics.rates import plain

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MONTH = rf"(?P<month>{'|'.join(_MONTHS)})[a-z]*\.?"
_DATES = (
    re.compile(r"(?P<year>\d{4})[-/.年](?P<number>\d{1,2})(?:[-/.月](?P<day>\d{1,2})日?)?"),
    re.compile(rf"(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?)?{_MONTH},?\s+(?P<year>\d{{4}})"),
    re.compile(rf"{_MONTH}\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<year>\d{{4}})"),
    re.compile(r"(?<!\d)(?P<year>(?:1[5-9]|20|21)\d{2})年?(?!\d)"),
)
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?")

Date = tuple[int, ...]
"""Year, month and day, as far as given."""


def is_coarser(answer: str, accepted: str) -> bool:
    """Whether the answer's one date or number is the accepted one rounded: “Jul 2023” for “21 Jul 2023”, “300” for “312”."""
    given, wanted = read_date(answer), read_date(accepted)
    if given and wanted:
        return len(given) < len(wanted) and wanted[: len(given)] == given
    numbers = _NUMBER.findall(plain(answer)), _NUMBER.findall(plain(accepted))
    if len(numbers[0]) != 1 or len(numbers[1]) != 1:
        return False
    told, exact = numbers[0][0], numbers[1][0]
    return _digits(told) < _digits(exact) and float(told) == _rounded(float(exact), _digits(told))


def read_date(text: str) -> Date:
    """The most precise date in a text, () for none."""
    said = plain(text)
    for pattern in _DATES:
        if match := pattern.search(said):
            parts = match.groupdict()
            month = _MONTHS.index(parts["month"]) + 1 if parts.get("month") else int(parts.get("number") or 0)
            day = int(parts.get("day") or 0)
            return tuple(part for part in (int(parts["year"]), month, day if month else 0) if part)
    return ()


def _digits(number: str) -> int:
    """Number of significant digits as written, without trailing zeros of a whole number."""
    bare = number.replace(".", "").lstrip("0")
    return len(bare.rstrip("0") if "." not in number else bare) or 1


def _rounded(value: float, digits: int) -> float:
    return float(f"{value:.{digits}g}")
