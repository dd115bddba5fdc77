"""Entries whose number, date or time lies within a bound: in the column that is named, or one of such values."""

from __future__ import annotations

from collections.abc import Sequence

from memory.words import lazy_re, tokens
from perception.observation import Record
from walker.strategies.entries.asked_bounds import Bound, is_dated, is_year, lies_within
from walker.strategies.entries.asked_columns import AskedOf, Chosen
from walker.strategies.entries.asked_words import asked_word, folded
from walker.strategies.values.units import unit_named_in
from walker.strategies.values.value_kinds import Clock, Measure, Value
from walker.strategies.values.written_values import found_values

MOSTLY = 0.5
"""Share of the filled cells of a column that have a value of the bound's kind."""
COLUMNS = 2
"""Columns that are tried."""
CELL_CHARS = 200
_DIGIT = lazy_re.compile(r"[\d〇零一二两三四五六七八九十百千]")


def within_bound(
    records: Sequence[Record],
    columns: Sequence[tuple[str, list[str]]],
    bound: Bound,
    asked: AskedOf,
    language: str,
) -> list[Chosen]:
    """The entries within a bound, by each column that may be meant; of a list without columns by the first such value of each."""
    said = frozenset(tokens(bound.text))
    if not columns and bound.is_exact and not _is_spelled(bound, asked):
        return []  # entries that hold this number are found by name
    if not columns:
        texts = [record.text[:CELL_CHARS] for record in records]
        places = _within([_value(text, bound, language) for text in texts], bound)
        return [Chosen(places, said)] if places else []
    weighed = []
    for number, (title, cells) in enumerate(columns):
        values = [_value(cell, bound, language) if cell else None for cell in cells]
        filled = sum(bool(cell) for cell in cells)
        known = [value for value in values if value is not None]
        if not known or len(known) < MOSTLY * filled:
            continue
        named = asked.place_of(title) >= 0
        weight = 2.0 * named + _likeness(known, title, bound) - 0.01 * number
        words = said | (frozenset(tokens(title)) & asked.words if named else frozenset())
        weighed.append((weight, Chosen(_within(values, bound), words)))
    weighed.sort(key=lambda one: -one[0])
    return [chosen for _, chosen in weighed[:COLUMNS] if chosen.places]


def _is_spelled(bound: Bound, asked: AskedOf) -> bool:
    """Whether a number stands in the question as a word."""
    return isinstance(bound.end, Measure) and bound.end.digits not in asked.text


def _value(text: str, bound: Bound, language: str) -> Value | None:
    """The first value of a text that can be compared with a bound, those of its unit first, or those of the same noun."""
    if not _DIGIT.search(text):
        return None
    found = [one for one in found_values(text, language) if lies_within(one.value, bound) is not None]
    if bound.is_of_years:
        found = [one for one in found if is_dated(one.value)]
    same = [one for one in found if isinstance(one.value, Measure) and bound.unit and one.value.unit]
    if bound.noun and len(found) > 1:
        root = asked_word(bound.noun).root
        same = same or [one for one in found if folded(text[one.end : one.end + 30]).strip().startswith(root)]
    chosen = next(iter(same or found), None)
    return chosen.value if chosen is not None else None


def _within(values: Sequence[Value | None], bound: Bound) -> frozenset[int]:
    return frozenset(place for place, value in enumerate(values) if value is not None and lies_within(value, bound))


def _likeness(values: Sequence[Value], title: str, bound: Bound) -> float:
    """How like the values of a column are to the bound: the same unit, years for a year, no years for another number."""
    if bound.is_of_years:
        return float(all(map(is_dated, values)))
    units = {one.unit for one in values if isinstance(one, Measure)}
    if bound.unit:
        return 2.0 * (bound.unit in units or unit_named_in(title) == bound.unit)
    return float(any(isinstance(one, Clock) for one in values) or not all(map(is_year, values)))
