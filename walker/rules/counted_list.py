"""Whether a list goes on: the counted one, so that a walk may not end yet (V-GEMS section 3.1, mode B), or that of any page, which may
show more when it is scrolled to its end."""

from __future__ import annotations

from memory.state import END, NOTHING_CHANGED, WalkMemory
from memory.url_key import BadUrl, key_of
from perception.observation import Observation

ENDS_REFUSED = 2
"""Pages on which an end is refused while something is still to be counted."""

SCROLL = "scroll"
"""How a note says that a page was scrolled."""
MOST_IN_VAIN = 3
"""Pages scrolled in vain after which no other is scrolled."""
LEAST_LIST = 3
"""Entries of a list in the main text from which it may be one that grows."""


def list_goes_on(observation: Observation, memory: WalkMemory) -> bool:
    """Whether the page added to an open count and has a next page that was not visited.

    A page that added nothing ends the chain: a "more" button without effect, or a series that repeats itself, is not followed on.
    """
    counter, pagination = memory.counter, observation.pagination
    if counter.requirement.mode == "none" or counter.done:
        return False
    if not any(item.page_url == observation.url and item.step == memory.step for item in counter.items):
        return False
    return _is_new(pagination.next_url, memory) if pagination.next_url else bool(pagination.next_control)


def is_count_open(memory: WalkMemory) -> bool:
    """Whether nothing that was found so far answers the counting question: a quota that is not met, or a list that was not found.

    A list that was found and left before its end may be all that can be had.
    """
    counter = memory.counter
    if counter.requirement.mode == "none" or counter.done or is_insisted_on(memory):
        return False
    return counter.requirement.mode == "quota" or not (counter.items or memory.answer)


def is_insisted_on(memory: WalkMemory) -> bool:
    """Whether an end was refused on so many pages that one more is meant: the site may have no more, and who reads it knows better
    than a number taken from the question."""
    refused = {note.step for note in memory.moves if note.what == END and note.outcome}
    return len(refused - {memory.step}) >= ENDS_REFUSED


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


def _is_new(url: str, memory: WalkMemory) -> bool:
    try:
        return not memory.stack.has_entered(key_of(url))
    except BadUrl:
        return False
