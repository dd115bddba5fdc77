"""Dates and times of spreadsheets, which are numbers of days, as a format shows them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

DATE_LETTERS = "ymdhs"
MOST_SERIAL = 2_958_466
"""Days: the year 10000."""
_BEGIN, _LEAP_BUG = datetime(1899, 12, 30), 61  # noqa: DTZ001 - a spreadsheet has no time zone
"""Excel takes 1900 for a leap year: the days before March 1900 are one off."""
_MONTHS = "January February March April May June July August September October November December".split()
_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()


def date_of(serial: float) -> datetime:
    """The moment that is this many days after the beginning of 1900, to the millisecond."""
    days = int(serial) + (serial < _LEAP_BUG)
    return _BEGIN + timedelta(days=days, milliseconds=round((serial - int(serial)) * 86_400_000))


def shown_date(serial: float, tokens: Sequence[tuple[str, str]]) -> str:
    """A number of days by tokens of a format, each its kind and text."""
    has_parts_of_second = any(kind == "letters" and "." in text for kind, text in tokens)
    # Without them, a time is rounded to the second: 0.75 of a day may be stored as 0.7499999.
    moment = date_of(serial if has_parts_of_second else round(serial * 86_400) / 86_400)
    is_12 = any(kind == "meridiem" for kind, _ in tokens)
    texts: list[str] = []
    for place, (kind, text) in enumerate(tokens):
        if kind == "letters":
            texts.append(_part(moment, text.lower(), is_minute=_is_minute(tokens, place), is_12=is_12))
        elif kind == "elapsed":
            seconds = round(serial * 86_400)
            per = {"h": 3600, "m": 60, "s": 1}[text[0]]
            texts.append(str(seconds // per).zfill(len(text)))
        elif kind == "meridiem":
            texts.append(("AM" if moment.hour < 12 else "PM")[: 1 if len(text) == 3 else 2])
        elif kind == "digits":
            # Of "ss.000" that was written with a literal between.
            continue
        else:
            texts.append(text)
    return "".join(texts).strip()


def _is_minute(tokens: Sequence[tuple[str, str]], place: int) -> bool:
    """Whether an "m" is minutes: it stands after hours, or before seconds."""
    if tokens[place][1][0].lower() != "m" or len(tokens[place][1]) > 2:
        return False
    before = next((text[0].lower() for kind, text in reversed(tokens[:place]) if kind in ("letters", "elapsed")), "")
    after = next((text[0].lower() for kind, text in tokens[place + 1 :] if kind in ("letters", "elapsed")), "")
    return before == "h" or after == "s"


def _part(moment: datetime, text: str, *, is_minute: bool, is_12: bool) -> str:
    """One part of a date: "mmm" is "Mar"."""
    letter, long = text[0], len(text)
    if letter == "y":
        return str(moment.year) if long > 2 else f"{moment.year % 100:02}"
    if letter == "m" and is_minute:
        return f"{moment.minute:02}" if long > 1 else str(moment.minute)
    if letter == "m":
        name = _MONTHS[moment.month - 1]
        return [str(moment.month), f"{moment.month:02}", name[:3], name, name[0]][min(long, 5) - 1]
    if letter == "d":
        name = _DAYS[moment.weekday()]
        return [str(moment.day), f"{moment.day:02}", name[:3], name][min(long, 4) - 1]
    if letter == "h":
        hour = (moment.hour - 1) % 12 + 1 if is_12 else moment.hour
        return f"{hour:02}" if long > 1 else str(hour)
    whole, _, parts = text.partition(".")
    shown = f"{moment.second:02}" if len(whole) > 1 else str(moment.second)
    return f"{shown}.{f'{moment.microsecond:06}'[: len(parts)]}" if parts else shown
