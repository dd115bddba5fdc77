"""Breaks ties between hits by meaning; keywords keep deciding everything else."""

from __future__ import annotations

from collections.abc import Sequence

from memory.library.protocol import Hit
from memory.retrieval import Ranker

TIE = 0.02
"""Hits whose scores differ by less than this share are a tie: reordering more of them made results worse."""


def break_ties(query: str, hits: Sequence[Hit], ranker: Ranker) -> tuple[Hit, ...]:
    """The hits, those of a tie by similarity to the query."""
    ordered: list[Hit] = []
    group: list[Hit] = []
    for hit in hits:
        if group and hit.score < (1 - TIE) * group[0].score:
            ordered += _by_meaning(query, group, ranker)
            group = []
        group.append(hit)
    return (*ordered, *_by_meaning(query, group, ranker))


def _by_meaning(query: str, group: Sequence[Hit], ranker: Ranker) -> list[Hit]:
    if len(group) < 2:
        return list(group)
    similar = ranker.similarities(query, [f"{hit.title}\n{hit.passage.text}" for hit in group])
    return [group[place] for place in sorted(range(len(group)), key=lambda place: (-similar[place], place))]
