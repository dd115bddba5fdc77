"""Ranks the pages of a search by more than the keywords of their best passage: what else of a page fits, and how closely.

A page is worth more than its best passage says where several of its passages fit (Callan 1994), where words stand side by side as the
query has them, where its title or address is made of the query's words; and less where it is long, as a long page holds any word.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from urllib.parse import unquote, urlsplit

import msgspec

from memory.words import tokens

ADDRESS_CHARS = 300
OF_FORM = frozenset(tokens("page pages site website index html Seite Seiten página páginas sitio 页面 网站"))
"""Words for what every address is: "the people pages" of a question are no reason for "page-3.html"."""
OF_BEST, OF_SECOND, OF_THIRD = 5.4, 1.1, 1.0
"""Weights of a page's passages by their BM25, as shares of that of the best passage of all."""
OF_NEIGHBOURS, OF_TITLE, OF_ADDRESS = 2.9, 0.5, 1.8
OF_LENGTH, OF_PASSAGES = 0.65, -0.6
"""Fitted by bench/fit_page_ranking.py on the questions of tools/reader_training, which name their pages."""


class FoundPassage(msgspec.Struct, frozen=True, gc=False):
    """A passage that the keywords found; its words as they are searched."""

    page: int
    url: str
    title: str
    words: str
    bm25: float


class Signals(msgspec.Struct, frozen=True, gc=False):
    """What speaks for a passage's page, each 0..1 but for the last two."""

    best: float
    second: float
    third: float
    neighbours: float
    """Weight of the query's neighbouring words that stand side by side in one of the page's passages."""
    title: float
    """Share of the title's words that the query has."""
    address: float
    """Weight of the query's words that the address has."""
    length: float
    """Logarithm of the passage's words."""
    passages: float
    """Logarithm of the page's passages."""

    @property
    def sum(self) -> float:
        """All by their weights."""
        return (
            OF_BEST * self.best
            + OF_SECOND * self.second
            + OF_THIRD * self.third
            + OF_NEIGHBOURS * self.neighbours
            + OF_TITLE * self.title
            + OF_ADDRESS * self.address
            + OF_LENGTH * self.length
            + OF_PASSAGES * self.passages
        )


def page_scores(found: Sequence[FoundPassage], signals: Sequence[Signals]) -> list[float]:
    """A score above 0 for each passage found, in units of BM25: the best has that of the best passage."""
    sums = [one.sum for one in signals]
    most = max(sums, default=0.0)
    return [found[0].bm25 * math.exp((one - most) / OF_BEST) for one in sums]


def signals_of(
    query: Sequence[str], weights: Mapping[str, float], found: Sequence[FoundPassage], passages: Mapping[int, int]
) -> list[Signals]:
    """The signals of each passage found. `query`: its terms in order; `weights`: of each term; `found`: by BM25, the best first;
    `passages`: how many each page has. Pure."""
    top = found[0].bm25 if found else 1.0
    pairs = {(one, other): weights[one] + weights[other] for one, other in pairwise(query) if one != other}
    every, paired = sum(weights.values()) or 1.0, sum(pairs.values()) or 1.0
    telling = weights.keys() - OF_FORM
    scores: dict[int, list[float]] = {}
    near: dict[int, float] = {}
    for one in found:
        scores.setdefault(one.page, []).append(one.bm25 / top)
        text = f" {one.words} "
        beside = sum(weight for pair, weight in pairs.items() if f" {pair[0]} {pair[1]} " in text)
        near[one.page] = max(near.get(one.page, 0.0), beside / paired)
    told: list[Signals] = []
    for one in found:
        of_page, title = scores[one.page], frozenset(one.title.split())
        told.append(
            Signals(
                best=one.bm25 / top,
                second=of_page[1] if len(of_page) > 1 else 0.0,
                third=of_page[2] if len(of_page) > 2 else 0.0,
                neighbours=near[one.page],
                title=len(title & telling) / max(1, len(title)),
                address=sum(weights[word] for word in address_words(one.url) & telling) / every,
                length=math.log(1 + one.words.count(" ")),
                passages=math.log(1 + passages.get(one.page, 1)),
            )
        )
    return told


def weight_of(frequency: int, passages: int) -> float:
    """What a word tells that so many of all passages have, as BM25 has it."""
    return math.log(1 + (max(0, passages - frequency) + 0.5) / (frequency + 0.5))


@lru_cache(maxsize=1 << 12)
def address_words(url: str) -> frozenset[str]:
    """The words of an address behind its host."""
    parts = urlsplit(url)
    return frozenset(
        tokens(re.sub(r"[/_.+-]+", " ", unquote(f"{parts.path} {parts.query} {parts.fragment}")[:ADDRESS_CHARS]))
    )
