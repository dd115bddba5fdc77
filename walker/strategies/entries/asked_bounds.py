"""Numbers, dates and times that a question sets as bounds ("more than 700 kg", "since 2009", "五十个以上")."""

from __future__ import annotations

import datetime as dt
import re
from decimal import Decimal
from functools import lru_cache, partial
from typing import TypeGuard

import msgspec

from memory.words import lazy_re
from walker.strategies.values.units import converted
from walker.strategies.values.value_kinds import Clock, Days, Measure, Value
from walker.strategies.values.written_numbers import han_amount, in_digits
from walker.strategies.values.written_values import found_values

ABOUT = Decimal("0.1")
"""How far, as a share, a number may be from what is "about" it."""
_BEFORE: tuple[tuple[str, str], ...] = (
    (
        "least",
        (
            r"no(?:t)? (?:less|fewer|earlier|lower|shorter) than|at least|minimum(?: of)?|since"
            r"|starting(?: in| from| at)?|mindestens|nicht (?:weniger|vor)(?: als)?|ab|seit|au moins|depuis"
            r"|à partir d[eu']|dès|al menos|por lo menos|como mínimo|desde|a partir de|no menos de|pelo menos"
            r"|almeno|至少|不少于|不低于|达到(?:或超过)?|自|从"
        ),
    ),
    (
        "most",
        (
            r"no(?:t)? (?:more|later|higher|longer|greater) than|at most|up to|until|till|through|maximum(?: of)?"
            r"|höchstens|maximal|nicht mehr als|bis(?: zum?)?|au plus|jusqu['’](?:à|en|au)|au maximum|como máximo"
            r"|a lo sumo|hasta|no más de|até|fino al?|不超过|不多于|不高于|至多|最多|截至"
        ),
    ),
    (
        "less",
        (
            r"(?:less|fewer|(?:short|small|low|cheap|young|earli|light|slow|near|clos|narrow|thin|few)\w*er) than"
            r"|under|below|before|prior to|weniger als|unter|vor|(?:kürz|klein|niedrig|billig|leicht|jüng"
            r"|früh)er als|moins d[e']|avant|inférieure?s? à|menos de|antes de|inferior(?:es)? a"
            r"|menor(?:es)? (?:que|de|a)|abaixo de|meno di|prima de[l]?|少于|小于|低于|不到|不足|早于|未满"
        ),
    ),
    (
        "more",
        (
            r"more than|\w+er than|over|above|beyond|exceed\w*|after|later than|mehr als|über|\w+er als|nach"
            r"|plus d[e']|supérieure?s? à|après|más de|mayor(?:es)? (?:que|de|a)|superior(?:es)? a|después de|tras"
            r"|mais de|depois de|acima de|più di|dopo(?: il)?|超过|大于|多于|高于|晚于|逾"
        ),
    ),
    (
        "about",
        (
            r"about|around|roughly|approximately|circa|ca\.?|rund|etwa|ungefähr|environ|autour de|alrededor de"
            r"|aproximadamente|unos|cerca de|大?约|左右"
        ),
    ),
)
"""What is said before a number, by the bound that it sets."""
_BEHIND: tuple[tuple[str, str], ...] = (
    (
        "least",
        (
            r"(?:or|and) (?:more|above|over|higher|later|older|longer|up(?:wards)?|greater)|onwards?|(?:oder"
            r"|und) (?:mehr|höher|später)|(?:ou|et) (?:plus|davantage)|(?:o|y) más|ou mais|o più|及?以上|或以上"
            r"|[或及]?更[多晚高大长]|之后|以后|以来|起"
        ),
    ),
    (
        "most",
        (
            r"(?:or|and) (?:less|fewer|under|below|lower|earlier|younger|shorter)|oder weniger|ou moins|o menos"
            r"|及?以下|以内|或更[少早低小]"
        ),
    ),
    (
        "less",
        (r"之前|以前"),
    ),
    (
        "about",
        (r"左右|上下"),
    ),
)
"""What is said behind it."""
_FILL = (
    r"(?:(?:the )?(?:year|age)(?: of)?|l['’]an(?:née)?|el año|año|dem jahr|jahr|the|el|le|den?|dem|les?|a|an|only|nur)?"
)
_HAN = lazy_re.compile(r"[\u3400-\u9fff]")
CUE_CHARS = 40
"""Signs before a number in which its bound is told."""


def _patterns(cues: tuple[tuple[str, str], ...], form: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, lazy_re.compile(form.replace("CUES", words), re.IGNORECASE)) for name, words in cues)


_CUES = _patterns(_BEFORE, rf"(?<!\w)(?:CUES)\s*{_FILL}\s*$")
_HAN_CUES = _patterns(_BEFORE, r"(?:CUES)\s*[\u3400-\u9fff]{0,3}\s*$")
_CUES_BEHIND = _patterns(_BEHIND, r"(?:\s+[^\W\d_]+){0,2}?\s*(?:CUES)")
_HAN_BEHIND = _patterns(_BEHIND, r"\s*[\u3400-\u9fff]{0,2}?(?:CUES)")
_BETWEEN = lazy_re.compile(
    r"(?:\b(?:between|from|zwischen|von|entre|de|du|des|del|desde|da|tra)|[从自])\s*(?:the |el |le |den? |dem )?$",
    re.IGNORECASE,
)
_AND = lazy_re.compile(
    r"\s*(?:and|to|until|till|through|und|bis|et|à|au|y|a|al|e|hasta|[-–—~～]|[到至和与])\s*(?:the |el |le )?",
    re.IGNORECASE,
)
_DECADE = lazy_re.compile(
    r"\b(?P<full>1[0-9]\d|20\d)0['’]?(?:s|er)\b|(?<![\d年])(?P<two>[1-9])0(?:er\b|年代)|\b(?:années|años|anos)\s+(?P<behind>[1-9])0\b"
    r"|(?P<year>1[0-9]\d|20\d)0年代",
    re.IGNORECASE,
)
_CENTURY = lazy_re.compile(
    r"(?P<digits>\d{1,2})(?:st|nd|rd|th|\.|e|er|ème)?\s*(?:century|jahrhundert\w*|siècle|世纪)"
    r"|\b(?P<roman>[IVX]{2,5}|V|X)(?:e|ème)?\s+siècle|\bsiglo\s+(?P<spanish>[IVX]+)\b|\b(?:século|secolo)\s+(?P<other>[IVX]+)\b",
    re.IGNORECASE,
)
_FORTIES = {
    word: decade
    for decade, words in (
        (2, "twenties zwanziger vingt veinte"), (3, "thirties dreißiger trente treinta"), (4, "forties vierziger quarante cuarenta"),
        (5, "fifties fünfziger cinquante cincuenta"), (6, "sixties sechziger soixante sesenta"), (7, "seventies siebziger setenta"),
        (8, "eighties achtziger ochenta"), (9, "nineties neunziger noventa"),
    )
    for word in words.split()
}  # fmt: skip
_DECADE_NAMED = lazy_re.compile(
    r"\b(?:the |den? |der )?(?P<alone>twenties|thirties|forties|fifties|sixties|seventies|eighties|nineties|\w+ziger)\b"
    r"|\b(?:années|años)\s+(?P<behind>[^\W\d]+)",
    re.IGNORECASE,
)
_O_CLOCK = lazy_re.compile(r"(?<![\d:])(\d{1,2}) ?o['’]clock", re.IGNORECASE)
_NOON = lazy_re.compile(r"\b(?:noon|midday|mittags?|midi|mediodía)\b|中午", re.IGNORECASE)
_HAN_TIME = lazy_re.compile(
    r"([一二三四五六七八九十]{1,3})[点點时](?![一二三四五六七八九]十?[%％])(半|一刻|三刻|钟|整)?"
)
_day_part = partial(lazy_re.compile, flags=re.IGNORECASE)
_HAN_MINUTES = {"半": "30", "一刻": "15", "三刻": "45"}
_DAY_PARTS: tuple[tuple[re.Pattern[str], int, int], ...] = (
    (_day_part(r"\b(?:morning|vormittags?|morgens|matin|por la mañana|mattina|de manhã)\b|上午|早上"), 0, 12 * 60 - 1),
    (_day_part(r"\b(?:afternoon|nachmittags?|après-midi|por la tarde|pomeriggio)\b|下午"), 12 * 60, 18 * 60 - 1),
    (_day_part(r"\b(?:evening|abends?|soir|por la noche|sera)\b|晚上"), 17 * 60, 24 * 60),
)


class Bound(msgspec.Struct, frozen=True, kw_only=True):
    """A range that the values of the meant entries lie in; a side that is None is open."""

    low: Value | None = None
    high: Value | None = None
    beyond: bool = False
    """Its ends do not belong to it."""
    text: str = ""
    """The words of the question that set it."""
    noun: str = ""
    """The word behind its number: "points" of "20 points or more"."""

    @property
    def is_exact(self) -> bool:
        """Whether it is one number, of which the question does not say that it is a bound."""
        return self.low is self.high and isinstance(self.low, Measure) and not is_year(self.low)

    @property
    def end(self) -> Value:
        """One of its ends."""
        found = self.low if self.low is not None else self.high
        assert found is not None
        return found

    @property
    def unit(self) -> str:
        """The unit of its ends, "" for none."""
        return self.end.unit if isinstance(self.end, Measure) else ""

    @property
    def is_of_years(self) -> bool:
        """Whether its ends are years or days."""
        return is_dated(self.end)


@lru_cache(maxsize=64)
def bounds_of(question: str, language: str) -> tuple[Bound, ...]:
    """The bounds of a question, in order."""
    text = _on_the_clock(in_digits(question, language))
    spans = _spans(text)
    found = [
        one
        for one in found_values(text, language)
        if not any(one.start < end and start < one.end for start, end, _ in spans)
    ]
    bounds: list[Bound] = []
    taken = 0
    for place, one in enumerate(found):
        if one.start < taken or not isinstance(one.value, Measure | Days | Clock):
            continue
        other = found[place + 1] if place + 1 < len(found) else None
        if other is not None and _AND.fullmatch(text[one.end : other.start]) and type(other.value) is type(one.value):
            opens = _BETWEEN.search(text[: one.start])
            if opens or (is_year(one.value) and is_year(other.value)):
                start = opens.start() if opens else one.start
                bounds.append(Bound(low=one.value, high=other.value, text=text[start : other.end]))
                taken = other.end
                continue
        bound = _one_sided(text, one.start, one.end, one.value)
        if bound is not None:
            noun = re.match(r"\s*([^\W\d_]{3,})", text[one.end :])
            bounds.append(msgspec.structs.replace(bound, noun=noun[1] if noun else ""))
    return (*bounds, *(bound for _, _, bound in spans))


def _on_the_clock(text: str) -> str:
    """The text with times in words as clocks show them: "5 o'clock", "noon", 九点一刻."""
    text = _O_CLOCK.sub(r"\1:00", text)
    text = _NOON.sub("12:00", text)
    return _HAN_TIME.sub(
        lambda match: f"{int(han_amount(match[1]) or 0)}:{_HAN_MINUTES.get(match[2] or '', '00')}", text
    )


def _one_sided(text: str, start: int, end: int, value: Value) -> Bound | None:
    before, behind = text[:start], text[end:]
    kind = words = ""
    for name, pattern in _HAN_BEHIND if _HAN.search(behind[:3]) else _CUES_BEHIND:
        if match := pattern.match(behind):
            kind, words = name, text[start : end + match.end()]
            break
    for name, pattern in () if kind else _HAN_CUES if _HAN.search(before[-4:]) else _CUES:
        if match := pattern.search(before[-CUE_CHARS:]):
            kind, words = name, before[-CUE_CHARS:][match.start() :] + text[start:end]
            break
    if not kind:
        return Bound(low=value, high=value, text=text[start:end])
    if kind == "about":
        return _about(value, words)
    return Bound(
        low=value if kind in ("least", "more") else None,
        high=value if kind in ("most", "less") else None,
        beyond=kind in ("more", "less"),
        text=words,
    )


def _about(value: Value, words: str) -> Bound | None:
    if not isinstance(value, Measure) or is_year(value):
        return None
    off = value.amount.copy_abs() * ABOUT
    low, high = (msgspec.structs.replace(value, amount=amount) for amount in (value.amount - off, value.amount + off))
    return Bound(low=low, high=high, text=words)


def _spans(text: str) -> list[tuple[int, int, Bound]]:
    """Decades, centuries and parts of the day, with their places."""
    found = []
    for match in _DECADE.finditer(text):
        parts = match.groupdict()
        first = int(parts["full"] or parts["year"] or f"19{parts['two'] or parts['behind']}") * 10
        found.append((*match.span(), _years(first, first + 9, match[0])))
    for match in _DECADE_NAMED.finditer(text):
        word = (match["alone"] or match["behind"]).casefold()
        if decade := _FORTIES.get(word):
            found.append((*match.span(), _years(1900 + 10 * decade, 1909 + 10 * decade, match[0])))
    for match in _CENTURY.finditer(text):
        roman = match["roman"] or match["spanish"] or match["other"]
        number = int(match["digits"]) if match["digits"] else _roman(roman)
        if 5 <= number <= 21:
            found.append((*match.span(), _years(100 * number - 100, 100 * number - 1, match[0])))
    for pattern, first, last in _DAY_PARTS:
        if told := pattern.search(text):
            low, high = (Clock(minutes=minutes, written="") for minutes in (first, last))
            found.append((*told.span(), Bound(low=low, high=high, text=told[0])))
    return found


def _years(first: int, last: int, text: str) -> Bound:
    low, high = dt.date(first, 1, 1), dt.date(last, 12, 31)
    return Bound(low=Days(first=low, last=low, written=""), high=Days(first=high, last=high, written=""), text=text)


def _roman(written: str) -> int:
    worth = [{"I": 1, "V": 5, "X": 10}[sign] for sign in written.upper()]
    return sum(-one if one < following else one for one, following in zip(worth, (*worth[1:], 0), strict=True))


def is_year(value: Value) -> TypeGuard[Measure]:
    """Whether a value is a bare number that may be a year."""
    return (
        isinstance(value, Measure)
        and not value.unit
        and 1000 <= value.amount <= 2100
        and value.amount == int(value.amount)
        and len(value.digits) == 4
    )


def is_dated(value: Value) -> bool:
    """Whether a value is a year, a day or several."""
    return isinstance(value, Days) or is_year(value)


def lies_within(value: Value, bound: Bound) -> bool | None:
    """Whether a value lies within a bound; None for one that is not to be compared with it."""
    low = _order(value, bound.low) if bound.low is not None else 1
    high = _order(value, bound.high) if bound.high is not None else -1
    if low is None or high is None:
        return None
    return low > 0 > high if bound.beyond else low >= 0 >= high


def _order(value: Value, end: Value) -> int | None:
    """1, 0 or -1: a value above, within or below the end of a bound; None where they cannot be compared."""
    if isinstance(value, Measure) and isinstance(end, Measure):
        amount = value.amount if "" in (value.unit, end.unit) else converted(value.amount, value.unit, end.unit)
        if amount is None:
            return None
        return (amount > end.amount) - (amount < end.amount)
    if isinstance(value, Clock) and isinstance(end, Clock):
        return (value.minutes > end.minutes) - (value.minutes < end.minutes)
    one, other = _days(value), _days(end)
    if one is None or other is None:
        return None
    return (one[0] > other[1]) - (one[0] < other[0])


def _days(value: Value) -> tuple[dt.date, dt.date] | None:
    if isinstance(value, Days):
        return value.first, value.last
    if is_year(value):
        return dt.date(int(value.amount), 1, 1), dt.date(int(value.amount), 12, 31)
    return None
