"""Long lists and tables within the text that stood on an earlier page too, such as a table of contents that every page of a manual
repeats, or that were shown when the walk was on this page before."""

from __future__ import annotations

from collections.abc import Mapping, Set

from perception.document.regions.surroundings import listed_entries, mark_of_block
from perception.observation import Observation

LEAST_CHARS = 1500
"""Characters of repeated entries from which they are not shown again."""
NEAR = 4
"""Entries before and after the page's own, or one that is new, that are shown with it."""
LEAST_RUN, LEAST_HERE = 6, 40
"""Entries in a row that are worth a line that stands for them."""


def steps_of_repeated(
    observation: Observation, seen_before: Mapping[int, int], visits: Set[int] = frozenset()
) -> dict[int, int]:
    """The steps of the first pages that had them, by the block's id; without those near the page's own entry and near new ones.
    `visits`: the steps of earlier visits to this page, whose links are of use again: of these only what is very long is repeated."""
    if not seen_before:
        return {}
    entries = listed_entries(observation)
    blocks = [block for block in observation.blocks if block.id in entries and not block.hidden]
    steps = [seen_before.get(mark_of_block(block), 0) for block in blocks]
    if sum(len(block.text) for block, step in zip(blocks, steps, strict=True) if step) < LEAST_CHARS:
        return {}
    own = {place.block for place in observation.own}
    kept: set[int] = set()
    for place, block in enumerate(blocks):
        if block.id in own or not steps[place]:
            kept.update(range(max(0, place - NEAR), place + NEAR + 1))
    folded: dict[int, int] = {}
    run: list[int] = []
    for place in range(len(blocks) + 1):
        is_next = place < len(blocks) and (not run or blocks[place].id == blocks[run[-1]].id + 1)
        if (run and not is_next) or place == len(blocks) or place in kept:
            if run and len(run) >= (LEAST_HERE if steps[run[0]] in visits else LEAST_RUN):
                folded.update((blocks[one].id, steps[run[0]]) for one in run)
            run = []
        if place < len(blocks) and place not in kept:
            run.append(place)
    return folded
