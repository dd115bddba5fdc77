"""Features as visual words, and the first pass over many pictures by the words that they share with the searched one.

A word is the nearest of 4096 trained descriptors and one of 8 directions of its patch: 15 bits. A search reads the postings of its own
words, some thousand of 32,768, and no others: of 50,000 pictures with 350 words these are 2 of 35 MB.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from perception.picture_search.features import Features
from perception.picture_search.hamming import nearest

VOCABULARY = Path(__file__).with_name("vocabulary.bin")
"""4096 descriptors of 32 bytes, which tools/picture_words trains."""
DIRECTIONS = 8
SPACE = 1 << 16
"""Of words, as they are stored in two bytes."""
NEAR_WEIGHT = 0.6
"""Of a word in the neighbouring direction: the direction of a patch wavers with its scale."""
RARE = 1.5
"""Exponent of a word's rarity: a rare one says more than its share."""
FEW_WORDS = 100
"""Pictures with fewer words are weighed as if they had so many."""

Words = NDArray[np.uint16]


class Postings(msgspec.Struct, frozen=True, kw_only=True):
    """Some words, and which of many pictures have them."""

    pictures: NDArray[np.int64]
    """Numbers of all pictures, as the library has them."""
    hashes: NDArray[np.uint64]
    """Perceptual hash of each."""
    lengths: NDArray[np.int64]
    """How many words each has."""
    words: Words
    """Of each posting."""
    places: NDArray[np.int64]
    """Of each posting: which of `pictures` has the word."""


PostingsOf = Callable[[Words], Postings]
"""Gives the postings of these words, each once, in any order."""


class Signatures(msgspec.Struct, frozen=True, kw_only=True):
    """The words of many pictures, one after the other, without an index."""

    pictures: NDArray[np.int64]
    hashes: NDArray[np.uint64]
    words: Words
    lengths: NDArray[np.int64]

    def postings(self, wanted: Words) -> Postings:
        """The postings of these words, by going through all."""
        is_wanted = np.zeros(SPACE, np.bool_)
        is_wanted[wanted] = True
        at = np.flatnonzero(is_wanted[self.words])
        ends = np.cumsum(self.lengths)
        return Postings(
            pictures=self.pictures,
            hashes=self.hashes,
            lengths=self.lengths,
            words=self.words[at],
            places=np.searchsorted(ends, at, side="right").astype(np.int64),
        )


def words_of(features: Features) -> Words:
    """The distinct words of a picture, in order; 5 ms for 500 features."""
    places = nearest(features.descriptors, _vocabulary())
    return np.unique(places * DIRECTIONS + _directions(features)).astype(np.uint16)


def gathered(rows: Sequence[tuple[int, int, bytes]]) -> Signatures:
    """From number, hash and words of each picture."""
    return Signatures(
        pictures=np.array([row[0] for row in rows], np.int64),
        hashes=np.array([row[1] for row in rows], np.uint64),
        words=np.frombuffer(b"".join(row[2] for row in rows), "<u2"),
        lengths=np.array([len(row[2]) // 2 for row in rows], np.int64),
    )


def together(some: Postings, more: Postings) -> Postings:
    """Of both sets of pictures, which have none in common."""
    return Postings(
        pictures=np.concatenate((some.pictures, more.pictures)),
        hashes=np.concatenate((some.hashes, more.hashes)),
        lengths=np.concatenate((some.lengths, more.lengths)),
        words=np.concatenate((some.words, more.words)),
        places=np.concatenate((some.places, more.places + len(some.pictures))),
    )


def without(postings: Postings, gone: NDArray[np.int64]) -> Postings:
    """Less the pictures at these places."""
    if not len(gone):
        return postings
    stays = np.ones(len(postings.pictures), np.bool_)
    stays[gone] = False
    kept = stays[postings.places]
    moved = np.cumsum(stays) - 1
    return Postings(
        pictures=postings.pictures[stays],
        hashes=postings.hashes[stays],
        lengths=postings.lengths[stays],
        words=postings.words[kept],
        places=moved[postings.places[kept]],
    )


class AskedWords(msgspec.Struct, frozen=True, kw_only=True):
    """The words by which a picture is searched, each once."""

    exact: Words
    near: Words
    """Those in the neighbouring direction that are not there themselves."""
    of_each: Words
    """Of each feature a row: its word, and that in the neighbouring direction."""

    @property
    def all(self) -> Words:
        """Both."""
        return np.concatenate((self.exact, self.near))


def asked_words(features: Features) -> AskedWords:
    """The words of a searched picture, and their neighbours."""
    places, directions = nearest(features.descriptors, _vocabulary()), features.points[:, 2] * DIRECTIONS
    here = directions.astype(np.int64) % DIRECTIONS
    near = np.where(directions % 1 > 0.5, here + 1, here - 1) % DIRECTIONS
    of_each = (places[:, None] * DIRECTIONS + np.column_stack((here, near))).astype(np.uint16)
    exact, beside = np.unique(of_each[:, 0]), np.unique(of_each[:, 1])
    return AskedWords(exact=exact, near=np.setdiff1d(beside, exact, assume_unique=True), of_each=of_each)


def words_of_places(among: Postings, places: Sequence[int]) -> dict[int, Words]:
    """The words that each of the pictures at these places has, of those whose postings these are."""
    is_wanted = np.zeros(len(among.pictures), np.bool_)
    is_wanted[list(places)] = True
    at = np.flatnonzero(is_wanted[among.places])
    ordered = at[np.argsort(among.places[at], kind="stable")]
    found = {place: np.zeros(0, np.uint16) for place in places}
    ends = np.flatnonzero(np.diff(among.places[ordered])) + 1
    for some in np.split(ordered, ends):
        if len(some):
            found[int(among.places[some[0]])] = among.words[some]
    return found


def sharing(features: Features, of_each: Words, words: Words) -> Features:
    """The features that have one of these words, or its neighbour."""
    is_theirs = np.zeros(SPACE, np.bool_)
    is_theirs[words] = True
    kept = is_theirs[of_each].any(axis=1)
    return Features(points=features.points[kept], descriptors=features.descriptors[kept], aspect=features.aspect)


def alike(asked: AskedWords, among: Postings) -> NDArray[np.float32]:
    """How much of its words each picture shares with the searched one, rare words more; comparable within one search."""
    count = len(among.pictures)
    having = np.bincount(among.words, minlength=SPACE)
    weights = np.zeros(SPACE, np.float64)
    for words, share in ((asked.exact, 1.0), (asked.near, NEAR_WEIGHT)):
        weights[words] = share * np.log1p(count / (1.0 + having[words])) ** RARE
    shared = np.bincount(among.places, weights[among.words], minlength=count)
    return np.asarray(shared / np.sqrt(np.maximum(among.lengths, FEW_WORDS)), np.float32)


def nearest_hashes(searched: int, among: Postings) -> NDArray[np.uint8]:
    """Bits in which the hash of each picture differs."""
    return np.asarray(np.bitwise_count(among.hashes ^ np.uint64(searched)), np.uint8)


@cache
def _vocabulary() -> NDArray[np.uint8]:
    return np.frombuffer(VOCABULARY.read_bytes(), np.uint8).reshape(-1, 32)


def _directions(features: Features) -> NDArray[np.int64]:
    return (features.points[:, 2] * DIRECTIONS).astype(np.int64) % DIRECTIONS
