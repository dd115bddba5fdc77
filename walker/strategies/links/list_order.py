"""Where a page of a long list stands in an order of time or of numbers, and on which page would be what a question names."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

import msgspec

from memory.words import lazy_re
from perception.observation import Observation
from walker.strategies.values.value_kinds import Days, Found
from walker.strategies.values.written_dates import dates_in, days_of

BLOCKS_READ, CHARS_READ = 400, 160
"""Blocks of the main text that are read for the place of an entry, and characters of each: a date stands beside its name."""
LEAST_ENTRIES = 3
"""Entries with a date or a number from which a page has an order."""
BESIDE_CHARS = 24
"""Characters beside a date that stands alone: a time of day, "posted on"."""
_ALONE, _AT_AN_END = 2, 1
IN_ORDER = 0.8
"""Share of the neighbours that keep the order: a pinned entry or a misprint breaks it once."""
_KINDS = (
    "issues?|numbers?|no|nr|episodes?|volumes?|editions?|entry|entries|meetings?|talks?|posts?|sessions?|ausgaben?|nummer|folgen?|treffen"
    "|num[ée]ros?|[ée]ditions?|n[úu]meros?|edici[óo]n(?:es)?|edi[çc][ãa]o|edi[çc][õo]es|sesi[óo]n|puntata"
)
_NUMBER = lazy_re.compile(
    rf"(?:(?<![^\W\d_])(?:{_KINDS})\.?\s*(?:no\.?|nr\.?|n°|#)?\s*|#|第\s*)(\d{{1,5}})(?!\d|\s*%|[.,:]\d)", re.IGNORECASE
)
"""What things in a row are called by: "issue 57", "#57", "第57期"."""
_YEAR = lazy_re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


class _Span(msgspec.Struct, frozen=True):
    """What a page goes from and to, as numbers in one order, and as it is told."""

    first: int
    last: int
    told: tuple[str, str]


def names_place(query: str) -> bool:
    """Whether a question names a time or a number by which a list may be in order.

    >>> names_place("Who won in March 2019?"), names_place("What is issue 57 about?"), names_place("Name 5 rooms.")
    (True, True, False)
    """
    return _YEAR.search(query) is not None or _NUMBER.search(query) is not None


class Order(msgspec.Struct, frozen=True):
    """Where a page stands in the order of its list."""

    first: str = ""
    """What it goes from; "" where it is in no order of time, nor in one of the numbers that the question names."""
    last: str = ""
    """What it goes to."""
    wanted: str = ""
    """The time or the number that the question names, where this page does not have it."""
    page: int = 0
    """The page that would have it at this pace, 0 where that cannot be said."""


def place_in_order(observation: Observation, query: str, current: int, last: int) -> Order:
    """The place of a page, the `current` of so many."""
    for wanted, said, span in _orders(observation, query):
        low, high = sorted((span.first, span.last))
        if wanted is None or low <= wanted <= high:
            return Order(first=span.told[0], last=span.told[1])
        page = _page_of(wanted, span, max(1, current), last)
        return Order(first=span.told[0], last=span.told[1], wanted=said, page=page)
    return Order()


def _orders(observation: Observation, query: str) -> Iterator[tuple[int | None, str, _Span]]:
    """What is asked for, how it is said, and the span of the page in the same order: of a time that is asked for first, then of a
    number, last of time though none is asked for."""
    asked = _asked_day(query)
    if (days := _span(_days_on(observation))) is not None:
        told = tuple(dt.date.fromordinal(day).isoformat() for day in (days.first, days.last))
        days = msgspec.structs.replace(days, told=told)
        if asked is not None:
            yield asked[0], asked[1], days
    if (number := _NUMBER.search(query)) and (numbers := _span(_numbers_on(observation))) is not None:
        yield int(number[1]), number[0].strip(), numbers
    if days is not None:
        yield None, "", days


def _asked_day(query: str) -> tuple[int, str] | None:
    """The middle of the time that a question names."""
    days = [found.value for found in dates_in(query) if isinstance(found.value, Days)]
    year = _YEAR.search(query)
    if not days and year:
        days = [made for made in (days_of(int(year[0]), 0, 0, year[0]),) if made is not None]
    if not days:
        return None
    return (days[0].first.toordinal() + days[0].last.toordinal()) // 2, days[0].written


def _texts(observation: Observation) -> Iterator[str]:
    shown = (
        block for block in observation.blocks if block.region == "main" and not block.hidden and not block.pictured
    )
    for block, _ in zip(shown, range(BLOCKS_READ), strict=False):
        if any(map(str.isdigit, text := block.text[:CHARS_READ])):
            yield text


def _days_on(observation: Observation) -> list[int]:
    """The dates of the entries: those that stand alone, where there are enough, else those at the beginning or the end of a text, else
    all. One within a name ("tool:2022-01-21_v2") is none."""
    found: list[tuple[int, int]] = []
    for text in _texts(observation):
        free = (one for one in dates_in(text) if isinstance(one.value, Days) and not _is_in_name(text, one))
        if (first := next(free, None)) is not None and isinstance(first.value, Days):
            found.append((first.value.first.toordinal(), _place_of(text, first)))
    for least in (_ALONE, _AT_AN_END):
        if sum(place >= least for _, place in found) >= LEAST_ENTRIES:
            return [day for day, place in found if place >= least]
    return [day for day, _ in found]


def _is_in_name(text: str, date: Found) -> bool:
    around = text[max(0, date.start - 1) : date.start] + text[date.end : date.end + 1]
    return any(sign.isascii() and (sign.isalnum() or sign in "_:/@=") for sign in around)


def _place_of(text: str, date: Found) -> int:
    """How surely a date is an entry's own by where it stands in the text."""
    before, behind = text[: date.start].strip(), text[date.end :].strip()
    if len(before) + len(behind) <= BESIDE_CHARS:
        return _ALONE
    return _AT_AN_END if not before or not behind else 0


def _numbers_on(observation: Observation) -> list[int]:
    return [int(match[1]) for text in _texts(observation) if (match := _NUMBER.search(text))]


def _span(values: Sequence[int]) -> _Span | None:
    """From the first to the last, where there are enough in one order."""
    steps = [other - one for one, other in pairwise(values) if other != one]
    if len(values) < LEAST_ENTRIES or not steps:
        return None
    ways = max(sum(step > 0 for step in steps), sum(step < 0 for step in steps))
    if ways < IN_ORDER * len(steps):
        return None
    return _Span(first=values[0], last=values[-1], told=(str(values[0]), str(values[-1])))


def _page_of(wanted: int, span: _Span, current: int, last: int) -> int:
    """The page at the pace of this one; 0 where the list does not go that way, or its end is not known."""
    pages = (wanted - span.last) / (span.last - span.first) if span.last != span.first else 0.0
    if pages > 0:
        return min(last, current + max(1, round(pages + 0.5))) if last > current else 0
    back = current - max(1, round(-pages)) if pages < -1 else 0
    return max(1, back) if back and current > 1 else 0
