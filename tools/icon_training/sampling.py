"""Batches to learn from: common icons as often as all the others, every set as often as the next."""

from __future__ import annotations

import queue
import threading
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from tools.icon_training.distort import Distorter, Picture, stacked
from tools.icon_training.labels import Labels, Row

SHARES = {"common": 0.34, "class": 0.2, "any": 0.37, "none": 0.09}
"""Parts of a batch: a common icon, one of a class, any drawing, no icon at all."""
AHEAD = 6
"""Batches made before they are asked for."""


class Batch(msgspec.Struct, frozen=True, kw_only=True):
    """One step's worth. `row` is -1 for what is no icon."""

    pictures: npt.NDArray[np.uint8]
    class_of: npt.NDArray[np.int64]
    row: npt.NDArray[np.int64]


class Sampler:
    """Chooses rows and distorts them."""

    def __init__(self, rows: Sequence[Row], labels: Labels, drawings: Picture, distorter: Distorter, seed: int) -> None:
        self._labels, self._drawings, self._distorter = labels, drawings, distorter
        self._chance = np.random.default_rng(seed)
        common = len(labels.also)
        groups: dict[str, dict[object, dict[str, list[int]]]] = {kind: {} for kind in ("common", "class", "any")}
        for number, row in enumerate(rows):
            if row["use"] != "train":
                continue
            label = int(labels.class_of_row[number])
            kind = "common" if label < common else "class" if label < len(labels.classes) - 2 else "any"
            if kind != "any":
                groups[kind].setdefault(label, defaultdict(list))[row["set"]].append(number)
            groups["any"].setdefault((row["set"], row["name"]), defaultdict(list))[row["set"]].append(number)
        self._groups = {kind: [list(sets.values()) for sets in group.values()] for kind, group in groups.items()}

    def batch(self, size: int, shares: Mapping[str, float]) -> Batch:
        """`size` pictures in random order of kind; `shares` as in `SHARES`, they add up to 1."""
        kinds = self._chance.choice(list(shares), size, p=list(shares.values()))
        rows = np.array([-1 if kind == "none" else self._row(str(kind)) for kind in kinds])
        pictures = [
            self._distorter.icon(self._drawings[row]) if row >= 0 else self._distorter.no_icon() for row in rows
        ]
        class_of = np.where(rows >= 0, self._labels.class_of_row[rows], len(self._labels.classes) - 1)
        return Batch(pictures=stacked(pictures), class_of=class_of, row=rows)

    def batches(self, size: int, count: int, shares: Mapping[str, float]) -> Iterator[Batch]:
        """`count` batches, made in a thread while the last ones are learnt from."""
        made: queue.Queue[Batch] = queue.Queue(AHEAD)

        def make() -> None:
            for _ in range(count):
                made.put(self.batch(size, shares))

        threading.Thread(target=make, daemon=True).start()
        for _ in range(count):
            yield made.get()

    def _row(self, kind: str) -> int:
        groups = self._groups[kind]
        sets = groups[self._chance.integers(len(groups))]
        rows = sets[self._chance.integers(len(sets))] if len(sets) > 1 else sets[0]
        return rows[self._chance.integers(len(rows))]
