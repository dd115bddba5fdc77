"""Retrieval: ranks texts by relevance to a query, with BM25 over all of them and embeddings of the best."""

from __future__ import annotations

import logging
import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, Protocol

import msgspec
import numpy as np

from memory.embedding.word_vectors import Vectors, WordVectors, packaged_vectors
from memory.words import lazy_re, tokens

__all__ = [
    "Embedder", "Ranked", "Ranker", "Vectors", "WordLlamaEmbedder", "embed_texts", "holders_of_names", "is_mostly_cjk", "tokens",
]  # fmt: skip

EMBEDDED_AT_MOST = 128
"""Texts of one ranking that are embedded, the best by BM25: 10 microseconds each."""
EMBEDDED_AT_ONCE = 16
"""Texts whose words are held as vectors at a time: of 64 long ones 40 MB."""
EMBEDDED_CHARS = 1200
"""A text is truncated to so many characters before it is embedded; the mean over more words says little."""
MEANING_WEIGHT = 0.35
"""Weight of the embedding similarity in a score, for a query in a script with word spacing."""
MEANING_WEIGHT_HAN = 0.1
"""The same for Chinese and Japanese, where wordllama separates related from unrelated texts poorly (0.27 for a faculty and its
list of professors, 0.40 for a faculty and campus news)."""


HELD_BY_AT_MOST = 2
"""Texts that hold a name, from which it tells them from the others no more."""
_QUOTED = lazy_re.compile(r"[\"“„`«「『]([^\"”“`»」』]{3,80})[\"”“`»」』]")
_NAME = lazy_re.compile(
    r"(?<![\w.-])(?:-{1,2}[a-z][\w-]+|v?\d+(?:\.\d+)+|\w*[a-z0-9][A-Z]\w*|\w*[^\W\d_]\d\w*|\w+(?:_\w+)+|[A-Z][A-Z0-9]{2,}"
    r"|\w+(?:\.\w+)*\.[a-z]\w+)(?!\w)"
)
"""Options, identifiers, versions, acronyms and dotted names: whoever looks for one searches the page for it, letter by letter."""


class Embedder(Protocol):
    """Embeds texts as vectors."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors, float32, one row per text, in order; zeros for a text without words. Deterministic."""
        ...


class WordLlamaEmbedder:
    """Static word embeddings from the wordllama package; needs no network and is deterministic."""

    def __init__(self, vectors: WordVectors) -> None:
        self._vectors = vectors

    @classmethod
    def load(cls) -> WordLlamaEmbedder:
        """Load the packaged model (0.1 s, once per process). Raises `FileNotFoundError` if the package lacks it."""
        return cls(packaged_vectors())

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors, float32, one row per text, in order."""
        if not texts:
            return np.zeros((0, 256), np.float32)
        clean = [text[:EMBEDDED_CHARS].encode("utf-8", "replace").decode("utf-8") or " " for text in texts]
        rows = self._vectors.means(clean, EMBEDDED_AT_ONCE)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        lengths[[not text.strip() for text in texts]] = 0.0
        units: Vectors = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 1e-9)
        return units


def embed_texts(texts: Sequence[str]) -> Vectors:
    """One unit row a text by the packaged model, which is read at the first call. Raises `FileNotFoundError` without it."""
    return WordLlamaEmbedder.load().embed(texts)


def _keyword_index() -> Any:
    import bm25s  # noqa: PLC0415 - it brings progress bars, and takes 0.1 s

    logging.getLogger("bm25s").setLevel(logging.WARNING)  # it sets itself to DEBUG and reports every index built
    return bm25s.BM25(method="lucene")


class Ranked(msgspec.Struct, frozen=True, kw_only=True):
    """One text of a ranking: its index in the input, and its score with the two parts, each 0..1."""

    index: int
    score: float
    keyword: float
    """BM25 divided by its highest possible value."""
    meaning: float
    """Cosine similarity of the embeddings, negative ones as 0."""


class Ranker:
    """Ranks texts for a query. Pure: the same query and texts give the same ranking."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def rank(self, query: str, texts: Sequence[str]) -> tuple[Ranked, ...]:
        """All texts, best first; ties in the order given."""
        keyword = keyword_scores(tokens(query), [tokens(text) for text in texts])
        coarse = sorted(range(len(texts)), key=lambda place: (-keyword[place], place))
        fine = coarse[:EMBEDDED_AT_MOST]
        meaning = dict(zip(fine, self.similarities(query, [texts[place] for place in fine]), strict=True))
        share = MEANING_WEIGHT_HAN if is_mostly_cjk(query) else MEANING_WEIGHT
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
        """Embedding similarity of each text to the query, 0..1."""
        if not texts:
            return ()
        rows = self._embedder.embed([query, *texts])
        return tuple(round(max(0.0, float(value)), 6) for value in _cosines(rows[1:], rows[:1])[:, 0])

    def likeness(self, queries: Sequence[str], texts: Sequence[str]) -> Vectors:
        """Cosine similarities of all pairs, one row per text and one column per query, negative ones as 0."""
        if not queries or not texts:
            return np.zeros((len(texts), len(queries)), np.float32)
        rows = self._embedder.embed([*queries, *texts])
        likeness: Vectors = np.maximum(_cosines(rows[len(queries) :], rows[: len(queries)]), 0.0)
        return likeness

    def relevance(self, query: str, texts: Sequence[str]) -> float:
        """Relevance of a page, given as passages, to the query, 0..1: query words covered by the page and by its best passage, and
        embedding similarity."""
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


def holders_of_names(query: str, texts: Sequence[str]) -> tuple[int, ...]:
    """Indexes of the few texts that hold a name of the query letter by letter, those of the rarest names first. In a long run of
    code, a setting that is named once counts little by its words."""
    names = dict.fromkeys((*_QUOTED.findall(query), *_NAME.findall(query)))
    found: list[tuple[int, ...]] = []
    for name in names:
        whole = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
        held = tuple(place for place, text in enumerate(texts) if name in text and whole.search(text))
        if len(held) <= HELD_BY_AT_MOST:
            found.append(held)
    return tuple(dict.fromkeys(place for held in sorted(found, key=len) for place in held))


def keyword_scores(query: Sequence[str], documents: Sequence[Sequence[str]]) -> tuple[float, ...]:
    """BM25 of each document, 0..1: divided by the highest value that the query can reach in this collection."""
    asked = tuple(dict.fromkeys(query))
    if not asked or not documents:
        return (0.0,) * len(documents)
    known = frozenset(asked)
    # Only the query's words need an index entry; the others count towards a document's length.
    reduced = [[word if word in known else "" for word in words] or [""] for words in documents]
    holding = Counter(word for words in reduced for word in dict.fromkeys(words) if word)
    if not holding:
        return (0.0,) * len(documents)
    index = _keyword_index()
    index.index(reduced, show_progress=False)
    scores = index.get_scores([word for word in asked if word in holding])
    count = len(documents)
    # The highest value a term can reach is its inverse document frequency, with the formula of `method="lucene"`.
    ceiling = sum(math.log(1 + (count - holding[word] + 0.5) / (holding[word] + 0.5)) for word in asked)
    return tuple(round(min(1.0, float(score) / ceiling), 6) for score in scores)


def _cosines(rows: Vectors, columns: Vectors) -> Vectors:
    """Cosines of unit rows. Not a matrix product, whose rounding of one pair depends on how many others there are."""
    products: Vectors = np.einsum("rd,cd->rc", rows, columns)
    return products


def is_mostly_cjk(text: str) -> bool:
    """Whether more than half of the letters are Chinese or Japanese (U+3040..U+9FFF): scripts without spaces between words."""
    letters = [character for character in text if character.isalpha()]
    return 2 * sum("\u3040" <= character <= "\u9fff" for character in letters) > len(letters)


def _weight(word: str) -> float:
    """Identifiers, numbers and version names weigh more than plain words: they are more specific."""
    return 1.5 if any(character.isdigit() or character in "_." for character in word) else 1.0
