"""Computes answers from cited values: the one place that adds, compares and counts days. What is unclear gives no result."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import get_args

import msgspec

from memory.words import lazy_re
from walker.seams.calculations import CalculationName, Checking, Choosing
from walker.strategies.values.units import bytes_between, converted, size_named_in, time_named_in, unit_named_in
from walker.strategies.values.value_kinds import Clock, Days, Measure, Value, Version
from walker.strategies.values.written_dates import days_of
from walker.strategies.values.written_times import as_clocks, as_durations, in_hours
from walker.strategies.values.written_values import is_same, only_value, values_in

CHOOSING, _CHECKING = frozenset(get_args(Choosing)), frozenset(get_args(Checking))
YES_NO = {
    "en": ("yes", "no"),
    "zh": ("是", "否"),
    "de": ("ja", "nein"),
    "fr": ("oui", "non"),
    "es": ("sí", "no"),
    "ja": ("はい", "いいえ"),
}
"""Both answers by the language of the question; English for any other."""
PLACES = 4
"""Decimals of a quotient."""
MOST_PLACES = 12
"""Decimals with which an amount stands nowhere: it was converted."""
_ABOUT_VERSIONS = lazy_re.compile(
    r"\bversions?\b|\breleases?\b|版本|バージョン|\bversion(?:en|es)\b|versión", re.IGNORECASE
)
_YEAR = lazy_re.compile(r"1[0-9]\d\d|2[01]\d\d")
_SIGNS = {"is_more": ">", "is_less": "<", "is_at_least": "≥", "is_at_most": "≤", "is_equal": "="}
_OTHERWISE = {"is_more": "≤", "is_less": "≥", "is_at_least": "<", "is_at_most": ">", "is_equal": "≠"}
_OF_AGES: dict[CalculationName, CalculationName] = {"earlier": "more", "later": "less"}
_AGE = lazy_re.compile(
    r"\b(?:ago|old(?:er|est)?|young(?:er|est)?|aged?|b\.?p\.?|mya)\b|\b(?:alt|älter|jünger|alter)\b"
    r"|\bvor (?:etwa |rund |ca\. )?\d|\bil y a\b|\bâgée?s?\b"
    r"|\bâge\b|\bhace\b|\bedad\b|\bidade\b|\bhá \d|\bfa\b|\betà\b|前|[岁歲歳]|年龄|年齢",
    re.IGNORECASE,
)
"""What says that a number of years is an age: the greater one began earlier."""
_LONG = frozenset(("day", "week", "month", "year"))
_OF_TIMES = frozenset(("earlier", "later", "days_between", "months_between", "years_between"))
_OF_HOURS: dict[CalculationName, CalculationName] = {"earlier": "less", "later": "more"}
_BY_HOW_MUCH = lazy_re.compile(
    r"\bhow (?:much|many|long|far)\b|\bby what\b|\bdifference\b|\bwie ?(?:viele?|lange|weit)\b|unterschied|\bcombien\b|différence"
    r"|\bcuánt[oa]s?\b|diferencia|多少|多久|多长|多遠|多远|几[年月天分小个]|相差|差距|どれ(?:だけ|くらい|ぐらい|ほど)|いくつ|何[年月日時分]",
    re.IGNORECASE,
)
"""Where a question wants to know by how much one thing is more than another."""
_BETWEEN = {"days_between": "day", "months_between": "month", "years_between": "year"}


class Calculation(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be computed, from texts that each state one value."""

    operation: CalculationName
    values: tuple[str, ...]
    names: tuple[str, ...] = ()
    """The things that the values belong to, in the same order; needed where one of them is the answer."""
    question: str = ""
    """The question, which may name the unit of the result and say that versions are meant."""
    language: str = "en"


class Computed(msgspec.Struct, frozen=True, kw_only=True):
    """A result and how it came about."""

    answer: str
    inputs: str
    """"1998 - 1995", "18 m / 24 m"; "" where the answer shows them."""
    amount: Decimal | None = None
    unit: str = ""
    others: tuple[str, ...] = ()
    """What the answer would have been otherwise: the other names, or the other of yes and no."""
    apart: Computed | None = None
    """Of a comparison, by how much, where the question asks."""

    @property
    def text(self) -> str:
        """The answer with its inputs."""
        return f"{self.answer} ({self.inputs})" if self.inputs else self.answer


def calculate(asked: Calculation) -> Computed | None:
    """The result; None where a text states no value or several, units do not match, or a date can be read in two ways."""
    read = [stated_value(text, asked.operation, asked.language) for text in asked.values]
    values = [value for value in read if value is not None]
    if not values or len(values) < len(read):
        return None
    if durations := as_durations(values):
        # Beside hours, a later time of day is more of them.
        values, operation = durations, _OF_HOURS.get(asked.operation, asked.operation)
        asked = msgspec.structs.replace(asked, operation=operation)
    values = as_clocks(values)
    if asked.operation in _OF_AGES and _are_ages(asked, values):
        asked = msgspec.structs.replace(asked, operation=_OF_AGES[asked.operation])
    if asked.operation in CHOOSING:
        return _chosen(asked, values)
    if asked.operation in _CHECKING:
        return _checked(asked, values)
    if len(values) < 2 or (asked.operation not in ("sum", "average") and len(values) != 2):
        return None
    if asked.operation in _BETWEEN:
        return _between(values[0], values[1], _BETWEEN[asked.operation])
    if asked.operation == "difference":
        return _difference(asked, values[0], values[1])
    return _arithmetic(asked, values)


def stated_value(text: str, operation: CalculationName, language: str = "en") -> Value | None:
    """The one value that a text states for this operation, None for none or several. Where times are compared, a date counts
    alone: the time of day and the age beside it say no other.

    >>> stated_value("3 May 1950 (aged 72)", "earlier").written
    '3 May 1950'
    """
    if operation in _OF_TIMES:
        dates = [day for value in values_in(text, language) if (day := as_days(value)) is not None]
        if dates and all(is_same(dates[0], other) for other in dates[1:]):
            return dates[0]
    return only_value(text, language)


def _are_ages(asked: Calculation, values: Sequence[Value]) -> bool:
    """Whether all values are spans of time that the texts, or the question, call ages."""
    if not all(isinstance(value, Measure) and value.unit in _LONG for value in values):
        return False
    return _AGE.search(asked.question) is not None or all(_AGE.search(text) for text in asked.values)


def agrees(computed: Computed, answer: str, language: str = "en") -> bool:
    """Whether an answer in other words says what was computed."""
    if computed.amount is not None:
        return any(_is_amount(computed, value) for value in values_in(answer, language))
    said = answer.casefold()
    if computed.apart is not None and not _says_how_much(computed, computed.apart, said, language):
        return False
    ours = _place(computed.answer.partition(":")[0], said)
    theirs = [place for name in computed.others if (place := _place(name, said)) >= 0]
    return ours >= 0 and all(ours < place for place in theirs)


def _says_how_much(computed: Computed, apart: Computed, said: str, language: str) -> bool:
    """Whether an answer with a comparison, beside its names and the compared values, gives no other difference."""
    for name in (computed.answer, *computed.others):
        said = said.replace(name.partition(":")[0].casefold(), " ")
    compared = values_in(computed.inputs or computed.answer, language)
    told = [one for one in values_in(said, language) if not any(is_same(one, other) for other in compared)]
    return not told or any(_is_amount(apart, one) for one in told)


def _is_amount(computed: Computed, value: Value) -> bool:
    """Whether a value of an answer is the computed one, rounded or in another unit."""
    if not isinstance(value, Measure) or computed.amount is None:
        return False
    if value.unit in ("", computed.unit) or not computed.unit:
        return _rounded_alike(computed.amount, value)
    there = converted(computed.amount, computed.unit, value.unit)
    return there is not None and _rounded_alike(there, value)


def plain(amount: Decimal) -> str:
    """A number without needless zeros.

    >>> plain(Decimal("3.50")), plain(Decimal("1E+3"))
    ('3.5', '1000')
    """
    return f"{amount.normalize() if amount else Decimal(0):f}"


def _arithmetic(asked: Calculation, values: Sequence[Value]) -> Computed | None:
    """Sum, average, ratio."""
    alike = _alike(asked, values)
    if alike is None:
        return None
    amounts, unit, label = alike
    total = sum(amounts, Decimal(0))
    if asked.operation == "sum":
        return _result(total, unit, label, " + ".join(map(plain, amounts)))
    if asked.operation == "average":
        inputs = f"({' + '.join(map(plain, amounts))}) / {len(amounts)}"
        return _result(_quotient(total, Decimal(len(amounts))), unit, label, inputs)
    if not amounts[1] or unit in ("°C", "°F"):
        return None
    return _result(_quotient(amounts[0], amounts[1]), "", "", f"{plain(amounts[0])} / {plain(amounts[1])}")


def _difference(asked: Calculation, one: Value, other: Value) -> Computed | None:
    asked_in = unit_named_in(asked.question)
    if isinstance(one, Clock) and isinstance(other, Clock):
        return _clocks_apart(one, other, asked)
    if isinstance(one, Days) or isinstance(other, Days) or (asked_in == "year" and _are_years(one, other)):
        is_exact = isinstance(one, Days) and isinstance(other, Days)
        return _between(one, other, asked_in if asked_in in _BETWEEN.values() else "day" if is_exact else "")
    if (
        _ABOUT_VERSIONS.search(asked.question)
        and not _has_unit(one, other)
        and _numbers(one)[1:]
        and _numbers(other)[1:]
    ):
        return _minor_versions_apart(one, other)
    alike = _alike(asked, (one, other))
    if alike is None:
        return None
    (first, second), unit, label = _finer(alike, asked, (one, other))
    high, low = max(first, second), min(first, second)
    if unit == "min" and any(isinstance(value, Measure) and not value.digits for value in (one, other)):
        told = (plain(high), plain(low)) if asked_in == "min" else (in_hours(high), in_hours(low))
        return _minutes_apart(high - low, asked, " - ".join(told))
    inputs = f"{plain(_in_places(high))} - {plain(_in_places(low))}"
    return _result(_in_places(high - low), unit, label, inputs)


def _finer(alike: _Alike, asked: Calculation, values: Sequence[Value]) -> _Alike:
    """The same amounts in the smaller of two stated units, where they are less than one of the larger apart and the question names
    none: 2.06 m and 197 cm differ by 9 cm."""
    (first, second), unit, _ = alike
    if abs(first - second) >= 1 or time_named_in(asked.question)[0] or size_named_in(asked.question):
        return alike
    for value in values:
        if isinstance(value, Measure) and value.unit not in ("", unit):
            there = [converted(amount, unit, value.unit) for amount in (first, second)]
            known = [amount for amount in there if amount is not None]
            if len(known) == len(there) and known[0] > first:
                return known, value.unit, value.label
    return alike


def _in_places(amount: Decimal) -> Decimal:
    """An amount without the endless decimals that converting gives: 40 hours are 1.6667 days."""
    exponent = amount.as_tuple().exponent
    return round(amount, PLACES) if isinstance(exponent, int) and exponent < -MOST_PLACES else amount


def _between(one: Value, other: Value, unit: str) -> Computed | None:
    """The days, months or years between two dates; None if they are not that exact, or if counting full years and subtracting
    them gives different numbers."""
    first, second = as_days(one), as_days(other)
    if first is None or second is None:
        return None
    first, second = (second, first) if second.first < first.first else (first, second)
    are_days = first.first == first.last and second.first == second.last
    if unit == "day":
        apart = (second.first - first.first).days if are_days else None
    elif unit == "month":
        apart = _months_apart(first, second, are_days=are_days)
    elif unit == "year":
        apart = _years_apart(first, second, are_days=are_days)
    else:
        apart = None
    if apart is None:
        return None
    return _result(Decimal(apart), unit, "", f"{second.written} - {first.written}")


def _months_apart(first: Days, second: Days, *, are_days: bool) -> int | None:
    if (first.last - first.first).days > 31 or (second.last - second.first).days > 31:
        return None
    apart = 12 * (second.first.year - first.first.year) + second.first.month - first.first.month
    return None if are_days and second.first.day < first.first.day else apart


def _years_apart(first: Days, second: Days, *, are_days: bool) -> int | None:
    apart = second.first.year - first.first.year
    is_short = (second.first.month, second.first.day) < (first.first.month, first.first.day)
    return None if are_days and is_short else apart


def _clocks_apart(one: Clock, other: Clock, asked: Calculation) -> Computed:
    minutes = Decimal(abs(one.minutes - other.minutes))
    first, second = (one, other) if one.minutes > other.minutes else (other, one)
    return _minutes_apart(minutes, asked, f"{first.written} - {second.written}")


def _minutes_apart(minutes: Decimal, asked: Calculation, inputs: str) -> Computed:
    """Minutes in the unit that the question names and by its word for it, else as people tell them."""
    unit, word = time_named_in(asked.question)
    if unit == "h":
        return _result(_quotient(minutes, Decimal(60)), "h", word, inputs)
    if unit == "min":
        return _result(minutes, "min", word, inputs)
    return msgspec.structs.replace(_result(minutes, "min", "min", inputs), answer=in_hours(minutes))


def _minor_versions_apart(one: Value, other: Value) -> Computed | None:
    first, second = _numbers(one), _numbers(other)
    if len(first) != 2 or len(second) != 2 or first[0] != second[0]:
        return None
    high, low = max(first, second), min(first, second)
    return _result(Decimal(high[1] - low[1]), "", "", f"{high[1]} - {low[1]}")


def _chosen(asked: Calculation, values: Sequence[Value]) -> Computed | None:
    """Which of the named things has the greatest or the least value."""
    if len(values) < 2 or len(asked.names) != len(values):
        return None
    is_time = asked.operation in ("earlier", "later")
    ordered = _order(asked, values, is_time=is_time)
    if ordered is None:
        return None
    wants_least = asked.operation in ("less", "earlier")
    # Of spans of days the ends that face the others are compared: 2021 and May 2021 have no order.
    place = (
        min(range(len(values)), key=lambda at: ordered[at][1])
        if wants_least
        else max(range(len(values)), key=lambda at: ordered[at][0])
    )
    others = [ordered[at] for at in range(len(values)) if at != place]
    is_clear = all(ordered[place][1] < low if wants_least else ordered[place][0] > high for low, high in others)
    if not is_clear:
        return None
    # The next of the others is the one from which it differs least.
    after = (min if wants_least else max)((at for at in range(len(values)) if at != place), key=lambda at: ordered[at])
    apart = _apart(asked, values[place], values[after])
    return Computed(
        answer=asked.names[place],
        inputs=" / ".join(value.written for value in values) + (f"; {_told(apart)}" if apart is not None else ""),
        apart=apart,
        others=tuple(name for at, name in enumerate(asked.names) if at != place),
    )


def _checked(asked: Calculation, values: Sequence[Value]) -> Computed | None:
    """Yes or no: whether the first value is more, less, as much."""
    if len(values) != 2:
        return None
    ordered = _order(asked, values, is_time=any(isinstance(value, Days | Clock) for value in values))
    if ordered is None:
        return None
    (low, high), (other_low, other_high) = ordered
    if asked.operation in ("is_more", "is_at_most"):
        holds, fails = low > other_high, high <= other_low
    elif asked.operation in ("is_less", "is_at_least"):
        holds, fails = high < other_low, low >= other_high
    else:
        holds, fails = low == high == other_low == other_high, high < other_low or other_high < low
    if holds == fails:
        return None
    is_yes = holds if asked.operation in ("is_more", "is_less", "is_equal") else fails
    yes, no = YES_NO.get(asked.language, YES_NO["en"])
    sign = (_SIGNS if is_yes else _OTHERWISE)[asked.operation]
    told = f"{values[0].written} {sign} {values[1].written}"
    apart = _apart(asked, values[0], values[1])
    told += f"; {_told(apart)}" if apart is not None else ""
    return Computed(answer=f"{yes if is_yes else no}: {told}", inputs="", others=(no if is_yes else yes,), apart=apart)


def _apart(asked: Calculation, one: Value, other: Value) -> Computed | None:
    """By how much two compared values differ, where the question asks and code can say."""
    return _difference(asked, one, other) if _BY_HOW_MUCH.search(asked.question) else None


def _told(apart: Computed) -> str:
    return f"{apart.inputs} = {apart.answer}"


_Span = tuple[tuple[Decimal, ...], tuple[Decimal, ...]]


def _order(asked: Calculation, values: Sequence[Value], *, is_time: bool) -> list[_Span] | None:
    """For each value its least and greatest place in one order; None if they have no common one."""
    is_about_versions = _ABOUT_VERSIONS.search(asked.question) is not None or any(
        isinstance(one, Version) for one in values
    )
    if is_about_versions and all(_numbers(one) for one in values) and not _has_unit(*values):
        return [(place, place) for one in values if (place := tuple(map(Decimal, _numbers(one))))]
    if all(isinstance(one, Clock) for one in values):
        return [((Decimal(one.minutes),),) * 2 for one in values if isinstance(one, Clock)]
    if is_time or any(isinstance(one, Days) for one in values):
        spans = [span for one in values if (span := as_days(one)) is not None]
        if len(spans) < len(values):
            return None
        return [((Decimal(one.first.toordinal()),), (Decimal(one.last.toordinal()),)) for one in spans]
    alike = _alike(asked, values)
    if alike is not None:
        return [((amount,), (amount,)) for amount in alike[0]]
    sizes = [bytes_between(one.amount, one.unit) if isinstance(one, Measure) else None for one in values]
    known = [size for size in sizes if size is not None]
    return [((least,), (most,)) for least, most in known] if len(known) == len(sizes) else None


_Alike = tuple[list[Decimal], str, str]
"""Amounts in one unit, that unit and how it is written."""


def _alike(asked: Calculation, values: Sequence[Value]) -> _Alike | None:
    """Amounts in one unit, that unit and how it is written. A number without a unit has that of the others only where the question
    asks for it."""
    measures = [value for value in values if isinstance(value, Measure)]
    if len(measures) < len(values):
        return None
    units = [measure.unit for measure in measures if measure.unit]
    time, word = time_named_in(asked.question)
    named = time or size_named_in(asked.question)
    if len(units) < len(measures) and any(unit != named for unit in units):
        return None
    unit = units[0] if units else ""
    if named and unit and converted(Decimal(1), unit, named) is not None:
        unit = named
    amounts = [converted(one.amount, one.unit or unit, unit) for one in measures]
    known = [amount for amount in amounts if amount is not None]
    label = next((one.label for one in measures if one.unit == unit and unit), word if unit == time else unit)
    return (known, unit, label) if len(known) == len(amounts) else None


def _result(amount: Decimal, unit: str, label: str, inputs: str) -> Computed:
    space = "" if label == "%" else " "
    answer = f"{plain(amount)}{space}{label}" if label else plain(amount)
    return Computed(answer=answer, inputs=inputs, amount=amount, unit=unit)


def _quotient(one: Decimal, other: Decimal) -> Decimal:
    return round(one / other, PLACES)


def _rounded_alike(amount: Decimal, value: Measure) -> bool:
    exponent = value.amount.as_tuple().exponent
    decimals = max(0, -exponent) if isinstance(exponent, int) else 0
    return abs(round(amount, decimals)) == abs(value.amount)


def _place(name: str, said: str) -> int:
    found = re.search(rf"(?<!\w){re.escape(name.casefold())}(?!\w)", said) if name.isascii() else None
    return found.start() if found else said.find(name.casefold()) if not name.isascii() else -1


def _numbers(value: Value) -> tuple[int, ...]:
    """A value as a version, () if it cannot be one."""
    if isinstance(value, Version):
        return value.numbers
    if (
        isinstance(value, Measure)
        and re.fullmatch(r"\d+(?:\.\d+)?", value.digits)
        and plain(value.amount) == plain(Decimal(value.digits))
    ):
        return tuple(map(int, value.digits.split(".")))
    return ()


def _has_unit(*values: Value) -> bool:
    return any(isinstance(value, Measure) and value.unit for value in values)


def _are_years(*values: Value) -> bool:
    return all(as_days(value) is not None for value in values)


def as_days(value: Value) -> Days | None:
    """A date, or a bare number that can be a year as that year; None for any other value."""
    if isinstance(value, Days):
        return value
    if (
        isinstance(value, Measure)
        and not value.unit
        and _YEAR.fullmatch(value.digits)
        and value.amount == int(value.digits)
    ):
        return days_of(int(value.digits), 0, 0, value.written)
    return None
