"""Detects regular expressions with exponential backtracking (ReDoS).

These are expressions whose automaton is exponentially ambiguous: some text leads from a state back to the same state in two ways, as
in `(a+)+`, `(a|a)*`, `(.*,)*`. This is decided on the product of the automaton with itself. `re:(/[a-z]+)*` passes,
`re:(/?[a-z]+)*` does not.
"""

from __future__ import annotations

import re
from re import _constants, _parser  # type: ignore[attr-defined]
from typing import Any

import msgspec

from memory.site_graph import networks

MOST_PLACES = 160
_UNROLLED = 6
"""A repetition with a higher bound is treated as unbounded."""
_OTHER = 1 << 128
"""Represents all non-ASCII characters; every class is assumed to contain them."""
_ALL = (1 << 129) - 1
_STEPS = 20_000


class _TooMuch(Exception):
    """The expression is too large to analyse; the message says why."""


class _Part(msgspec.Struct):
    """A subexpression: its possible first and last states, and in how many ways it can be empty."""

    first: dict[int, int]
    last: dict[int, int]
    empty: int


class _Places:
    """The position automaton (Glushkov): every character class is a state; `ways[a][b]` is the number of ways in which b can follow
    a (2 for more)."""

    def __init__(self, *, any_case: bool) -> None:
        self.sets: list[int] = []
        self.ways: dict[int, dict[int, int]] = {}
        self._any_case = any_case
        self._steps = 0

    def place(self, characters: int) -> _Part:
        if len(self.sets) >= MOST_PLACES:
            raise _TooMuch(f"a regular expression has more than {MOST_PLACES} characters and classes")
        number = len(self.sets)
        self.sets.append(_in_any_case(characters) if self._any_case else characters)
        self.ways[number] = {}
        return _Part(first={number: 1}, last={number: 1}, empty=0)

    def join(self, first: _Part, second: _Part) -> None:
        for before, out in first.last.items():
            for after, into in second.first.items():
                self._steps += 1
                if self._steps > _STEPS:
                    raise _TooMuch("a regular expression has too many ways")
                self.ways[before][after] = min(2, self.ways[before].get(after, 0) + out * into)

    def chain(self, parts: list[_Part]) -> _Part:
        whole = _nothing()
        for part in parts:
            self.join(whole, part)
            whole = _Part(
                first=_added(whole.first, part.first, whole.empty),
                last=_added(part.last, whole.last, part.empty),
                empty=min(2, whole.empty * part.empty),
            )
        return whole


def why_too_costly(expression: str) -> str:
    """Why a valid regular expression is too costly, "" if no URL can make it slow."""
    try:
        parsed = _parser.parse(expression)
        places = _Places(any_case=bool(parsed.state.flags & re.IGNORECASE) or "(?" in expression)
        _read(parsed, places)
    except _TooMuch as error:
        return str(error)
    if _has_two_ways_back(places):
        return "a regular expression repeats what can be repeated in two ways, such as (a+)+"
    return ""


def _has_two_ways_back(places: _Places) -> bool:
    graph = networks().DiGraph()
    for before, following in places.ways.items():
        graph.add_edges_from((before, after) for after in following)
    for component in networks().strongly_connected_components(graph):
        if any(places.ways[a].get(b, 0) > 1 for a in component for b in places.ways[a] if b in component):
            return True
        if len(component) > 1 and _part_and_meet(places, component):
            return True
    return False


def _part_and_meet(places: _Places, component: set[int]) -> bool:
    """Whether a state of this strongly connected component has two different paths back to itself with the same text."""
    pairs = networks().DiGraph()
    for a in component:
        for b in component:
            if places.sets[a] & places.sets[b]:
                pairs.add_edges_from(
                    ((a, b), (c, d))
                    for c in places.ways[a]
                    if c in component
                    for d in places.ways[b]
                    if d in component and places.sets[c] & places.sets[d]
                )
    return any(
        any(a == b for a, b in together) and any(a != b for a, b in together)
        for together in networks().strongly_connected_components(pairs)
    )


def _read(items: Any, places: _Places) -> _Part:
    return places.chain([_read_one(code, value, places) for code, value in items])


def _read_one(code: Any, value: Any, places: _Places) -> _Part:
    name = str(code)
    if name in ("LITERAL", "NOT_LITERAL", "ANY", "IN"):
        return places.place(_characters(name, value))
    if name == "SUBPATTERN":
        return _read(value[-1], places)
    if name == "ATOMIC_GROUP":
        return _read(value, places)
    if name == "BRANCH":
        return _either([_read(branch, places) for branch in value[1]])
    if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        least, most, body = value
        return _repeated(least, most, body, places)
    if name in ("AT", "ASSERT", "ASSERT_NOT"):
        if name != "AT":
            _read(value[1], places)
        return _nothing()
    raise _TooMuch("a regular expression refers back to its groups, which is not known here")


def _repeated(least: int, most: Any, body: Any, places: _Places) -> _Part:
    is_bounded = most is not _constants.MAXREPEAT and most <= _UNROLLED and least <= _UNROLLED
    if is_bounded:
        tail = _nothing()  # x{1,3} is x(x(x)?)?, which is unambiguous
        for number in range(most, 0, -1):
            tail = places.chain([_read(body, places), tail])
            if number > least:
                tail.empty = 1 if tail.empty == 0 else 2
        return tail
    part = _read(body, places)
    if part.empty and most is not _constants.MAXREPEAT:
        raise _TooMuch("a regular expression repeats what may be empty, such as (a?){20}")
    places.join(part, part)
    return _Part(first=part.first, last=part.last, empty=1 if least == 0 or part.empty else 0)


def _either(parts: list[_Part]) -> _Part:
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    for part in parts:
        first |= part.first
        last |= part.last
    return _Part(first=first, last=last, empty=min(2, sum(part.empty for part in parts)))


def _nothing() -> _Part:
    return _Part(first={}, last={}, empty=1)


def _added(mine: dict[int, int], others: dict[int, int], factor: int) -> dict[int, int]:
    """The sum of both, the others multiplied by the number of ways in which the part between can be empty."""
    return mine | {place: min(2, ways * factor) for place, ways in others.items()} if factor else dict(mine)


def _characters(name: str, value: Any) -> int:
    """A character class as a bit set; bit 128 is for all non-ASCII characters."""
    if name == "ANY":
        return _ALL
    if name == "LITERAL":
        return 1 << value if value < 128 else _OTHER
    if name == "NOT_LITERAL":
        return _ALL & ~(1 << value) if value < 128 else _ALL
    held, is_negated = 0, False
    for code, inner in value:
        inner_name = str(code)
        if inner_name == "NEGATE":
            is_negated = True
        elif inner_name == "LITERAL":
            held |= 1 << inner if inner < 128 else _OTHER
        elif inner_name == "RANGE":
            low, high = inner
            held |= sum(1 << one for one in range(low, min(high, 127) + 1)) | (_OTHER if high > 127 else 0)
        else:
            held |= _category(str(inner)) | _OTHER
    return (_ALL & ~held) | _OTHER if is_negated else held


def _category(name: str) -> int:
    kind = {"DIGIT": r"\d", "WORD": r"\w", "SPACE": r"\s"}[name.rpartition("_")[2]]
    held = sum(1 << one for one in range(128) if re.match(kind, chr(one)))
    return _ALL & ~held if "_NOT_" in name else held


def _in_any_case(characters: int) -> int:
    for upper in range(65, 91):
        both = (1 << upper) | (1 << (upper + 32))
        if characters & both:
            characters |= both
    return characters
