"""One value out of the text of a part: a number, a date, a truth value, an address. What can be read in two ways is none."""

from __future__ import annotations

import datetime as dt
import re
from decimal import Decimal
from typing import Any

import msgspec

from memory.words import lazy_re
from perception.markup.parts import Part
from walker.extraction.field_meaning import FieldMeaning
from walker.extraction.schemas.wanted import WantedScalar
from walker.strategies.values.units import MONEY, converted
from walker.strategies.values.value_kinds import Clock, Days, Measure, Unclear, Value
from walker.strategies.values.written_values import found_values, is_same

_OUT_OF = lazy_re.compile(r"(?<=\d)\s*(?:/|out of|of|von|sur|de|su)\s*\d+(?:[.,]\d+)?", re.IGNORECASE)
_PLAIN_NUMBER = lazy_re.compile(r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
_ISO = lazy_re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$")
_SPAN = lazy_re.compile(r"P(?:(?P<d>\d+)D)?(?:T(?:(?P<h>\d+)H)?(?:(?P<m>\d+)M)?(?:(?P<s>\d+)(?:\.\d+)?S)?)?$")
ISO_DAY = 10
"""Characters of a date of ISO 8601 without a time."""
_DAYS = lazy_re.compile(
    r"(?<!\d)(?P<first>\d{1,2})(?:st|nd|rd|th|er|º|\.)?\s*(?:-|–|—|to|until|bis|au|al|hasta|and|und|et|y)\s*(?P<last>\d{1,2})(?!\d)",
    re.IGNORECASE,
)
_EMAIL = lazy_re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_WEB = lazy_re.compile(r"https?://[^\s<>\"')]+")
_YES = frozenset(
    "yes|true|ja|oui|sí|si|是|有|はい|✓|✔|☑|on|available|instock|in stock|auf lager|lieferbar|sofort lieferbar|en stock|disponible"
    "|有货|現貨|limitedavailability|onlineonly|instoreonly|included|inklusive".split("|")
)
_NO = frozenset(
    "no|false|nein|non|否|无|無|いいえ|✗|✘|✖|☐|off|unavailable|outofstock|out of stock|sold out|soldout|ausverkauft|nicht lieferbar|"
    "nicht auf lager|épuisé|rupture de stock|agotado|缺货|售罄|discontinued|not available|not included|none".split("|")
)
_SCHEMA_TAIL = lazy_re.compile(r"^https?://schema\.org/(\w+)$")


class Unread(msgspec.Struct, frozen=True):
    """Why a text gives no value of the wanted kind."""

    reason: str


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """What a field wants, and the language of the page, which tells how digits are grouped."""

    wanted: WantedScalar
    meaning: FieldMeaning
    language: str = "en"


def read_value(part: Part, reading: Reading) -> Any | Unread:
    """The value that a part states, within the limits of the schema."""
    wanted = reading.wanted
    if wanted.options:
        return _option(part, wanted)
    value: Any
    match wanted.kind:
        case "number" | "integer":
            value = _number(part, reading)
        case "boolean":
            value = _truth(part.text)
        case "date" | "datetime":
            value = _date(part, wanted.kind, reading.meaning.concept)
        case "time":
            value = _time(part)
        case "url":
            value = part.url or _matched(_WEB, part.text, "an address")
        case "email":
            value = _matched(_EMAIL, f"{part.machine} {part.text}", "an e-mail address")
        case "string":
            value = _text(part, reading.meaning)
    return value if isinstance(value, Unread) else _within(value, wanted)


def _text(part: Part, meaning: FieldMeaning) -> str | Unread:
    if meaning.concept in ("url", "image"):
        return part.url or Unread("it leads nowhere")
    if meaning.concept == "email":
        found = _EMAIL.search(f"{part.machine} {part.text}")
        return found[0] if found else Unread(f"“{part.text[:60]}” is no e-mail address")
    if meaning.concept in ("unit", "currency"):
        return _sign(part.text)
    tail = _SCHEMA_TAIL.match(part.text)
    return tail[1] if tail else part.text


def _sign(text: str) -> str | Unread:
    """The one unit that a text names, by its usual name: EUR for €."""
    if re.fullmatch(r"[A-Z]{3}", text):
        return text
    units = {one.value.unit for one in found_values(text) if isinstance(one.value, Measure) and one.value.unit}
    return next(iter(units)) if len(units) == 1 else Unread(f"“{text[:60]}” names {len(units) or 'no'} unit")


def _number(part: Part, reading: Reading) -> float | int | Unread:
    amount = _amount(part, reading)
    if isinstance(amount, Unread):
        return amount
    if reading.wanted.kind == "integer":
        return int(amount) if amount == amount.to_integral_value() else Unread(f"{amount} is no whole number")
    return int(amount) if amount == amount.to_integral_value() else float(amount)


def _amount(part: Part, reading: Reading) -> Decimal | Unread:
    unit = reading.meaning.unit
    machine = part.machine.strip()
    if (span := _SPAN.match(machine or part.text)) and any(span.groups()):
        return _span_amount(span, unit)
    if machine and _PLAIN_NUMBER.fullmatch(machine) and not unit:
        return Decimal(machine)
    measures = _measures(_OUT_OF.sub("", part.text), reading)
    if isinstance(measures, Unread):
        return measures
    distinct = [one for place, one in enumerate(measures) if not any(is_same(one, other) for other in measures[:place])]
    if len(distinct) != 1:
        return Unread(f"“{part.text[:60]}” states {len(distinct)} numbers")
    (found,) = distinct
    if not unit:
        return found.amount
    return _in_unit(found, unit, part)


def _measures(text: str, reading: Reading) -> list[Measure] | Unread:
    """The numbers of a text; of a price those with a sign of money, if any has one."""
    values: list[Value] = [one.value for one in found_values(text, reading.language)]
    if any(isinstance(one, Unclear) for one in values):
        return Unread(f"“{text[:60]}” can be read in two ways")
    years = [Decimal(one.first.year) for one in values if isinstance(one, Days)]
    if reading.meaning.concept in ("year", "founded") and len(years) == 1:
        return [Measure(amount=years[0], written=str(years[0]))]
    measures = [one for one in values if isinstance(one, Measure)]
    if len(measures) != len(values) or not measures:
        return Unread(f"“{text[:60]}” is no number")
    if reading.meaning.is_money and (money := [one for one in measures if one.unit in MONEY]):
        return money
    return measures


def _in_unit(found: Measure, unit: str, part: Part) -> Decimal | Unread:
    if found.unit:
        alike = {"$": "USD", "¥": "JPY"}.get(found.unit, found.unit) if unit == "USD" else found.unit
        amount = converted(found.amount, alike, unit)
        return amount if amount is not None else Unread(f"the page gives {found.written}, and {unit} is wanted")
    if re.search(rf"(?<!\w){re.escape(unit)}(?!\w)", part.label, re.IGNORECASE):
        return found.amount
    return Unread(f"the page gives {found.written} without a unit, and {unit} is wanted")


def _span_amount(span: re.Match[str], unit: str) -> Decimal | Unread:
    """A duration of ISO 8601 in a unit of time, minutes where none is named."""
    seconds = sum(Decimal(span[name] or 0) * size for name, size in (("d", 86400), ("h", 3600), ("m", 60), ("s", 1)))
    amount = converted(Decimal(seconds), "s", unit or "min")
    return amount if amount is not None else Unread(f"the page gives {span[0]}, and {unit} is wanted")


def _truth(text: str) -> bool | Unread:
    told = text.casefold().strip(" .!")
    tail = _SCHEMA_TAIL.match(text)
    told = tail[1].casefold() if tail else told
    if told in _YES:
        return True
    if told in _NO or re.match(r"(?:not|no|nicht|nein|out of|sold|ausverkauft|不|无|没)\b", told):
        return False if told in _NO else Unread(f"“{text[:60]}” is neither yes nor no")
    if re.match(r"(?:in stock|auf lager|en stock|有货)\b", told):
        return True
    return Unread(f"“{text[:60]}” is neither yes nor no")


def _date(part: Part, kind: str, concept: str) -> str | Unread:
    for text in (part.machine.strip(), part.text):
        moment = _iso_moment(text) if _ISO.match(text) else None
        if moment is not None and kind == "date":
            return moment.date().isoformat()
        if moment is not None and len(text) > ISO_DAY:
            return moment.isoformat()
    values = [one.value for one in found_values(part.text)]
    day = _only_day(part.text, values, concept)
    if isinstance(day, Unread) or kind == "date":
        return day if isinstance(day, Unread) else day.isoformat()
    clocks = [one for one in values if isinstance(one, Clock)]
    if len(clocks) != 1 or clocks[0].minutes >= 1440:
        return Unread(f"“{part.text[:60]}” states no time of day, or several")
    return f"{day.isoformat()}T{_clock(clocks[0].minutes)}"


def _iso_moment(text: str) -> dt.datetime | None:
    try:
        return dt.datetime.fromisoformat(text)
    except ValueError:
        return None


def _only_day(text: str, values: list[Value], concept: str) -> dt.date | Unread:
    """The one day that a text states; of a range the first or the last, if the field is about that."""
    days = {one.first for one in values if isinstance(one, Days) and one.first == one.last}
    if any(isinstance(one, Unclear) for one in values) and not days:
        return Unread(f"“{text[:60]}” can be read in two ways, or has no year")
    span = _day_span(text, sorted(days))
    if span is not None:
        ends = {"start": span[0], "end": span[1]}
        return ends[concept] if concept in ends else Unread(f"“{text[:60]}” is a range of days")
    if len(days) != 1:
        return Unread(f"“{text[:60]}” states {len(days) or 'no'} date{'s' if len(days) > 1 else ''} to the day")
    return next(iter(days))


def _day_span(text: str, days: list[dt.date]) -> tuple[dt.date, dt.date] | None:
    """The first and the last day of a range: "6 to 9 September 2027", "Jun 1, 2027 – Jun 4, 2027". None for what is no range."""
    if len(days) == 2 and re.search(r"[^\W\d_]?\s(?:-|–|—|to|until|bis|au|al|hasta)\s", text):
        return days[0], days[1]
    match = _DAYS.search(text)
    if (
        match is None
        or len(days) != 1
        or int(match["last"]) != days[0].day
        or not 0 < int(match["first"]) < days[0].day
    ):
        return None
    return days[0].replace(day=int(match["first"])), days[0]


def _time(part: Part) -> str | Unread:
    clocks = [one.value for one in found_values(part.text) if isinstance(one.value, Clock)]
    if len(clocks) != 1:
        return Unread(f"“{part.text[:60]}” states {len(clocks) or 'no'} time of day")
    return _clock(clocks[0].minutes)


def _clock(minutes: int) -> str:
    return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}:00"


def _matched(pattern: re.Pattern[str], text: str, what: str) -> str | Unread:
    found = dict.fromkeys(one.rstrip(".,;") for one in pattern.findall(text))
    return next(iter(found)) if len(found) == 1 else Unread(f"“{text[:60].strip()}” states {what} {len(found)} times")


def _option(part: Part, wanted: WantedScalar) -> Any | Unread:
    """The option that the text is, else the only one that it names."""
    tail = _SCHEMA_TAIL.match(part.text)
    told = _letters(tail[1] if tail else part.text)
    exact = [one for one in wanted.options if _letters(str(one)) == told]
    if len(exact) == 1:
        return exact[0]
    words = f" {_spaced(part.text)} "
    named = [one for one in wanted.options if f" {_spaced(str(one))} " in words]
    if len(named) == 1 and not re.search(r"\b(?:not|no|nicht|kein\w*|non|pas|sin)\b", words):
        return named[0]
    return Unread(f"“{part.text[:60]}” is none of {', '.join(map(str, wanted.options))}")


def _spaced(text: str) -> str:
    return " ".join(re.sub(r"[\W_]+", " ", text).casefold().split())


def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


def _within(value: Any, wanted: WantedScalar) -> Any | Unread:
    """The value, if it keeps to what the schema allows."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        too_small = wanted.least is not None and (value < wanted.least or (wanted.is_above and value == wanted.least))
        too_large = wanted.most is not None and (value > wanted.most or (wanted.is_below and value == wanted.most))
        return Unread(f"{value} is outside what the schema allows") if too_small or too_large else value
    if isinstance(value, str):
        is_long = wanted.most_chars is not None and len(value) > wanted.most_chars
        if len(value) < wanted.least_chars or is_long:
            return Unread(f"“{value[:60]}” has {len(value)} characters, which the schema does not allow")
        if wanted.pattern and not re.search(wanted.pattern, value):
            return Unread(f"“{value[:60]}” does not match {wanted.pattern}")
    return value
