"""Likeness in meaning of a question to passages, word by word: "memory" is met by "RAM", which no shared word would tell."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np

from memory.retrieval import Ranker
from memory.words import STOP_WORDS, lazy_re, tokens
from walker.strategies.question.question_terms import content_words

BESIDE_SHARE = 0.8
"""Worth of a word beside or above a passage, as a share of one in it."""
LEAST = 0.35
"""Likeness of words that says nothing: most pairs have less."""
NEAR_CHARS, ABOVE_CHARS = 400, 200
_HAN = lazy_re.compile(r"[\u3040-\u9fff]")
_WORD = lazy_re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


def likeness_by_words(question: str, passages: Sequence[tuple[str, str]], ranker: Ranker) -> list[float]:
    """0..1 for each passage, given as its text and what stands beside it: the mean over the question's words, the rare ones weighing
    most, of the likeness of the nearest word in or beside the passage."""
    kept = frozenset(content_words(question))
    asked = [word for word in _words(question) if not kept.isdisjoint(tokens(word))]
    own, beside = [_words(text) for text, _ in passages], [_words(around) for _, around in passages]
    known = list(dict.fromkeys(word for words in (*own, *beside) for word in words))
    if not asked or not known:
        return [0.0] * len(passages)
    place = {word: number for number, word in enumerate(known)}
    likeness = ranker.likeness(asked, known)
    held = Counter(word for one, other in zip(own, beside, strict=True) for word in {*one, *other})
    rarity = np.array([math.log(1 + len(passages) / max(1, held[word])) for word in asked])
    share = rarity / rarity.sum()
    nothing = np.zeros(len(asked))
    found = []
    for one, other in zip(own, beside, strict=True):
        within = likeness[[place[word] for word in one]].max(axis=0) if one else nothing
        around = likeness[[place[word] for word in other]].max(axis=0) if other else nothing
        met = np.maximum(0.0, np.maximum(within, BESIDE_SHARE * around) - LEAST) / (1 - LEAST)
        found.append(round(float(share @ met), 6))
    return found


def _words(text: str) -> list[str]:
    """The words of a text once each as they are written, without stop words; of Chinese and Japanese the pairs."""
    words = tokens(text) if _HAN.search(text) else _WORD.findall(text.lower())
    return [word for word in dict.fromkeys(words) if len(word) > 1 and word not in STOP_WORDS]
