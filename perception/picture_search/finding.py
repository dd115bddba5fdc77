"""Finds a picture among many: a first pass by words and hashes, then a check of the best, and the chance that each is the one."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import msgspec
import numpy as np

from perception.picture_search.features import Features, Look
from perception.picture_search.matching import Match, match
from perception.picture_search.visual_words import (
    PostingsOf,
    alike,
    asked_words,
    nearest_hashes,
    sharing,
    words_of_places,
)

CHECKED_FIRST, CHECKED = 12, 16
"""Pictures that share most words are checked: the first dozen, then 16 by the features of two scales where none of these is likely. A
check takes 1.2 ms, of two scales 2. On the building half (bench/answers) 16 more of the first scale found 108 of 110 crops of 36 %
among the first five, and 90 for sure; these find 109 and 98, and of 83 absent crops 2 are taken for hits."""
GLANCED_AT, CHECKED_AFTER = 96, 8
"""Pictures up to this place by shared words are glanced at where none of the former is likely: compared by the features alone whose
words they share, a twentieth of all, in 0.2 ms. The best 8 are checked. Of 581 crops of 36 % on the building half 14 were not among
the first five before, mostly of diagrams that share their symbols; 5 of these now come first. The same 2 of 50 absent crops are taken
for hits."""
SURE = 0.5
NEAR_BITS, NEAR_CHECKED = 14, 8
"""Bits in which the hash of a further picture may differ that is checked, and how many such."""

SIGNALS = ("points", "covered", "whole")
INTERCEPT = -9.102
WEIGHTS: Mapping[str, float] = {"points": 2.025, "covered": 5.213, "whole": 13.456}
"""Fitted by bench/pictures.py --fit to 4,364 pairs of the building half of bench/answers, of which 301 show the same pixels.
The intercept is 1 lower than fitted, as a search compares a dozen pairs: 183 of 183 absent pictures of that half are refused, 179 as
fitted, and the same 54 of 60 crops are found with a chance of one half."""


LOOKED_AT_FROM = 0.02
"""Chance by points and hash from which the pixels of two pictures are compared: a decoded preview and 0.3 ms each."""
LOOKED_INTERCEPT = -14.412
LOOKED_WEIGHTS: Mapping[str, float] = {"points": 1.028, "covered": 3.152, "whole": 2.692, "same": 11.057}
"""Of pictures whose pixels were compared: fitted to 593 pairs of the building half, 238 of the same picture; other pictures with the
same pixels are in neither. The same picture agrees to 0.96 in 99 of 100, of others 95 in 100 to at most 0.76. A quarter held out:
0.990 of 195 absent ones are refused (0.946 by points and hash), 0.995 of 387 absent crops of 36 % (0.969); of 120 crops of pictures
that are there 0.975 have a chance of one half (0.942)."""

Agrees = Callable[[int, Match], float | None]
"""The share 0..1 of what the searched picture shows that this picture shows at the same place; None where that cannot be told."""


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """A picture, by its number, and what speaks for it."""

    picture: int
    match: Match
    chance: float
    """0..1 that it shows the searched picture or a part of it."""


def candidates(searched: Look, postings_of: PostingsOf, most: int = CHECKED_FIRST) -> tuple[int, ...]:
    """Numbers of the pictures to check: those with a near hash, then `most` that share most words; the best first."""
    return _Candidates(searched.hash, (searched.features,), postings_of).first(most)


def find(
    searched: Look,
    at_both_scales: Callable[[], tuple[Features, Features]],
    looks: Callable[[Sequence[int]], Mapping[int, Look]],
    postings_of: PostingsOf,
    agrees: Agrees = lambda _number, _match: None,
) -> tuple[Found, ...]:
    """The pictures that may show the searched one, the likeliest first. `looks` gives pictures by their numbers; `at_both_scales` the
    searched one's features at a smaller scale, and those of both; `agrees` compares pixels."""
    found = check(searched, looks, candidates(searched, postings_of)[:CHECKED_FIRST], agrees)
    if _is_sure(found):
        return found
    smaller, both = at_both_scales()
    wider = msgspec.structs.replace(searched, features=both)
    likely = _Candidates(searched.hash, (searched.features, smaller), postings_of)
    found = _best_of_each(*found, *check(wider, looks, likely.first(CHECKED), agrees))
    if _is_sure(found):
        return found
    return _best_of_each(*found, *check(wider, looks, likely.after_a_glance(wider, looks), agrees))


def _is_sure(found: Sequence[Found]) -> bool:
    return bool(found) and found[0].chance >= SURE


def _best_of_each(*found: Found) -> tuple[Found, ...]:
    best: dict[int, Found] = {}
    for one in sorted(found, key=_likeliest_first):
        best.setdefault(one.picture, one)
    return tuple(best.values())


class _Candidates:
    """The pictures that may show one with this hash, and with these features at some scales, whose shared words are added up."""

    def __init__(self, searched: int, scales: Sequence[Features], postings_of: PostingsOf) -> None:
        asked = [asked_words(features) for features in scales]
        self._of_each = np.concatenate([one.of_each for one in asked])
        self._among = among = postings_of(np.unique(np.concatenate([one.all for one in asked])))
        shared = np.sum([alike(one, among) for one in asked], axis=0)
        self._by_words = [place for place in _first(-shared, GLANCED_AT) if shared[place] > 0]
        bits = nearest_hashes(searched, among)
        self._by_hash = [place for place in _first(bits, NEAR_CHECKED) if bits[place] <= NEAR_BITS]

    def first(self, most: int) -> tuple[int, ...]:
        """Numbers of those with a near hash, then of `most` that share most words."""
        places = dict.fromkeys((*self._by_hash, *self._by_words[:most]))
        return tuple(int(self._among.pictures[place]) for place in places)

    def after_a_glance(self, searched: Look, looks: Callable[[Sequence[int]], Mapping[int, Look]]) -> tuple[int, ...]:
        """Numbers of those behind the first `CHECKED` whose points agree best where words are shared. `searched` has the features of
        all scales."""
        places = self._by_words[CHECKED:]
        words = words_of_places(self._among, places)
        numbers = [int(self._among.pictures[place]) for place in places]
        read = looks(numbers)
        agreeing: list[int] = []
        for place, number in zip(places, numbers, strict=True):
            some = sharing(searched.features, self._of_each, words[place])
            narrow = msgspec.structs.replace(searched, features=some)
            agreeing.append(match(narrow, read[number]).agreeing if number in read else 0)
        return tuple(numbers[place] for place in _first(-np.array(agreeing), CHECKED_AFTER))


def check(
    searched: Look,
    looks: Callable[[Sequence[int]], Mapping[int, Look]],
    numbers: Sequence[int],
    agrees: Agrees = lambda _number, _match: None,
) -> tuple[Found, ...]:
    """Compare with each of these pictures; the likeliest first. `looks` gives them by their numbers, `agrees` compares pixels."""
    read = looks(numbers)
    found: list[Found] = []
    for number in (one for one in numbers if one in read):
        one = match(searched, read[number])
        chance = chance_of(one)
        if chance >= LOOKED_AT_FROM and (same := agrees(number, one)) is not None:
            chance = chance_of(one, same)
        found.append(Found(picture=number, match=one, chance=chance))
    return tuple(sorted(found, key=_likeliest_first))


def _likeliest_first(one: Found) -> tuple[float, int, int]:
    return -one.chance, -one.match.agreeing, one.picture


def chance_of(one: Match, same: float | None = None) -> float:
    """The chance 0..1 that a match is one; `same`: the share of the pixels that agree, where they were compared."""
    weights, total = (
        (WEIGHTS, INTERCEPT) if same is None else (LOOKED_WEIGHTS, LOOKED_INTERCEPT + LOOKED_WEIGHTS["same"] * same)
    )
    total += sum(weights[name] * value for name, value in zip(SIGNALS, signals_of(one), strict=True))
    return round(1 / (1 + math.exp(-max(-30.0, min(30.0, total)))), 4)


def signals_of(one: Match) -> tuple[float, ...]:
    """What the chance is made of."""
    # Thumbnail and hash together: white pages with a few lines have thumbnails that are alike, and gradients have hashes that are.
    whole = max(0.0, one.similarity - 0.8) * 5 * max(0, 16 - one.bits) / 16
    return math.log1p(one.agreeing), one.covered, whole


def _first(values: np.ndarray[tuple[int], np.dtype[np.generic]], most: int) -> list[int]:
    """The places of the least values, in order."""
    return [int(place) for place in np.argsort(values, kind="stable")[:most]]
