"""Which of many texts bear on a query: BM25 over all of them, then the meaning of the best by embeddings."""

from __future__ import annotations

import logging
import math
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import bm25s
import msgspec
import numpy as np
import numpy.typing as npt

from memory.words import tokens

__all__ = ["Embedder", "Ranked", "Ranker", "Vectors", "WordLlamaEmbedder", "embed_texts", "has_han", "tokens"]

logging.getLogger("bm25s").setLevel(logging.WARNING)  # it sets itself to DEBUG and reports every index built

Vectors = npt.NDArray[np.float32]

EMBEDDED_AT_MOST = 128
"""Texts of one ranking that are embedded, the best by keywords: 10 microseconds each."""
EMBEDDED_CHARS = 1200
"""Characters of a text that are embedded; the mean over more words says little."""
MEANING_WEIGHT = 0.35
"""Share of the embedding in a score for a query in an alphabet."""
MEANING_WEIGHT_HAN = 0.1
"""The same for Chinese and Japanese, where wordllama tells related from unrelated poorly (0.27 for a faculty and its
list of professors, 0.40 for a faculty and campus news)."""


class Embedder(Protocol):
    """Turns texts into unit vectors, one row a text; a text without words gives a row of zeros."""

    def embed(self, texts: Sequence[str]) -> Vectors: ...


class WordLlamaEmbedder:
    """Static word embeddings that come inside the wordllama package; needs no network and is deterministic."""

    def __init__(self, model: Any) -> None:
        self._model = model

    @classmethod
    def load(cls) -> WordLlamaEmbedder:
        """Read the packaged model, 0.5 s, once in a process. Raises `FileNotFoundError` if the package lacks it."""
        return cls(_packaged_model())

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit row a text, float32, in order."""
        if not texts:
            return np.zeros((0, 256), np.float32)
        clean = [text[:EMBEDDED_CHARS].encode("utf-8", "replace").decode("utf-8") or " " for text in texts]
        rows = np.asarray(self._model.embed(clean, norm=False), np.float32)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        lengths[[not text.strip() for text in texts]] = 0.0
        units: Vectors = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 1e-9)
        return units


def embed_texts(texts: Sequence[str]) -> Vectors:
    """One unit row a text by the packaged model, which is read at the first call. Raises `FileNotFoundError` without it."""
    return WordLlamaEmbedder.load().embed(texts)


@cache
def _packaged_model() -> Any:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    import wordllama  # noqa: PLC0415 - it sets up logging for the whole process, which is taken back here

    root.handlers[:] = handlers
    root.setLevel(level)
    folder = Path(wordllama.__file__).parent
    return wordllama.WordLlama.load(cache_dir=folder, disable_download=True)


class Ranked(msgspec.Struct, frozen=True, kw_only=True):
    """One text of a ranking: its place in the input, and its score with the two parts, each 0..1."""

    index: int
    score: float
    keyword: float
    """Share of the query's weight that its words carry (BM25 over its highest possible value)."""
    meaning: float
    """Cosine of the embeddings, negative ones as 0."""


class Ranker:
    """Ranks texts for a query. Pure: the same query and texts give the same ranking."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def rank(self, query: str, texts: Sequence[str]) -> tuple[Ranked, ...]:
        """All texts, best first; equal ones in the order given."""
        keyword = keyword_scores(tokens(query), [tokens(text) for text in texts])
        coarse = sorted(range(len(texts)), key=lambda place: (-keyword[place], place))
        fine = coarse[:EMBEDDED_AT_MOST]
        meaning = dict(zip(fine, self.similarities(query, [texts[place] for place in fine]), strict=True))
        share = MEANING_WEIGHT_HAN if has_han(query) else MEANING_WEIGHT
        ranked = [
            Ranked(
                index=place,
                score=(1 - share) * keyword[place] + share * meaning.get(place, 0.0),
                keyword=keyword[place],
                meaning=meaning.get(place, 0.0),
            )
            for place in range(len(texts))
        ]
        return tuple(sorted(ranked, key=lambda one: (-one.score, one.index)))

    def similarities(self, query: str, texts: Sequence[str]) -> tuple[float, ...]:
        """Meaning of each text compared with the query, 0..1."""
        if not texts:
            return ()
        rows = self._embedder.embed([query, *texts])
        return tuple(round(max(0.0, float(value)), 6) for value in _cosines(rows[1:], rows[:1])[:, 0])

    def likeness(self, queries: Sequence[str], texts: Sequence[str]) -> Vectors:
        """Cosines of all pairs, a row a text and a column a query, negative ones as 0."""
        if not queries or not texts:
            return np.zeros((len(texts), len(queries)), np.float32)
        rows = self._embedder.embed([*queries, *texts])
        likeness: Vectors = np.maximum(_cosines(rows[len(queries) :], rows[: len(queries)]), 0.0)
        return likeness

    def relevance(self, query: str, texts: Sequence[str]) -> float:
        """How much of a page bears on the query, 0..1: words covered by the page, by its best passage, and meaning."""
        asked = dict.fromkeys(tokens(query))
        if not asked or not texts:
            return 0.0
        weights = {word: _weight(word) for word in asked}
        found = [weights.keys() & frozenset(tokens(text)) for text in texts]
        total = sum(weights.values())
        shares = [sum(weights[word] for word in asked if word in words) / total for words in found]
        everywhere = frozenset().union(*found)
        whole = sum(weights[word] for word in asked if word in everywhere) / total
        best = sorted(range(len(texts)), key=lambda place: (-shares[place], place))[:EMBEDDED_AT_MOST]
        meaning = max(self.similarities(query, [texts[place] for place in best]))
        return min(1.0, 0.4 * whole + 0.4 * max(shares) + 0.2 * min(1.0, 1.5 * meaning))


def keyword_scores(query: Sequence[str], documents: Sequence[Sequence[str]]) -> tuple[float, ...]:
    """BM25 of each document as a share 0..1 of the weight that all of the query's words have in this collection."""
    asked = tuple(dict.fromkeys(query))
    if not asked or not documents:
        return (0.0,) * len(documents)
    known = frozenset(asked)
    # Only the query's words need a place of their own in the index; the rest counts for the length of a document.
    reduced = [[word if word in known else "" for word in words] or [""] for words in documents]
    holding = Counter(word for words in reduced for word in dict.fromkeys(words) if word)
    if not holding:
        return (0.0,) * len(documents)
    index = bm25s.BM25(method="lucene")
    index.index(reduced, show_progress=False)
    scores = index.get_scores([word for word in asked if word in holding])
    count = len(documents)
    # The highest value a term can reach is its inverse document frequency, with the formula of `method="lucene"`.
    ceiling = sum(math.log(1 + (count - holding[word] + 0.5) / (holding[word] + 0.5)) for word in asked)
    return tuple(round(min(1.0, float(score) / ceiling), 6) for score in scores)


def _cosines(rows: Vectors, columns: Vectors) -> Vectors:
    """Products of unit rows. A matrix product would round one pair differently by how many others stand beside it."""
    products: Vectors = np.einsum("rd,cd->rc", rows, columns)
    return products


def has_han(text: str) -> bool:
    """Whether most letters are of a script written without spaces, so that embeddings of words tell little."""
    letters = [character for character in text if character.isalpha()]
    return 2 * sum("\u3040" <= character <= "\u9fff" for character in letters) > len(letters)


def _weight(word: str) -> float:
    """Identifiers, numbers and names of versions tell more of a page's subject than plain words."""
    return 1.5 if any(character.isdigit() or character in "_." for character in word) else 1.0
