"""What makes siblings cards of one kind: their tag and the classes that they share."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

CARD_TAGS = frozenset(("div", "article", "section", "a", "p"))
ROW_CHARS = 300
"""Of the longest row of a table of layout that is read as one thing."""
_PASSING = frozenset("odd even first last alt active current selected open closed collapsed expanded in show".split())
"""Classes that say where a card stands or in what state it is."""
_NUMBERED = re.compile(r"^((?:post|item|node|entry|id|card|product|page|article|comment|event|talk|person)[-_]?)\d+$")
"""Classes that number the cards."""
_DATED = re.compile(r"^(.*?)(?:19|20)\d\d(?:[-_]\d\d?){0,2}$")
"""Classes that say of which year, month or day a card is."""
_SORTED = re.compile(r"^(?P<by>[^\W\d_]{3,})[-_]+(?P<value>.+)$")
_MARK = re.compile(r"[-_]")
CLASS_CHARS = 100
"""Of a class in which the name of another is looked for."""
_LAYOUT = frozenset(
    "col column columns cell grid row span unit width size offset order push pull small medium large".split()
)
"""Words of classes that say how wide a card is or where it stands: what has another width may be another thing."""


@lru_cache(maxsize=1 << 12)
def shape_of(classes: str) -> str:
    """The classes that siblings of one kind share: not their place, their state or their number.

    >>> shape_of("card even"), shape_of("card"), shape_of("post-17 entry")
    ('card', 'card', 'post-0 entry')
    """
    return " ".join(_NUMBERED.sub(r"\g<1>0", name) for name in classes.split() if name not in _PASSING)


def shapes_among(siblings: Sequence[str]) -> list[str]:
    """The shape of each of several siblings of one tag by their classes: without years, and without what sorts cards of one kind
    where that makes siblings alike.

    >>> shapes_among(["talk topic-sea", "talk topic-ice", "talk talk-wide", "note", "note"])
    ['talk', 'talk', 'talk', 'note', 'note']
    >>> shapes_among(["talk of-2019", "talk of-2020-05", "grid-8", "grid-4"])
    ['talk of-0', 'talk of-0', 'grid-8', 'grid-4']
    """
    narrow = [" ".join(_DATED.sub(r"\g<1>0", name) for name in shape_of(classes).split()) for classes in siblings]
    values: dict[str, set[str]] = {}
    for name in {name for shape in narrow for name in shape.split()}:
        if (sorted_by := _SORTED.match(name)) is not None and sorted_by["by"] not in _LAYOUT:
            values.setdefault(sorted_by["by"], set()).add(name)
    sorting = frozenset(name for names in values.values() if len(names) > 1 for name in names)
    wide = {shape: _without_sorting(shape, sorting) for shape in narrow}
    alike = Counter(wide.values())
    return [wide[shape] if alike[wide[shape]] > 1 else shape for shape in narrow]


def _without_sorting(shape: str, sorting: frozenset[str]) -> str:
    """The classes of a shape without those in `sorting` and those that vary another of them ("card-wide" of a "card"); all of them
    where none would be left."""
    names = shape.split()
    plain = {name for name in names if name.partition("-")[0] not in _LAYOUT}
    left = [name for name in names if name not in sorting and not _varies(name, plain)]
    return " ".join(left) or shape


def _varies(name: str, plain: set[str]) -> bool:
    """Whether a class is one of `plain` with a word behind it."""
    return any(name[: mark.start()] in plain for mark in _MARK.finditer(name[:CLASS_CHARS]))
