"""Nearest known words of an unknown word, by the word vectors in the wordllama package."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

NEAREST = 3
LEAST_COSINE = 0.5
"""Below it two words share spelling at most ("telly" and "telegram" 0.39); above it mostly meaning ("logon" and "logout" 0.66)."""
SHORTEST = 3
"""Least length of a known word that may replace another: the vectors of shorter ones reflect their letters."""


class Neighbours:
    """Nearest neighbours in a vocabulary; the vectors are loaded (0.5 s) on first use."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = tuple(words)

    def of(self, word: str) -> list[tuple[int, float]]:
        """Indices in the vocabulary with cosine similarities, nearest first; empty where no known word is near."""
        cosines = _vectors(self._words) @ _embed((word,))[0]
        cosines[[len(known) < SHORTEST for known in self._words]] = 0.0
        best = np.argsort(-cosines, kind="stable")[:NEAREST]
        return [(int(place), float(cosines[place])) for place in best if cosines[place] >= LEAST_COSINE]


@cache
def _vectors(words: tuple[str, ...]) -> npt.NDArray[np.float32]:
    return _embed(words)


def _embed(words: tuple[str, ...]) -> npt.NDArray[np.float32]:
    """Unit vectors, one row a word; zeros for a word without a vector."""
    vectors = np.asarray(_model().embed(list(words)), np.float32)
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-6))


@cache
def _model() -> Any:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    import wordllama  # noqa: PLC0415 - it configures logging for the whole process, which is undone here

    root.handlers[:] = handlers
    root.setLevel(level)
    return wordllama.WordLlama.load(cache_dir=Path(wordllama.__file__).parent, disable_download=True)
