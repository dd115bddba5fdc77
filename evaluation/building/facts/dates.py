"""Dates and numbers as English, German, French and Chinese pages write them."""

from __future__ import annotations

import re
from datetime import date

_MONTHS = {
    name: number
    for names in (
        "january february march april may june july august september october november december",
        "jan feb mar apr may jun jul aug sep oct nov dec",
        "januar februar märz april mai juni juli august september oktober november dezember",
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    )
    for number, name in enumerate(names.split(), start=1)
}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DAY_FIRST = re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th|er|\.)? ({_MONTH})\.?,? (\d{{4}})\b", re.IGNORECASE)
_MONTH_FIRST = re.compile(rf"\b({_MONTH})\.? (\d{{1,2}})(?:st|nd|rd|th)?, (\d{{4}})\b", re.IGNORECASE)
_YEAR_FIRST = re.compile(r"\b(\d{4})-(\d{2})-(\d{2})(?!\d)|(\d{4}) ?年 ?(\d{1,2}) ?月 ?(\d{1,2}) ?[日号]")
_POINTS = re.compile(r"\b(\d{1,2})\.(\d{1,2})\.((?:19|20)\d{2})\b")
_SPAN = re.compile(r"\d{1,2}\.?\s?(?:[-–—]|to|bis|au|至|到)\s?$")
"""In front of the last day of several, which is no date of its own."""
_ENGLISH = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen"
    " nineteen twenty"
)
_GERMAN = (
    "null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn"
    " neunzehn zwanzig"
)
_FRENCH = (
    "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit"
    " dix-neuf vingt"
)
NUMBER_WORDS = {"en": _ENGLISH.split(), "de": _GERMAN.split(), "fr": _FRENCH.split()}
"""The words for 0 to 20."""
_CHINESE = "零一二三四五六七八九十"
CHINESE_WORDS = [*_CHINESE, *(f"十{digit}" for digit in _CHINESE[1:10]), "二十"]


def dates_in(text: str) -> tuple[tuple[str, date], ...]:
    """Each full date of a text as it is written, and what it means, in the order of the text."""
    found: list[tuple[int, str, date]] = []
    for pattern in (_DAY_FIRST, _MONTH_FIRST, _YEAR_FIRST, _POINTS):
        for match in pattern.finditer(text):
            meant = _meant(pattern, match)
            if meant is not None and not _SPAN.search(text, max(0, match.start() - 12), match.start()):
                found.append((match.start(), match[0], meant))
    return tuple((written, meant) for _, written, meant in sorted(found, key=lambda one: one[0]))


def only_date(text: str) -> date | None:
    """The date that a short answer is, None if it is anything else."""
    found = dates_in(text)
    return found[0][1] if len(found) == 1 and found[0][0] == text.strip() else None


def date_forms(written: str, meant: date) -> tuple[str, ...]:
    """The date as it is written, then in the forms that people answer with."""
    month = f"{meant:%B}"
    forms = (
        written,
        meant.isoformat(),
        f"{meant.day} {month} {meant.year}",
        f"{month} {meant.day}, {meant.year}",
        f"{meant.year}年{meant.month}月{meant.day}日",
    )
    return tuple(dict.fromkeys(forms))


def number_forms(number: int, language: str) -> tuple[str, ...]:
    """The number in digits, then as a word of the language where it has a short one."""
    words = _number_words(language)
    return (str(number), words[number]) if 0 < number < len(words) else (str(number),)


def number_of_word(word: str, language: str) -> int | None:
    """The number that a short word of the language says, None for any other word."""
    return next(
        (number for number, one in enumerate(_number_words(language)) if number and one == word.casefold()), None
    )


def _number_words(language: str) -> list[str]:
    return CHINESE_WORDS if language == "zh" else NUMBER_WORDS.get(language, [])


def _meant(pattern: re.Pattern[str], match: re.Match[str]) -> date | None:
    parts = [part for part in match.groups() if part is not None]
    if pattern is _DAY_FIRST:
        day, month, year = int(parts[0]), _MONTHS[parts[1].lower()], int(parts[2])
    elif pattern is _MONTH_FIRST:
        month, day, year = _MONTHS[parts[0].lower()], int(parts[1]), int(parts[2])
    elif pattern is _POINTS:
        day, month, year = (int(part) for part in parts)
    else:
        year, month, day = (int(part) for part in parts)
    try:
        return date(year, month, day)
    except ValueError:
        return None
