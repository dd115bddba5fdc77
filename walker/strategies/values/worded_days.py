"""When something is, in other words than a date: weekdays, months, parts of a year, times of day, as six languages write them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory.words import lazy_re

_WEEKDAY = (
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch)(?:morgen|vormittag|mittag|nachmittag|abend)?s?|sonnabends?"
    r"|lundis?|mardis?|mercredis?|jeudis?|vendredis?|samedis?|dimanches?|lunes|martes|miércoles|jueves|viernes|sábados?|domingos?"
)
_MONTH = (
    r"january|february|april|june|july|august|september|october|november|december|jänner|januar|februar|märz|mai|juni|juli"
    r"|oktober|dezember|janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre|enero|febrero|marzo|abril"
    r"|mayo|junio|julio|agosto|sept?iembre|octubre|noviembre|diciembre"
)
_PART = r"spring|summer|autumn|frühjahr|frühling|sommer|herbst|printemps|automne|primavera|verano|otoño"
_DAYPART = (
    r"mornings?|afternoons?|evenings?|nights?|midnight|noon|morgens?|vormittags?|nachmittags?|abends?|mitternacht|matins?|soirs?"
    r"|midi|minuit|medianoche|mediodía"
)
_TIME = (
    r"(?<![\d:.])(?:[01]?\d|2[0-4])(?:[:：][0-5]\d(?: ?[ap]\.?m\b)?|\.[0-5]\d ?(?:[ap]\.?m\b|uhr\b)| ?[ap]\.?m\b| ?uhr\b"
    r"| ?h(?:eures?)?\b(?: ?[0-5]\d)?)"
)
_DAY_MONTH = r"(?<![\d./])\d{1,2}(?:\.\d{1,2}\.(?!\d)|/\d{1,2}(?![\d/]))"
_WHEN = lazy_re.compile(
    rf"(?<!\w)(?:{_WEEKDAY}|{_MONTH}|{_PART}|{_DAYPART})(?!\w)|(?-i:\b(?:March|May)\b)|\b(?:en |cet |l['’])été\b|{_TIME}|{_DAY_MONTH}"
    r"|(?:每[周週星][期]?|每[月年]|[周週]|星期|礼拜)[一二三四五六日天末](?:\s*[至到、和-]\s*(?:[周週]|星期)?[一二三四五六日天])?"
    r"|[月火水木金土日]曜日?|(?<!\d)\d{1,2}\s*月(?:[上中下]旬|[初末底])?|[春夏秋冬][季天]|[上下]午|中午|晚上|[大高初][一二三四](?:[上下]学期)?",
    re.IGNORECASE,
)


def days_in_words(text: str) -> Iterator[tuple[int, int]]:
    """Where such words stand in a text, in order; neighbours that a blank or a hyphen joins are one ("Tuesday evening")."""
    start = end = -1
    for match in _WHEN.finditer(text):
        if end >= 0 and match.start() - end <= 1 and text[end : match.start()] in ("", " ", "-"):
            end = match.end()
            continue
        if end >= 0:
            yield start, end
        start, end = match.span()
    if end >= 0:
        yield start, end
