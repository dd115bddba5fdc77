"""Nearest known words of an unknown word, by word vectors that the caller brings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Embed = Callable[[Sequence[str]], Floats]
"""Vectors of length 1, one row a text, zeros for a text without a vector; called at the first word that is not known."""

NEAREST = 3
LEAST_COSINE = 0.5
"""Below it two words share spelling at most ("telly" and "telegram" 0.39); above it mostly meaning ("logon" and "logout" 0.66)."""
SHORTEST = 3
"""Least length of a known word that may replace another: the vectors of shorter ones reflect their letters."""


class Neighbours:
    """Nearest neighbours in a vocabulary, whose vectors are computed at the first unknown word."""

    def __init__(self, words: Sequence[str], embed: Embed) -> None:
        self._words, self._embed = tuple(words), embed

    def of(self, word: str) -> list[tuple[int, float]]:
        """Indices in the vocabulary with cosine similarities, nearest first; empty where no known word is near."""
        cosines = self._vectors @ self._embed((word,))[0]
        cosines[[len(known) < SHORTEST for known in self._words]] = 0.0
        best = np.argsort(-cosines, kind="stable")[:NEAREST]
        return [(int(place), float(cosines[place])) for place in best if cosines[place] >= LEAST_COSINE]

    @cached_property
    def _vectors(self) -> Floats:
        return self._embed(self._words)
