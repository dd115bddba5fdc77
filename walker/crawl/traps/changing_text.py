"""Text that a site writes anew each time a page is fetched: a quote of the day, a random hint. It is no sign of a new page.

Where it stands is learned by fetching one page of a family twice, as lines that differ between the two, and the lines around them;
the lines in such places are then left out of every page of the family before it is judged.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher

import msgspec

MOST_LINES = 2000
"""Lines of a page that are compared, which takes milliseconds."""
MOST_SHARE = 0.5
"""Share of changed lines from which a page changes as a whole, and no places can be told."""
_NUMBERS = re.compile(r"\d+(?:[^\w\n]+\d+)*")
"""The pages that a pager names are one number."""
_EDGE = "\n"
"""Beginning or end of a page."""


class _Place(msgspec.Struct, frozen=True):
    """Where lines change: between these two, which may differ in numbers."""

    before: str
    after: str
    most: int
    """Lines there at most."""


class ChangingText:
    """What was learned about each family of branches (walker/crawl/traps/branches.py); not persisted."""

    def __init__(self) -> None:
        self._places: dict[str, tuple[_Place, ...]] = {}

    def is_learned(self, family: str) -> bool:
        """Whether a page of this family was fetched twice."""
        return family in self._places

    def learn(self, family: str, first: str, second: str) -> bool:
        """Learn from two texts of one page, in lines. Whether lines changed."""
        places = _places_of(_masked(first), _masked(second))
        self._places[family] = places
        return bool(places)

    def steady(self, family: str, text: str) -> str:
        """The text of a page of this family without the lines that change."""
        places = self._places.get(family, ())
        if not places:
            return text
        lines = text.splitlines()
        masked = _masked(text)
        counts = Counter(masked)
        gone = {number for place in places for number in _lines_in(place, masked, counts)}
        return "\n".join(line for number, line in enumerate(lines) if number not in gone)


def _masked(text: str) -> list[str]:
    return [_NUMBERS.sub("0", line) for line in text.splitlines()[:MOST_LINES]]


def _places_of(first: Sequence[str], second: Sequence[str]) -> tuple[_Place, ...]:
    places: list[_Place] = []
    changed = 0
    for kind, start, end, other_start, other_end in SequenceMatcher(None, first, second, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        changed += end - start
        before = first[start - 1] if start else _EDGE
        after = first[end] if end < len(first) else _EDGE
        places.append(_Place(before, after, max(end - start, other_end - other_start)))
    return tuple(places) if changed <= MOST_SHARE * len(first) else ()


def _lines_in(place: _Place, lines: Sequence[str], counts: Counter[str]) -> range:
    """Numbers of the lines in a place. One of its two neighbours is enough if the page has it once; both are needed otherwise."""
    start = 0 if place.before == _EDGE else lines.index(place.before) + 1 if counts[place.before] == 1 else -1
    end = len(lines) if place.after == _EDGE else lines.index(place.after) if counts[place.after] == 1 else -1
    if start >= 0 and end >= start and end - start <= 2 * place.most:
        return range(start, end)
    if start >= 0 and place.before != _EDGE:
        return range(start, min(start + place.most, len(lines)))
    if end >= 0 and place.after != _EDGE:
        return range(max(0, end - place.most), end)
    for number in range(1, len(lines)):
        if lines[number - 1] == place.before and place.after in lines[number : number + place.most + 1]:
            return range(number, lines.index(place.after, number))
    return range(0)
