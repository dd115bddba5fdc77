"""What lasts from one value to another ("13:00 - 14:25", "2 to 6 June 2014", "7 bis 16 Jahre"): its ends and its length."""

from __future__ import annotations

import itertools
import re
from functools import lru_cache

import msgspec

from memory.words import lazy_re
from walker.strategies.values.value_kinds import Clock, Days, Found, Measure, Value
from walker.strategies.values.written_dates import days_of, month_named
from walker.strategies.values.written_values import found_values

_JOINED = lazy_re.compile(r"\s*(?:[-–—~～]|to|till|until|through|thru|bis|à|au|a|al|hasta|至|到)\s*", re.IGNORECASE)
_DAYS_OF_MONTH = lazy_re.compile(
    r"(?<!\d)(?P<first>\d{1,2})(?:st|nd|rd|th|\.)?\s*(?:[-–—]|to|bis|au|al|a)\s*(?P<last>\d{1,2})(?:st|nd|rd|th|\.)?\s+(?:de |of )?"
    r"(?P<name>[^\W\d_]{3,12})\.?,?\s+(?:de )?(?P<year>\d{4})"
    r"|\b(?P<name2>[^\W\d_]{3,12})\.?\s+(?P<first2>\d{1,2})(?:st|nd|rd|th)?\s*[-–—]\s*(?P<last2>\d{1,2})(?:st|nd|rd|th)?,?\s+(?P<year2>\d{4})",
    re.IGNORECASE,
)
_MINUTES_A_DAY = 1440
LASTING = frozenset(("s", "min", "h", "day", "week", "month", "year"))
"""Units of how long something takes."""


class Period(msgspec.Struct, frozen=True, kw_only=True):
    """Two values of one kind and the text from the first to the last, with its place."""

    first: Value
    last: Value
    written: str
    start: int
    end: int

    @property
    def length(self) -> str:
        """How long it lasts, as a text that states one value; "" where that cannot be said."""
        if isinstance(self.first, Clock) and isinstance(self.last, Clock):
            return f"{(self.last.minutes - self.first.minutes) % _MINUTES_A_DAY} min"
        if isinstance(self.first, Days) and isinstance(self.last, Days):
            return f"{(self.last.first - self.first.first).days} days"
        return ""


@lru_cache(maxsize=512)
def periods_in(text: str, language: str = "en") -> tuple[Period, ...]:
    """The periods of a text in its order.

    >>> [(one.first.written, one.last.written, one.length) for one in periods_in("Room 3, 13:00 - 14:25")]
    [('13:00', '14:25', '85 min')]
    """
    found = list(_days_of_month(text))
    values = [one for one in found_values(text, language) if not any(_overlap(one, other) for other in found)]
    for one, other in itertools.pairwise(values):
        first, last = _alike(one.value, other.value)
        if first is not None and last is not None and _JOINED.fullmatch(text, one.end, other.start):
            found.append(
                Period(first=first, last=last, written=text[one.start : other.end], start=one.start, end=other.end)
            )
    return tuple(sorted(found, key=lambda one: one.start))


def _overlap(found: Found, period: Period) -> bool:
    return found.start < period.end and period.start < found.end


def _alike(one: Value, other: Value) -> tuple[Value | None, Value | None]:
    """Both, where the first comes before the last; a number without a unit has that of the last ("7 to 16 years")."""
    if isinstance(one, Clock) and isinstance(other, Clock):
        return one, other
    if isinstance(one, Days) and isinstance(other, Days) and one.first <= other.first:
        return one, other
    if isinstance(one, Measure) and isinstance(other, Measure) and one.unit in ("", other.unit):
        amount = other.amount.copy_abs()
        last = msgspec.structs.replace(other, amount=amount, written=other.written.lstrip("-"))
        label = f"{one.written} {other.label}".strip() if not one.unit and other.label else one.written
        return (
            (msgspec.structs.replace(one, unit=other.unit, written=label), last)
            if one.amount < amount
            else (None, None)
        )
    return None, None


def _days_of_month(text: str) -> list[Period]:
    """Those within a month: "2-6 June 2014" and "June 2-6, 2014"."""
    periods = []
    for match in _DAYS_OF_MONTH.finditer(text):
        parts = match.groupdict()
        month = month_named(parts["name"] or parts["name2"])
        year = int(parts["year"] or parts["year2"])
        ends = [
            days_of(year, month, int(parts[name] or parts[f"{name}2"]), "") if month else None
            for name in ("first", "last")
        ]
        first, last = ends
        if first is not None and last is not None and first.first < last.first:
            days = [msgspec.structs.replace(one, written=one.first.isoformat()) for one in (first, last)]
            periods.append(Period(first=days[0], last=days[1], written=match[0], start=match.start(), end=match.end()))
    return periods
