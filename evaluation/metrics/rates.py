"""Success rates: pass@k and F1."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from math import comb

from memory.retrieval import is_mostly_cjk

_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|\d+(?:[.,]\d+)*|\w+")
_POSSESSIVE = re.compile(r"['\u2019]s\b")
_ARTICLES = frozenset(("a", "an", "the"))


def pass_at_k(samples: int, right: int, k: int) -> float:
    """Unbiased estimate of the probability that at least one of k samples is right: 1 - C(n - c, k) / C(n, k) (Chen et al., 2021).

    Raises `ValueError` unless 1 <= k <= samples and 0 <= right <= samples.
    """
    if not 1 <= k <= samples or not 0 <= right <= samples:
        raise ValueError(f"pass@{k} of {samples} samples, {right} of them right, is not defined")
    return 1.0 - comb(samples - right, k) / comb(samples, k)


def mean(values: Iterable[float]) -> float:
    """The mean, 0 for no values."""
    known = list(values)
    return sum(known) / len(known) if known else 0.0


def word_f1(answer: str, accepted: Sequence[str]) -> float:
    """Token F1 with the closest accepted answer, 0..1; Chinese and Japanese by characters."""
    return max((_overlap(_words(answer), _words(reference)) for reference in accepted), default=0.0)


def item_f1(named: Sequence[str], accepted: Sequence[str], wanted: int) -> float:
    """F1 of named items against the accepted ones, 0..1; `wanted` of these suffice for full recall."""
    right = len({plain(item) for item in named} & {plain(item) for item in accepted})
    if not right:
        return 0.0
    precision, recall = right / len({plain(item) for item in named}), min(1.0, right / max(1, wanted))
    return 2 * precision * recall / (precision + recall)


def plain(text: str) -> str:
    """Text with case, character width, white space and quotes normalised, without thousands separators."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    folded = re.sub(r"[\u2018\u2019\u201c\u201d\"'`*_]", "", folded)
    folded = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", folded)
    return " ".join(folded.split())


def _words(text: str) -> Counter[str]:
    words = _WORD.findall(plain(_POSSESSIVE.sub("", text)))
    return Counter(words if is_mostly_cjk(text) else [word for word in words if word not in _ARTICLES])


def _overlap(given: Counter[str], wanted: Counter[str]) -> float:
    shared = (given & wanted).total()
    if not shared:
        return float(not given and not wanted)
    precision, recall = shared / given.total(), shared / wanted.total()
    return 2 * precision * recall / (precision + recall)
