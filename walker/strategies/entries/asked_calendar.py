"""The months, seasons and days of the week that a question names, and whether an entry is of them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from memory.words import lazy_re
from walker.strategies.entries.asked_words import folded
from walker.strategies.values.value_kinds import Days
from walker.strategies.values.written_values import found_values

_MONTHS = (
    "january januar janner janvier enero janeiro gennaio", "february februar fevrier febrero fevereiro febbraio",
    "march marz mars marzo marco", "april avril abril aprile", "may mai mayo maio maggio", "june juni juin junio junho giugno",
    "july juli juillet julio julho luglio", "august aout agosto", "september septembre septiembre setembro settembre",
    "october oktober octobre octubre outubro ottobre", "november novembre noviembre novembro",
    "december dezember decembre diciembre dezembro dicembre",
)  # fmt: skip
"""Without accents; "mai" and "maio" are May, "march" and "may" are months only where they are written as names."""
_DAYS = (
    "monday montag lundi lunes segunda-feira lunedi", "tuesday dienstag mardi martes terca-feira martedi",
    "wednesday mittwoch mercredi miercoles quarta-feira mercoledi", "thursday donnerstag jeudi jueves quinta-feira giovedi",
    "friday freitag vendredi viernes sexta-feira venerdi", "saturday samstag sonnabend samedi sabado sabato",
    "sunday sonntag dimanche domingo domenica",
)  # fmt: skip
_SEASONS = {
    "spring fruhling fruhjahr printemps primavera": (3, 4, 5),
    "summer sommer ete verano verao estate": (6, 7, 8),
    "autumn fall herbst automne otono outono autunno": (9, 10, 11),
    "winter hiver invierno inverno": (12, 1, 2),
}
_HAN_SEASONS = {"春季": (3, 4, 5), "夏季": (6, 7, 8), "秋季": (9, 10, 11), "冬季": (12, 1, 2)}
_WEEKEND = lazy_re.compile(r"\bweek-?end|\bwochenende|\bfin de semana|\bfim de semana|\bfine settimana|周末")
_HAN_DAY = lazy_re.compile(r"(?:周|星期|礼拜)([一二三四五六日天])")
_HAN_MONTH = lazy_re.compile(r"(?<!\d)(1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])月(?!球)")
_HAN_MONTHS = "一二三四五六七八九"
_AS_NAME = lazy_re.compile(r"\b(?:May|March|Mars)\b")
_SHORT_DATE = lazy_re.compile(
    r"(?<![\d.])(\d{1,2})\.\s?(1[0-2]|0?[1-9])\.(?!\d)|(?<![\d/])(1[0-2]|0?[1-9])/(\d{1,2})/(?:\d{4}|\d\d)(?!\d)"
)
"""Dates in digits that name no year, or begin with the month: "13.11.", "9/22/23"."""
_SHORT_MONTH = lazy_re.compile(r"(?:\b\d{1,2}\.?\s(?P<behind>[a-z]{3,4})\b|\b(?P<before>[a-z]{3,4})\b\.?\s\d{1,2}\b)")
_SHORT_DAY = lazy_re.compile(
    r"^\W*(mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so|lun|mar|mer|mie|jeu|jue|ven|vie|sam|sab|dim|dom)\b"
)
_SHORT_DAYS = {
    short: place
    for place, shorts in enumerate(
        (
            "mon mo lun",
            "tue di mar",
            "wed mi mer mie",
            "thu do jeu jue",
            "fri fr ven vie",
            "sat sa sam sab",
            "sun so dim dom",
        )
    )
    for short in shorts.split()
}


class Calendar(NamedTuple):
    """Months (1 to 12) and days of the week (0 to 6, from Monday)."""

    months: frozenset[int]
    days: frozenset[int]

    def __bool__(self) -> bool:
        return bool(self.months or self.days)


@lru_cache(maxsize=64)
def calendar_asked(question: str) -> Calendar:
    """What a question names of the calendar."""
    text = folded(question)
    may_be_verbs = {"may", "march", "mars"} - {name.lower() for name in _AS_NAME.findall(question)}
    named = frozenset(re.findall(r"[^\W\d_]+(?:-feira)?", text)) - may_be_verbs
    months = _named_months(named, question) | {
        month for names, of in _SEASONS.items() if _is_season(names, named, text) for month in of
    }
    months |= {month for name, of in _HAN_SEASONS.items() if name in question for month in of}
    days = _named_days(named, question)
    if _WEEKEND.search(text):
        days |= {5, 6}
    return Calendar(frozenset(months), frozenset(days))


def is_within(text: str, language: str, asked: Calendar) -> bool:
    """Whether an entry is of the months and of the days of the week that are asked for."""
    plain = folded(text[:300])
    named = frozenset(re.findall(r"[^\W\d_]+(?:-feira)?", plain))
    has_digits = any(map(str.isdigit, text)) or "月" in text
    days = [one.value for one in found_values(text, language) if isinstance(one.value, Days)] if has_digits else []
    if asked.months:
        months = _named_months(named, text) | _short_months(plain)
        months |= {one.first.month for one in days if (one.last - one.first).days <= 31}
        if not months & asked.months:
            return False
    if asked.days:
        week = _named_days(named, text) | {one.first.weekday() for one in days if one.first == one.last}
        if found := _SHORT_DAY.match(plain):
            week.add(_SHORT_DAYS[found[1]])
        if not week & asked.days:
            return False
    return True


def _named_months(named: frozenset[str], text: str) -> set[int]:
    found = {place for place, names in enumerate(_MONTHS, 1) if not named.isdisjoint(names.split())}
    for month in _HAN_MONTH.findall(text):
        found.add(int(month) if month.isdecimal() else _han_month(month))
    return found


def _han_month(written: str) -> int:
    ones = written.removeprefix("十")
    return 10 * (written != ones) + (_HAN_MONTHS.index(ones) + 1 if ones else 0)


def _short_months(plain: str) -> set[int]:
    found = {int(match[2] or match[3]) for match in _SHORT_DATE.finditer(plain)}
    for match in _SHORT_MONTH.finditer(plain):
        short = match["behind"] or match["before"]
        found |= {
            place for place, names in enumerate(_MONTHS, 1) if any(name.startswith(short) for name in names.split())
        }
    return found


def _named_days(named: frozenset[str], text: str) -> set[int]:
    stems = named | {word.removesuffix("s") for word in named}
    found = {place for place, names in enumerate(_DAYS) if not stems.isdisjoint(names.split())}
    found |= {"一二三四五六日".index(day.replace("天", "日")) for day in _HAN_DAY.findall(text)}
    return found


def _is_season(names: str, named: frozenset[str], text: str) -> bool:
    """Whether a season is named; words of other meanings too only before a year or behind "in"."""
    words = [word for word in names.split() if word in named]
    if any(word not in ("fall", "spring", "ete", "estate") for word in words):
        return True
    return any(re.search(rf"\b{word} (?:of )?\d{{4}}|\b(?:in|en|l')\s?{word}\b", text) for word in words)
