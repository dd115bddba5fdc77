"""Chooses the answers to two things asked at once: one value seldom answers both."""

from __future__ import annotations

from collections.abc import Sequence

from memory.findings import Finding
from walker.strategies.answers.answer_chance import found_chance
from walker.strategies.answers.conflicts import says_the_same

NEARLY = 0.5
"""Share of the likelier answer's chance from which the next one is taken instead of saying the same twice: below, both things may
well have one value ("Who was president in spring and in autumn?")."""


def two_answers(best: Sequence[Finding | None], findings: Sequence[Finding]) -> list[Finding | None]:
    """The best findings of two parts; where both say the same, the next of that part which loses least by it."""
    told = list(best)
    both = [one for one in told if one is not None]
    if len(told) != 2 or len(both) != 2 or not says_the_same(both[0].text, both[1].text):
        return told
    kept: list[tuple[float, int, Finding]] = []
    for part, one in enumerate(both):
        others = [found for found in findings if found.part == part and not says_the_same(found.text, one.text)]
        after = max(others, key=lambda found: found.score, default=None)
        if after is not None:
            kept.append((found_chance(after.score) / found_chance(one.score), part, after))
    share, part, after = max(kept, key=lambda one: one[0], default=(0.0, 0, None))
    if share >= NEARLY:
        told[part] = after
    return told
