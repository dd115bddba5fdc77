"""Meaning breaks ties, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from memory.library.protocol import Hit, Passage
from memory.library.ties import break_ties
from memory.retrieval import Ranker, Vectors


class ByLength:
    """Texts of the query's length are most like it."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        rows = np.array([[1.0, len(text) / 10] for text in texts], np.float32)
        units: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return units


def hit(name: str, score: float) -> Hit:
    return Hit(url=f"https://a.example/{name}", title="", language="", passage=Passage(text=name), score=score)


def test_only_hits_with_nearly_equal_scores_change_places() -> None:
    hits = [hit("a very long text", 10.0), hit("short", 9.9), hit("shor", 5.0)]
    ordered = break_ties("short!", hits, Ranker(ByLength()))
    assert [one.passage.text for one in ordered] == ["short", "a very long text", "shor"]
    assert break_ties("short!", [], Ranker(ByLength())) == ()
