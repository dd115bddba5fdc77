"""Aligns the steps of two walks by page and path, so that one extra step shifts nothing."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from traces.reading.steps import Step

SAME_PLACE, SAME_PAGE = 4, 3
"""Weight of a pair: the same page by the same path, and the same page by another path."""
MOST_CELLS = 4_000_000
"""Size of the dynamic-programming table; walks of more than two thousand differing steps each are aligned by page alone."""

Pair = tuple[int | None, int | None]
"""Indices in the two sequences; None where the other walk has no such step."""


def align(one: Sequence[Step], other: Sequence[Step]) -> tuple[Pair, ...]:
    """The pairs of greatest total weight, in the order of both walks. Steps of different pages are never a pair."""
    head = 0
    while head < min(len(one), len(other)) and _worth(one[head], other[head]) == SAME_PLACE:
        head += 1
    tail = 0
    while tail < min(len(one), len(other)) - head and _worth(one[-1 - tail], other[-1 - tail]) == SAME_PLACE:
        tail += 1
    first, second = one[head : len(one) - tail], other[head : len(other) - tail]
    middle = _by_page(first, second) if len(first) * len(second) > MOST_CELLS else _by_worth(first, second)
    return (
        *((place, place) for place in range(head)),
        *((_moved(left, head), _moved(right, head)) for left, right in middle),
        *((len(one) - tail + place, len(other) - tail + place) for place in range(tail)),
    )


def _worth(one: Step, other: Step) -> int:
    if one.key != other.key:
        return 0
    return SAME_PLACE if one.path == other.path else SAME_PAGE


def _by_worth(one: Sequence[Step], other: Sequence[Step]) -> list[Pair]:
    """Longest common subsequence, weighted by pair."""
    best = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for left in range(len(one) - 1, -1, -1):
        row, below = best[left], best[left + 1]
        for right in range(len(other) - 1, -1, -1):
            worth = _worth(one[left], other[right])
            skipped = max(below[right], row[right + 1])
            row[right] = max(skipped, worth + below[right + 1]) if worth else skipped
    pairs: list[Pair] = []
    left = right = 0
    while left < len(one) and right < len(other):
        worth = _worth(one[left], other[right])
        if worth and best[left][right] == worth + best[left + 1][right + 1]:
            pairs.append((left, right))
            left, right = left + 1, right + 1
        elif best[left][right] == best[left + 1][right]:
            pairs.append((left, None))
            left += 1
        else:
            pairs.append((None, right))
            right += 1
    pairs += [(place, None) for place in range(left, len(one))]
    return pairs + [(None, place) for place in range(right, len(other))]


def _by_page(one: Sequence[Step], other: Sequence[Step]) -> list[Pair]:
    matcher = SequenceMatcher(None, [step.key for step in one], [step.key for step in other], autojunk=False)
    pairs: list[Pair] = []
    for kind, start, end, from_, to in matcher.get_opcodes():
        if kind == "equal":
            pairs += zip(range(start, end), range(from_, to), strict=True)
        else:
            pairs += [(place, None) for place in range(start, end)]
            pairs += [(None, place) for place in range(from_, to)]
    return pairs


def _moved(place: int | None, by: int) -> int | None:
    return None if place is None else place + by
