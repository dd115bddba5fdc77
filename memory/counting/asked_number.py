"""Parses numbers in a question: digits and number words, in English and Chinese.

Tables of our own, because the libraries for this know neither "a dozen" nor Chinese, and take "second" or "a" for a number.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple


class Asked(NamedTuple):
    """What a question asks to count; the fields are those of `Requirement`."""

    mode: Literal["none", "quota", "exhaustive"]
    target: int
    noun: str


NOTHING = Asked("none", 0, "")

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_UNITS = _SMALL.split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_WORDS = {word: number for number, word in enumerate(_UNITS)} | {
    word: 20 + 10 * place for place, word in enumerate(_TENS)
}
_VAGUE = {"a couple of": 2, "a couple": 2, "a few": 3, "several": 3, "a handful of": 5}
"""Vague quantities to the least number that they mean."""
_DOZENS = {"half a": 6, "a": 12, "one": 12, "two": 24, "three": 36}
_UNIT = "|".join(_UNITS[1:10])

ENGLISH_NUMBER = (
    rf"(?:(?P<digits>\d{{1,3}}(?:,\d{{3}})|\d{{1,4}})(?![\d%]|[.,:/]\d|st\b|nd\b|rd\b|th\b|-\w)"
    rf"|(?P<vague>{'|'.join(sorted(_VAGUE, key=len, reverse=True))})\b"
    rf"|(?P<dozen>{'|'.join(_DOZENS)})\s+dozens?(?:\s+of)?\b"
    rf"|(?P<hundred>a|one|two|three|four|five)\s+hundred\b"
    rf"|(?P<word>(?:{'|'.join(_TENS)})(?:[\s-](?:{_UNIT}))?|{'|'.join(reversed(_UNITS[1:]))})\b(?!-\w))"
)
"""Pattern of a whole number, except ordinals, decimals, dates, percentages and "3-digit". For use with `IGNORECASE`."""


def english_number(match: re.Match[str]) -> int:
    """The value of a match of `ENGLISH_NUMBER`."""
    if match["digits"]:
        return int(match["digits"].replace(",", ""))
    if match["vague"]:
        return _VAGUE[" ".join(match["vague"].lower().split())]
    if match["dozen"]:
        return _DOZENS[match["dozen"].lower()]
    if match["hundred"]:
        return 100 * _WORDS.get(match["hundred"].lower(), 1)
    return sum(_WORDS[part] for part in re.split(r"[\s-]", match["word"].lower()))


_HAN_DIGITS = {character: number for number, character in enumerate("零一二三四五六七八九")}
_HAN_DIGITS |= {"两": 2, "〇": 0, "俩": 2}
_HAN_SCALES = {"十": 10, "百": 100, "千": 1000}
CHINESE_NUMBER = r"(?:\d{1,4}(?![\d%.．])|[一二两三四五六七八九十百]+(?:[零一二三四五六七八九十]+)?|半打|一打|俩|仨)"


def chinese_number(text: str) -> int:
    """The value of a match of `CHINESE_NUMBER`; 0 for any other text.

    >>> [chinese_number(text) for text in ("十二", "两百", "一百零五", "三十", "半打")]
    [12, 200, 105, 30, 6]
    """
    if text.isdecimal():
        return int(text)
    if text in ("半打", "一打", "仨"):
        return {"半打": 6, "一打": 12, "仨": 3}[text]
    total = digit = 0
    for character in text:
        if character in _HAN_SCALES:
            total += (digit or 1) * _HAN_SCALES[character]
            digit = 0
        else:
            digit = _HAN_DIGITS.get(character, 0)
    return total + digit
