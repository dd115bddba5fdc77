"""What makes siblings cards of one kind: their tag and the classes that they share."""

from __future__ import annotations

import re
from functools import lru_cache

CARD_TAGS = frozenset(("div", "article", "section", "a", "p"))
ROW_CHARS = 300
"""Of the longest row of a table of layout that is read as one thing."""
_PASSING = frozenset("odd even first last alt active current selected open closed collapsed expanded in show".split())
"""Classes that say where a card stands or in what state it is."""
_NUMBERED = re.compile(r"^((?:post|item|node|entry|id|card|product|page|article|comment|event|talk|person)[-_]?)\d+$")
"""Classes that number the cards."""


@lru_cache(maxsize=1 << 12)
def shape_of(classes: str) -> str:
    """The classes that siblings of one kind share: not their place, their state or their number.

    >>> shape_of("card even"), shape_of("card"), shape_of("post-17 entry")
    ('card', 'card', 'post-0 entry')
    """
    return " ".join(_NUMBERED.sub(r"\g<1>0", name) for name in classes.split() if name not in _PASSING)
