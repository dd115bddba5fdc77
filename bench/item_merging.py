"""Measures which names of items the counter takes for one thing, on labelled pairs: bench/item_pairs.tsv.

usage: python bench/item_merging.py [--half fit|test|both] [--list]
Rules are fitted on the first half (every other pair of a kind and label); the figures of the second are the ones that count.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent))
from figures import print_figure

from memory.counting.counter import Counter
from memory.counting.requirement import Requirement
from memory.findings import Item

PAIRS = Path(__file__).parent / "item_pairs.tsv"
FALSE_MERGES, FALSE_SPLITS = 0.02, 0.15


class Pair(NamedTuple):
    """Two names as two pages write them, and whether they are one thing."""

    kind: str
    is_same: bool
    first: str
    second: str


def main() -> None:
    """Figures of the halves that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", choices=("fit", "test", "both"), default="both")
    parser.add_argument("--list", action="store_true", help="print the pairs that are wrong")
    options = parser.parse_args()
    halves = read_halves(PAIRS)
    for name in ("fit", "test"):
        if options.half in (name, "both"):
            report(name, halves[name], wrong_too=options.list)


def read_halves(path: Path) -> dict[str, list[Pair]]:
    """The pairs in two halves with the same share of each kind and label."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    halves: dict[str, list[Pair]] = {"fit": [], "test": []}
    seen: dict[tuple[str, str], int] = defaultdict(int)
    for row in rows:
        key = (row["kind"], row["label"])
        half = "fit" if seen[key] % 2 == 0 else "test"
        seen[key] += 1
        halves[half].append(Pair(row["kind"], row["label"] == "same", row["first"], row["second"]))
    return halves


def is_merged(pair: Pair) -> bool:
    """Whether the counter counts the two once, in either order, met on two pages."""
    counts = []
    for names in ((pair.first, pair.second), (pair.second, pair.first)):
        items = [Item(name=name, page_url=f"http://h/{place}", step=place) for place, name in enumerate(names, 1)]
        counts.append(Counter.start(Requirement(mode="exhaustive", noun="items")).add(items).found)
    return counts[0] == 1 or counts[1] == 1


def report(name: str, pairs: list[Pair], *, wrong_too: bool) -> None:
    """Precision and recall of merging, and the shares of false merges and false splits."""
    merged = {pair: is_merged(pair) for pair in pairs}
    right = sum(merged[pair] for pair in pairs if pair.is_same)
    wrong = sum(merged[pair] for pair in pairs if not pair.is_same)
    same = sum(pair.is_same for pair in pairs)
    false_merges, false_splits = wrong / (len(pairs) - same), 1 - right / same
    print_figure(f"merging, {name} half, pairs", len(pairs), "pairs", "of 200", bool(pairs))
    precision = right / max(1, right + wrong)
    print_figure(f"merging, {name} half, precision", round(precision, 3), "share", ">= 0.97", precision >= 0.97)
    print_figure(f"merging, {name} half, recall", round(right / same, 3), "share", ">= 0.85", right / same >= 0.85)
    print_figure(
        f"false merges, {name} half",
        round(false_merges, 3),
        "share",
        f"<= {FALSE_MERGES}",
        false_merges <= FALSE_MERGES,
    )
    print_figure(
        f"false splits, {name} half",
        round(false_splits, 3),
        "share",
        f"<= {FALSE_SPLITS}",
        false_splits <= FALSE_SPLITS,
    )
    if wrong_too:
        for pair in pairs:
            if merged[pair] != pair.is_same:
                sys.stderr.write(f"{'split' if pair.is_same else 'merge'} {pair.kind}: {pair.first} | {pair.second}\n")


if __name__ == "__main__":
    main()
