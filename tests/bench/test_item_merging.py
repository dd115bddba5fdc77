"""What the counter takes for one thing, on the labelled pairs."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))
from item_merging import FALSE_MERGES, FALSE_SPLITS, PAIRS, is_merged, read_halves


def test_real_items_are_not_lost_and_doubles_are_found() -> None:
    halves = read_halves(PAIRS)
    assert sum(map(len, halves.values())) >= 200
    for pairs in halves.values():
        different = [pair for pair in pairs if not pair.is_same]
        same = [pair for pair in pairs if pair.is_same]
        assert min(len(different), len(same)) >= 40
        assert sum(map(is_merged, different)) <= FALSE_MERGES * len(different)
        assert sum(not is_merged(pair) for pair in same) <= FALSE_SPLITS * len(same)
