"""Dates as six languages write them, with the day or without it; and in other words when something is: weekdays, months, parts of a
year, times of day."""

from __future__ import annotations

import calendar
import datetime as dt
import re
from collections.abc import Iterator
from functools import lru_cache

from memory.words import lazy_re
from walker.strategies.values.value_kinds import Days, Found, Unclear, Value
from walker.strategies.values.written_numbers import han_amount

_NAME = r"(?P<name>[^\W\d_]{3,12})\.?"
_YEAR = r"(?P<year>1[0-9]\d\d|2[01]\d\d)(?!\d)"
_DAY = r"(?<!\d)(?P<day>\d{1,2})"
_OF = r"(?:de |del |of |d')?"
_HAN_NUMBER = r"\d{1,2}|[一二三四五六七八九十]{1,3}"
_ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925, "大正": 1911, "明治": 1867}
"""The year before the first of each Japanese era."""
_FORMS: tuple[re.Pattern[str], ...] = tuple(
    lazy_re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?<!\d){_YEAR}[-/](?P<month>\d{{1,2}})[-/](?P<day>\d{{1,2}})(?!\d)",
        (
            rf"(?:(?P<era>{'|'.join(_ERAS)})(?P<erayear>\d{{1,2}}|元)|(?P<year>\d{{4}}|[〇零一二三四五六七八九]{{4}}))年"
            rf"(?P<month>{_HAN_NUMBER})月(?:(?P<day>{_HAN_NUMBER})[日号號])?"
        ),
        rf"{_DAY}(?:st|nd|rd|th|er|º|\.)? ?{_OF}{_NAME},? ?{_OF}{_YEAR}",
        rf"\b{_NAME} (?P<day>\d{{1,2}})(?:st|nd|rd|th)?,? {_YEAR}",
        rf"\b{_NAME},? {_OF}{_YEAR}",
        rf"{_DAY}(?P<mark>[./-])(?P<month>\d{{1,2}})(?P=mark){_YEAR}",
    )
)
_MONTH_BEGINS = "jan|jän|ene|fe[bv]|fév|m[aä]r|abr|apr|avr|ma[iy]|ju[inl]|ao[uû]|aug|ago|se[pt]|o[ck]t|nov|de[zc]|déc"
_NO_YEAR = lazy_re.compile(
    rf"(?P<han>{_HAN_NUMBER})月(?:{_HAN_NUMBER})[日号號]|{_DAY}(?:st|nd|rd|th|er|º|\.)? ?{_OF}(?P<name>[^\W\d_]{{3,12}})"
    rf"|\b(?P<before>(?:{_MONTH_BEGINS})[^\W\d_]{{0,9}})\.? \d{{1,2}}(?:st|nd|rd|th)?(?!\d)",
    re.IGNORECASE,
)
_MONTH_LIKE = lazy_re.compile(_MONTH_BEGINS, re.IGNORECASE)
_HAN_YEAR = lazy_re.compile(
    r"(?P<era>令和|平成|昭和|大正|明治)(?P<erayear>\d{1,2}|元)年|(?P<year>[〇零一二三四五六七八九]{4})年"
)
_MONTH_LANGUAGES = ["en", "de", "fr", "es"]
_WEEKDAY = (
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch)(?:morgen|vormittag|mittag|nachmittag|abend)?s?|sonnabends?"
    r"|lundis?|mardis?|mercredis?|jeudis?|vendredis?|samedis?|dimanches?|lunes|martes|miércoles|jueves|viernes|sábados?|domingos?"
)
_MONTH = (
    r"january|february|april|june|july|august|september|october|november|december|jänner|januar|februar|märz|mai|juni|juli"
    r"|oktober|dezember|janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre|enero|febrero|marzo|abril"
    r"|mayo|junio|julio|agosto|sept?iembre|octubre|noviembre|diciembre"
)
_SEASON = r"spring|summer|autumn|frühjahr|frühling|sommer|herbst|printemps|automne|primavera|verano|otoño"
_DAYPART = (
    r"mornings?|afternoons?|evenings?|nights?|midnight|noon|morgens?|vormittags?|nachmittags?|abends?|mitternacht|matins?|soirs?"
    r"|midi|minuit|medianoche|mediodía"
)
_TIME = (
    r"(?<![\d:.])(?:[01]?\d|2[0-4])(?:[:：][0-5]\d(?: ?[ap]\.?m\b| ?uhr\b)?|\.[0-5]\d ?(?:[ap]\.?m\b|uhr\b)| ?[ap]\.?m\b| ?uhr\b"
    r"| ?h(?:(?:eures?)?\b(?: ?[0-5]\d)?|[0-5]\d\b))"
)
_DAY_MONTH = r"(?<![\d./])\d{1,2}(?:\.\d{1,2}\.(?!\d)|/\d{1,2}(?![\d/]))"
_WHEN = lazy_re.compile(
    rf"(?<!\w)(?:{_WEEKDAY}|{_MONTH}|{_SEASON}|{_DAYPART})(?!\w)|(?-i:\b(?:March|May)\b)|\b(?:en |cet |l['’])été\b"
    rf"|{_TIME}|{_DAY_MONTH}"
    r"|(?:每[周週星][期]?|每[月年]|[周週]|星期|礼拜)[一二三四五六日天末](?:\s*[至到、和-]\s*(?:[周週]|星期)?[一二三四五六日天])?"
    r"|[月火水木金土日]曜日?|(?<!\d)\d{1,2}\s*月(?:[上中下]旬|[初末底])?|[春夏秋冬][季天]|[上下]午|中午|晚上|[大高初][一二三四](?:[上下]学期)?",
    re.IGNORECASE,
)
"""Words that say when without being a date."""
_BETWEEN = lazy_re.compile(
    r"(?:[ ,–-]|\b(?:to|from|at|until|till|of|bis|von|um|ab|de|du|à|a|au|dès|jusqu['’]à|las?|hasta|desde)\b){0,5}",
    re.IGNORECASE,
)
"""What may stand between two of them that are said together."""


@lru_cache(maxsize=1024)
def dates_in(text: str) -> tuple[Found, ...]:
    """The dates and months of a text in order; `Unclear` without a year, and where day and month may be the other way round."""
    found: list[Found] = []
    for form in (*_FORMS, _HAN_YEAR):
        for match in form.finditer(text):
            if any(match.start() < one.end and one.start < match.end() for one in found):
                continue
            value = _value(match)
            if value is not None:
                found.append(Found(start=match.start(), end=match.end(), value=value))
    for match in _NO_YEAR.finditer(text):
        name = match["name"] or match["before"] or ""
        taken = any(match.start() < one.end and one.start < match.end() for one in found)
        if not taken and (match["han"] or month_named(name)):
            found.append(Found(start=match.start(), end=match.end(), value=Unclear(written=match[0])))
    return tuple(sorted(found, key=lambda one: one.start))


def _value(match: re.Match[str]) -> Value | None:
    parts = match.groupdict()
    if parts.get("mark") in ("/", "-") and _both_ways(int(parts["day"]), int(parts["month"])):
        return Unclear(written=match[0])
    year = _year(parts)
    month = month_named(parts["name"]) if parts.get("name") else _small(parts["month"]) if parts.get("month") else 0
    if parts.get("name") and not month:
        return None
    day = _small(parts["day"]) if parts.get("day") else 0
    if parts.get("mark") in ("/", "-") and month > 12:
        day, month = month, day
    return days_of(year, month, day, match[0])


def days_of(year: int, month: int, day: int, written: str) -> Days | None:
    """A day, a month (day 0) or a year (month 0) as its first and last day; None if there is no such day."""
    try:
        first = dt.date(year, month or 1, day or 1)
    except ValueError:
        return None
    if day:
        return Days(first=first, last=first, written=written)
    last_month = month or 12
    last = dt.date(year, last_month, calendar.monthrange(year, last_month)[1])
    return Days(first=first, last=last, written=written)


def days_in_words(text: str) -> Iterator[tuple[int, int]]:
    """Where a text says when in other words, in order; neighbours that nothing but words of time parts are one ("Tuesday evening",
    "jeudi de 17h30 à 19h")."""
    start = end = -1
    for match in _WHEN.finditer(text):
        if end >= 0 and _BETWEEN.fullmatch(text, end, match.start()):
            end = match.end()
            continue
        if end >= 0:
            yield start, end
        start, end = match.span()
    if end >= 0:
        yield start, end


@lru_cache(maxsize=512)
def month_named(name: str) -> int:
    """The number of a month by its name in one of four languages, 0 for any other word."""
    if not _MONTH_LIKE.match(name):
        return 0
    import dateparser  # noqa: PLC0415 - takes 0.3 s, and few walks meet a date

    settings = {
        "STRICT_PARSING": True,
        "REQUIRE_PARTS": ["day", "month", "year"],
        "RELATIVE_BASE": dt.datetime(2000, 1, 1, tzinfo=dt.UTC).replace(tzinfo=None),
    }
    parsed = dateparser.parse(f"1 {name.lower()} 2000", languages=_MONTH_LANGUAGES, settings=settings)
    return parsed.month if parsed is not None and (parsed.year, parsed.day) == (2000, 1) else 0


def _year(parts: dict[str, str | None]) -> int:
    if era := parts.get("era"):
        return _ERAS[era] + (1 if parts["erayear"] == "元" else int(parts["erayear"] or 0))
    year = parts["year"] or ""
    return int(year) if year.isdecimal() else int(han_amount(year) or 0)


def _small(written: str | None) -> int:
    text = written or "0"
    return int(text) if text.isdecimal() else int(han_amount(text) or 0)


def _both_ways(day: int, month: int) -> bool:
    return day <= 12 and month <= 12 and day != month
