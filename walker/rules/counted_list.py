"""Whether the counted list goes on, and whether a walk may end while something is still to be counted (V-GEMS section 3.1, mode B)."""

from __future__ import annotations

from memory.state import END, WalkMemory
from memory.url_key import BadUrl, key_of
from perception.observation import Observation

ENDS_REFUSED = 2
"""Pages on which an end is refused while something is still to be counted."""


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


def _is_new(url: str, memory: WalkMemory) -> bool:
    try:
        return not memory.stack.has_entered(key_of(url))
    except BadUrl:
        return False
