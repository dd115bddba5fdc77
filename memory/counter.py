"""The symbolic counter (V-GEMS section 3.1): the number in an answer comes from here, never from a model."""

from __future__ import annotations

from typing import Literal

import msgspec

from memory.findings import Item
from memory.requirement import Requirement


class Merge(msgspec.Struct, frozen=True, kw_only=True):
    """A candidate that was taken for an item already counted."""

    name: str
    into: str
    reason: Literal["same key", "same name", "edit distance", "embedding"]
    similarity: float = 1.0
    step: int = 0


class Counter(msgspec.Struct, frozen=True, kw_only=True):
    """Distinct items so far. `complete` and `lower_bound` tell how far an exhaustive count can be trusted."""

    requirement: Requirement = Requirement()
    items: tuple[Item, ...] = ()
    merges: tuple[Merge, ...] = ()
    stated_total: int = 0
    """What the site itself says there is ("1-20 of 57"), 0 if it says nothing."""
    end_seen: bool = False
    """The end of the counted list was seen."""
