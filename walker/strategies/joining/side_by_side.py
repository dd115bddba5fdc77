"""Chooses the answers to two things asked at once: one value seldom answers both."""

from __future__ import annotations

from collections.abc import Sequence

from memory.findings import Finding
from memory.words import STOP_WORDS, tokens
from walker.strategies.answers.answer_chance import found_chance
from walker.strategies.answers.conflicts import says_the_same
from walker.strategies.question.question import Part

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


def said_of_other(best: Sequence[Finding | None], parts: Sequence[Part]) -> int | None:
    """The number of the one of two parts that is answered by a passage about the other: both answers are the same one, which has all
    words of the other part and not of this one; None where there is none."""
    both = [one for one in best if one is not None]
    if len(parts) != 2 or len(both) != 2 or both[0].quote != both[1].quote:
        return None
    if not says_the_same(both[0].text, both[1].text):
        return None
    asked = [frozenset(tokens(part.text)) - STOP_WORDS for part in parts]
    said = frozenset(tokens(f"{both[0].heading} {both[0].before} {both[0].quote}"))
    names_all = [asked[part] - asked[1 - part] <= said for part in (0, 1)]
    return names_all.index(False) if any(names_all) and not all(names_all) else None
