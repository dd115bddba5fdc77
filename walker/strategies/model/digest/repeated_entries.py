"""Long lists and tables within the text that stood on an earlier page too, such as a table of contents that every page of a manual
repeats, or that were shown when the walk was on this page before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from math import log
from operator import itemgetter

from memory.words import tokens
from perception.document.regions.surroundings import listed_entries, mark_of_block
from perception.observation import Block, Observation
from walker.strategies.model.digest.link_marks import LinkMarks

LEAST_CHARS = 1500
"""Characters of repeated entries from which they are not shown again."""
NEAR = 4
"""Entries before and after the page's own, or one that is new, that are shown with it."""
LEAST_RUN, LEAST_HERE = 6, 40
"""Entries in a row that are worth a line that stands for them."""
WANTED_AT_MOST = 8
"""Entries with a link to follow that are shown because they say what is still looked for."""
COMMON_SHARE = 0.5
"""Share of the entries from which a word that they have tells none of them apart."""


def steps_of_repeated(
    observation: Observation,
    marks: LinkMarks,
    seen_before: Mapping[int, int],
    visits: Set[int] = frozenset(),
    wanted: Sequence[str] = (),
) -> dict[int, int]:
    """By the block's id, the step of the page that first had most of the entries that it stands among; without those near the page's
    own entry and near new ones, and without links to follow that say what is `wanted`. `visits`: the steps of earlier visits to this
    page, whose links are of use again: of these only what is very long is repeated."""
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
    shown = {blocks[place].id for place in _wanted_places(blocks, observation, marks, wanted)}
    run: list[int] = []
    for place in range(len(blocks) + 1):
        is_next = place < len(blocks) and (not run or blocks[place].id == blocks[run[-1]].id + 1)
        if (run and not is_next) or place == len(blocks) or place in kept:
            step = max(Counter(steps[one] for one in run).items(), key=itemgetter(1), default=(0, 0))[0]
            if run and len(run) >= (LEAST_HERE if step in visits else LEAST_RUN):
                folded.update((blocks[one].id, step) for one in run if blocks[one].id not in shown)
            run = []
        if place < len(blocks) and place not in kept:
            run.append(place)
    return folded


def _wanted_places(
    blocks: Sequence[Block], observation: Observation, marks: LinkMarks, wanted: Sequence[str]
) -> set[int]:
    """The entries that hold a link to follow and the rarest of the wanted words."""
    words = frozenset(word for phrase in wanted for word in tokens(phrase))
    if not words:
        return set()
    links = [link for link in observation.links if marks.states.get(link.id) == ""]
    free = {link.block for link in links} | {place.block for link in links for place in link.again}
    texts = [block.text.casefold() for block in blocks]
    worth: dict[int, float] = {}
    for word in words:
        having = [place for place, text in enumerate(texts) if word in text]
        if 0 < len(having) < COMMON_SHARE * len(texts):
            for place in having:
                worth[place] = worth.get(place, 0.0) + log(len(texts) / len(having))
    likely = sorted((-value, place) for place, value in worth.items() if blocks[place].id in free)
    return {place for _, place in likely[:WANTED_AT_MOST]}
