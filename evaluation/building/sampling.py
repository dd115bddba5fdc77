"""Samples target pages for questions: single pages by depth, and pairs by the sum of their depths."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations, zip_longest

from evaluation.building.candidate import difficulty_of
from evaluation.building.tree import HarvestedPage, SiteTree
from evaluation.dataset.question import Difficulty

LEAST_CHARS = 200
"""Least characters of a target page; a shorter one is not worth a model call."""
MOST_PAIRS = 20_000


def sample_targets(tree: SiteTree, count: int, *, seed: int = 0) -> Iterator[tuple[HarvestedPage, ...]]:
    """Targets of `count` pages (1 or 2) or fewer; easy, medium and hard ones in turn as far as there are."""
    chance = random.Random(seed)  # noqa: S311 - a sample, no secret
    pages = [page for page in tree.pages if page is not tree.root and len(page.text) >= LEAST_CHARS]
    chance.shuffle(pages)
    targets: dict[Difficulty, list[tuple[HarvestedPage, ...]]] = {"easy": [], "medium": [], "hard": []}
    for number, target in enumerate(combinations(pages, count)):
        if number >= MOST_PAIRS:
            break
        targets[difficulty_of(tuple(page.level for page in target))].append(target)
    for several in targets.values():
        chance.shuffle(several)
    for turn in zip_longest(*targets.values()):
        yield from (target for target in turn if target is not None)
