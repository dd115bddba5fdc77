"""Whether a page is worth scrolling to its end: it may show more then, and no scrolling has shown yet that it does not."""

from __future__ import annotations

from memory.state import NOTHING_CHANGED, WalkMemory
from perception.observation import Observation

SCROLL = "scroll"
"""How a note says that a page was scrolled."""
MOST_IN_VAIN = 3
"""Pages scrolled in vain after which no other is scrolled."""
LEAST_LIST = 3
"""Entries of a list in the main text from which it may be one that grows."""


def may_show_more(observation: Observation, memory: WalkMemory) -> bool:
    """Most scripts that hear of scrolling load nothing: where it was in vain on one page of the walk, others are scrolled for the sake
    of a list only."""
    in_vain = {note.page for note in memory.moves if note.what == SCROLL and note.outcome == NOTHING_CHANGED}
    here = memory.stack.top.key if memory.stack.top is not None else ""
    if not observation.may_grow or here in in_vain or len(in_vain) >= MOST_IN_VAIN:
        return False
    return not in_vain or any(
        one.region == "main" and len(one.records) >= LEAST_LIST for one in observation.record_sets
    )
