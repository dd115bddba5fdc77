"""Numbers as six languages write them, in digits, words and Chinese numerals."""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal
from typing import NamedTuple

from text_to_num import alpha2digit

from memory.words import lazy_re

WORD_LANGUAGES = ("en", "de", "fr", "es")
"""Languages whose number words are read."""
_COMMA_GROUPS = ("en", "zh", "ja")
"""Where "1,234" is a thousand and more; elsewhere it may be a fraction."""
_DOT_GROUPS = ("de", "es")
"""Where "1.234" is a thousand and more; elsewhere it may be a fraction."""
_BODY = lazy_re.compile(r"0[xX][0-9a-fA-F]+(?!\w)|\d+(?:[.,'’\u00a0\u202f\u2009]\d+)*(?: \d{3})*(?:[.,]\d+)?")
_SCALES: tuple[tuple[re.Pattern[str], int, tuple[str, ...]], ...] = tuple(
    (lazy_re.compile(rf"[ \u00a0]?(?:{words})", re.IGNORECASE), value, languages)
    for words, value, languages in (
        (r"(?:milliards?|milliarden?|mrd\.?)\b", 10**9, ()),
        (r"(?:mil millones|miles de millones)\b", 10**9, ()),
        (r"(?:millions?|millionen|mio\.?|millones|millón|mill\.)(?!\w)", 10**6, ()),
        (r"billions?\b", 10**9, ("en", "zh", "ja")),
        (r"(?:billionen|billón|billones)\b", 10**12, ()),
        (r"(?:thousand|tausend|tsd\.?|mille|mil)(?!\w)", 1000, ()),
        (r"兆", 10**12, ()),
        (r"[亿億]", 10**8, ()),
        (r"[万萬]", 10**4, ()),
        (r"千(?![米克])", 1000, ()),
        (r"百", 100, ()),
    )
)
_HAN_SCALES = "兆亿億万萬千百"
_UNCLEAR_SCALE = lazy_re.compile(r"[ \u00a0]?(?:billions?|trillions?)\b", re.IGNORECASE)
_HAN = lazy_re.compile(r"[〇零一二两兩三四五六七八九十百千万萬亿億]+(?:点[〇零一二三四五六七八九]+)?")
_COUNTED = "个個名位种種项項门門篇台次条條件部家所间間层層人年月日天小分秒元岁歳歲本冊枚円匹頭票页頁章节節米公倍度％%"
"""Signs behind which a single Chinese numeral is a number and no part of a word."""
_TENS = {"十": 10, "百": 100, "千": 1000}
_MYRIADS = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
_SAME_DIGIT = {"两": "二", "兩": "二", "〇": "零"}
_MINUS = lazy_re.compile(
    r"(?:(?<![\w.)])[-\u2212\u2013]|\b(?:minus|(?<!au )moins|(?<!al )(?<!lo )menos)\s|负|マイナス)$", re.IGNORECASE
)


_FROM_TWO = 2
"""Number words that stand alone are read from here on."""
_FIRST_ONE = lazy_re.compile(r"^(\W*)(?:one|eins)\b(?! (?:of|that|which|who)\b)", re.IGNORECASE)
_NO_NUMBER_BEFORE = "".join(
    rf"(?<!\b{word} )" for word in "the this that which any each every no other another".split()
)
_NO_NUMBER_BEHIND = (
    "of that which who is are was were has had can may must will would should could does did in on at by to for from with and or but"
    " as than if when where not also more after before per"
)
_COUNTING_ONE = lazy_re.compile(
    rf"(?<![\w-]){_NO_NUMBER_BEFORE}one (?=[a-z])(?!(?:{'|'.join(_NO_NUMBER_BEHIND.split())})\b)", re.IGNORECASE
)
"""One of something, and no pronoun."""


class Number(NamedTuple):
    """A number at a place of a text; `amount` is None where it can be read in two ways."""

    start: int
    end: int
    amount: Decimal | None
    digits: str


def numbers_in(text: str, language: str) -> tuple[Number, ...]:
    """The numbers written in digits, in order, with their scale ("3.2 million", "3万2千"). Digits that belong to a word (x86, ABZ'18,
    21st) are none."""
    found: list[Number] = []
    place = 0
    while match := _BODY.search(text, place):
        body = _without_later_numbers(match[0], language)
        start, end = match.start(), match.start() + len(body)
        place = end
        if _in_a_word(text, start, end):
            continue
        amount = amount_of(body, language)
        scaled, end = _with_scale(amount, text, end, language)
        place = end
        if minus := _MINUS.search(text, 0, start):
            start, scaled = minus.start(), -scaled if scaled is not None else None
        found.append(Number(start, end, scaled, body))
    return tuple(found)


def amount_of(body: str, language: str) -> Decimal | None:
    """The number that digits with points, commas, spaces or apostrophes write, or a hexadecimal one; None if they can be read in two
    ways.

    >>> amount_of("1.234,5", "en"), amount_of("1,234.5", "de"), amount_of("1,234", "en"), amount_of("1,234", "de")
    (Decimal('1234.5'), Decimal('1234.5'), Decimal('1234'), None)
    >>> amount_of("0xd6", "en")
    Decimal('214')
    """
    if body[:2] in ("0x", "0X"):
        return Decimal(int(body, 16))
    plain = re.sub(r"[’\u00a0\u202f\u2009 ]", "'", body)
    if "'" in plain:
        grouped = re.fullmatch(r"(\d{1,3}(?:'\d{3})+)(?:[.,](\d+))?", plain)
        return Decimal(f"{grouped[1].replace(chr(39), '')}.{grouped[2] or 0}") if grouped else None
    dots, commas = plain.count("."), plain.count(",")
    if not dots and not commas:
        return Decimal(plain)
    if dots and commas:
        group, point = (".", ",") if plain.rfind(",") > plain.rfind(".") else (",", ".")
        groups = rf"\d{{1,3}}(?:{re.escape(group)}\d{{3}})+{re.escape(point)}\d+"
        indian = r"\d{1,2}(?:,\d{2})+,\d{3}\.\d+"
        fits = re.fullmatch(groups, plain) or re.fullmatch(indian, plain)
        return Decimal(plain.replace(group, "").replace(point, ".")) if fits else None
    return _one_mark(plain, "." if dots else ",", language)


def _one_mark(plain: str, mark: str, language: str) -> Decimal | None:
    head, *rest = plain.split(mark)
    grouped = 0 < len(head) <= 3 and all(len(part) == 3 for part in rest)
    if len(rest) > 1:
        is_indian = mark == "," and re.fullmatch(r"\d{1,2}(?:,\d{2})+,\d{3}", plain) is not None
        return Decimal(head + "".join(rest)) if grouped or is_indian else None
    if not grouped or head.startswith("0"):
        return Decimal(f"{head}.{rest[0]}")
    groups_here = _COMMA_GROUPS if mark == "," else _DOT_GROUPS
    return Decimal(head + rest[0]) if language in groups_here else None


def in_digits(text: str, language: str) -> str:
    """The text with number words in digits, of the question's language or of English. "One" is a number before what is counted and at
    the start of a text; elsewhere it may be a pronoun, and the word for it in other languages an article.

    >>> in_digits("two crews, one boat", "en"), in_digits("the one that sails", "en"), in_digits("eine Seite", "de")
    ('2 crews, 1 boat', 'the one that sails', 'eine Seite')
    """
    for tongue in dict.fromkeys((language, "en")):
        if tongue in WORD_LANGUAGES:
            told: str = alpha2digit(text, tongue, threshold=_FROM_TWO)
            if told != text:
                text = told
                break
    return _COUNTING_ONE.sub("1 ", _FIRST_ONE.sub(r"\g<1>1", text))


def han_numbers_in(text: str) -> tuple[Number, ...]:
    """The numbers in Chinese numerals, in order."""
    found = []
    for match in _HAN.finditer(text):
        before, after = text[: match.start()][-1:], text[match.end() :][:1]
        is_number = len(match[0]) > 1 or (match.start() == 0 and not after) or (after and after in _COUNTED)
        if is_number and before != "第":
            amount = han_amount(match[0])
            signed = -amount if amount is not None and before == "负" else amount
            found.append(Number(match.start(), match.end(), signed, match[0]))
    return tuple(found)


def han_amount(written: str) -> Decimal | None:
    """The number that Chinese numerals write, with units of ten (三千二百) or digit by digit (二〇二一); None if they write none."""
    whole, _, fraction = written.partition("点")
    decimals = "".join(_han_digit(sign) for sign in fraction)
    if not any(sign in _TENS or sign in _MYRIADS for sign in whole):
        digits = "".join(_han_digit(sign) for sign in whole)
        return Decimal(f"{digits}.{decimals or 0}") if digits else None
    total = section = digit = 0
    last = 0
    for sign in whole:
        if sign in _TENS:
            section += (digit or 1) * _TENS[sign]
            digit, last = 0, _TENS[sign]
        elif sign in _MYRIADS:
            total = (
                (total + section + digit) * _MYRIADS[sign]
                if _MYRIADS[sign] > total
                else total + (section + digit) * _MYRIADS[sign]
            )
            section = digit = 0
            last = _MYRIADS[sign]
        elif digit:
            return None  # 三四十 is "thirty or forty"
        else:
            digit = int(_han_digit(sign))
            last = 1 if sign in "零〇" else last
    # 三千二 is 3200: a digit alone behind a unit counts the next smaller one.
    return Decimal(f"{total + section + digit * (last // 10 if last > 10 else 1)}.{decimals or 0}")


def _han_digit(sign: str) -> str:
    return str(int(unicodedata.numeric(_SAME_DIGIT.get(sign, sign), 0)))


def _without_later_numbers(body: str, language: str) -> str:
    """The body without what a plain space divides from it, unless it is one number in groups of three."""
    if " " not in body:
        return body
    is_grouped = re.fullmatch(r"\d{1,3}(?: \d{3})+(?:[.,]\d+)?", body) is not None
    is_usual = language not in ("en", "zh", "ja") or body.endswith(" 000")  # no number of its own
    return body if is_grouped and is_usual else body.split(" ", maxsplit=1)[0]


def _in_a_word(text: str, start: int, end: int) -> bool:
    before, after = text[:start][-2:], text[end:][:2]
    glued = bool(re.search(r"[A-Za-zÀ-ɏ_][-'’.]?$|[#/]$", before))
    ordinal = re.match(r"(?:st|nd|rd|th|er|ère|º|ª)(?!\w)", text[end:][:4])
    return glued or ordinal is not None or bool(re.match(r"[/_]\w", after))


def _with_scale(amount: Decimal | None, text: str, end: int, language: str) -> tuple[Decimal | None, int]:
    """The number with the scale behind it, and with what follows in smaller ones ("3億2千万")."""
    factor, after, last = 1, end, ""
    while scale := _scale_at(text, after, language):
        if factor > 1 and not (last in _HAN_SCALES and text[after] in _HAN_SCALES):
            break
        factor, last, after = factor * scale[0], text[scale[1] - 1], scale[1]
    if after == end:
        unclear = _UNCLEAR_SCALE.match(text, end)
        return (None, unclear.end()) if unclear else (amount, end)
    scaled = amount * factor if amount is not None else None
    more = re.match(r"\d{1,4}(?!\d)", text[after:]) if last in _HAN_SCALES and factor >= 1000 else None
    if more is None or scaled is None:
        return scaled, after
    rest, end = _with_scale(Decimal(more[0]), text, after + more.end(), language)
    return (scaled + rest if rest is not None and rest < factor else None), end


def _scale_at(text: str, place: int, language: str) -> tuple[int, int] | None:
    for pattern, value, languages in _SCALES:
        if (not languages or language in languages) and (found := pattern.match(text, place)):
            return value, found.end()
    return None
