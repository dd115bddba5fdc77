"""Near-duplicate detection: whether a text was seen before, exactly or nearly, and how much of it is new.

A text is the set of its word bigrams within lines (character bigrams in Chinese, Japanese and Korean). All numbers, dates and
session tokens are one word, so pages that differ in nothing else are equal; the order of lines does not count.
From that set come a 64-bit SimHash (M. Charikar, STOC 2002; near means at most 3 bits, Manku et al., WWW 2007), and a sketch:
its 64 smallest hashes (MinHash), from which the share of a text that occurred in no other text is estimated.
"""

from __future__ import annotations

from array import array
from functools import cache, lru_cache
from hashlib import blake2b
from zlib import crc32

import msgspec
import numpy as np
from numpy.typing import NDArray

from memory.words import lazy_re

NEAR_BITS = 3
"""Of 64 bits: about one bigram in a hundred differs."""
SKETCH_SIZE = 64

_MONTHS = """
    january february march april may june july august september october november december
    jan feb mar apr jun jul aug sep sept oct nov dec
    monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun
    januar februar märz mai juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag sonntag
    janvier février mars avril juin juillet août septembre octobre novembre décembre
    enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
    """
_NUMBER_RUN = lazy_re.compile(r"\d[\w.,:/-]*")
_TELLING_NUMBER = lazy_re.compile(r"\d{1,7}(?:[.,]\d+)*[.,]*")
"""A count, a price or an identifying number, but no time, date or long token."""
_TOKEN_LENGTH = 8
"""Least characters of a mix of letters and digits that is taken for a session token or an id."""
_FIRST, _SECOND, _MIX = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F), np.uint64(0xFF51AFD7ED558CCD)
_SHIFT, _HALF = np.uint64(33), np.uint64(32)
_LINE, _NUMBER, _SESSION = np.uint64(1), np.uint64(2), np.uint64(3)
_BITS_OF_OCTET = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little").astype(np.int64)
_LETTER, _DIGIT, _HAN, _BREAK = 1, 2, 3, 4


class TextMark(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The fingerprint of a text; the default is that of a text without words."""

    fingerprint: int = 0
    """SimHash, 1..2**64 - 1; 0 for a text without words."""
    details: int = 0
    """63-bit hash of its name and of the numbers in it: what may differ between pages that are otherwise equal."""
    sketch: bytes = b""
    """MinHash sketch: at most 64 hashes of 32 bits."""
    size: int = 0
    """Distinct bigrams."""


def mark_text(text: str, name: str = "") -> TextMark:
    """The fingerprint of a text of lines. `name` is its title or heading."""
    hashes = _pair_hashes(text)
    if hashes.size == 0:
        return TextMark(details=_details(text, name) if name else 0)
    octets = hashes.view(np.uint8).reshape(-1, 8)
    bits = np.stack([np.bincount(octets[:, place], minlength=256) for place in range(8)]) @ _BITS_OF_OCTET
    fingerprint = int(np.packbits(bits.ravel() * 2 > hashes.size, bitorder="little").view(np.uint64)[0])
    # The low half: the smallest hashes all have the same high bits.
    sketch = hashes[:SKETCH_SIZE].astype(np.uint32).tobytes()
    return TextMark(fingerprint=fingerprint or 1, details=_details(text, name), sketch=sketch, size=int(hashes.size))


def hash_numbers(text: str) -> NDArray[np.uint32]:
    """Distinct hashes of the counts, prices and identifying numbers in a text, ascending."""
    hashes = [crc32(number.encode()) for number in set(_numbers_in(text))]
    return np.unique(np.array(hashes, dtype=np.uint32))


def distance(first: int, second: int) -> int:
    """Hamming distance of two SimHashes, in bits.

    >>> distance(0b1010, 0b0011)
    2
    """
    return (first ^ second).bit_count()


class SimilarTexts:
    """Index of SimHashes within `NEAR_BITS` of a given one. 24 bytes an entry; can be rebuilt from stored fingerprints.

    Four tables, one for each 16 bits of the SimHash: two that differ in at most three bits agree in one of the four.
    """

    def __init__(self) -> None:
        self._ids = array("q")
        self._fingerprints = array("Q")
        self._details = array("Q")
        self._heads = array("l", [-1]) * (1 << 18)
        self._next = tuple(array("l") for _ in range(4))

    def __len__(self) -> int:
        return len(self._ids)

    def add(self, entry: int, fingerprint: int, details: int = 0) -> None:
        """Add a text under a number of the caller's choice."""
        place = len(self._ids)
        self._ids.append(entry)
        self._fingerprints.append(fingerprint)
        self._details.append(details)
        for block, slot in enumerate(_slots(fingerprint, details)):
            self._next[block].append(self._heads[slot])
            self._heads[slot] = place

    def neighbours(self, fingerprint: int, details: int = 0) -> tuple[int, ...]:
        """Entries whose SimHash is near and whose details are equal, the nearest first, then in order of insertion."""
        found: dict[int, int] = {}
        for block, slot in enumerate(_slots(fingerprint, details)):
            place = self._heads[slot]
            while place >= 0:
                apart = (self._fingerprints[place] ^ fingerprint).bit_count()
                if apart <= NEAR_BITS and self._details[place] == details:
                    found[place] = apart
                place = self._next[block][place]
        return tuple(self._ids[place] for place in sorted(found, key=lambda place: (found[place], place)))


class SeenHashes:
    """A Bloom filter of 32-bit hashes, 8 MB whatever their number; at six million one new hash in thirty is a false positive (two
    probes of a bitmap that is then a sixth full)."""

    _BITS = 26

    def __init__(self) -> None:
        self._known = np.zeros(1 << (self._BITS - 3), dtype=np.uint8)

    def unseen(self, hashes: NDArray[np.uint32]) -> int:
        """How many were never added."""
        if not hashes.size:
            return 0
        places = self._places(hashes)
        known = (self._known[places >> 3] >> (places & 7).astype(np.uint8)) & 1
        return int(hashes.size - known.reshape(2, -1).min(axis=0).sum())

    def add(self, hashes: NDArray[np.uint32]) -> None:
        """Add them."""
        if hashes.size:
            places = self._places(hashes)
            np.bitwise_or.at(self._known, places >> 3, np.left_shift(1, places & 7).astype(np.uint8))

    def _places(self, hashes: NDArray[np.uint32]) -> NDArray[np.int64]:
        wide = hashes.astype(np.uint64)
        second = (wide * _FIRST) >> np.uint64(64 - self._BITS)
        return np.concatenate((wide & np.uint64((1 << self._BITS) - 1), second)).astype(np.int64)


class SeenText:
    """Measures how much of a text is new compared with many others, by their sketches."""

    def __init__(self) -> None:
        self._hashes = SeenHashes()

    def novelty(self, mark: TextMark) -> float:
        """Estimated share 0..1 of a text that occurred in none of those added."""
        sketch = np.frombuffer(mark.sketch, dtype=np.uint32)
        return self._hashes.unseen(sketch) / sketch.size if sketch.size else 0.0

    def add(self, mark: TextMark) -> None:
        """Add a text."""
        self._hashes.add(np.frombuffer(mark.sketch, dtype=np.uint32))


def _slots(fingerprint: int, details: int) -> tuple[int, int, int, int]:
    """Start slots in the four tables. Details are hashed in, so that thousands of pages equal but for numbers do not collide."""
    spread = details * 0x9E3779B1
    return (
        ((fingerprint ^ spread) & 0xFFFF) << 2,
        ((fingerprint >> 16 ^ spread) & 0xFFFF) << 2 | 1,
        ((fingerprint >> 32 ^ spread) & 0xFFFF) << 2 | 2,
        ((fingerprint >> 48 ^ spread) & 0xFFFF) << 2 | 3,
    )


def _pair_hashes(text: str) -> NDArray[np.uint64]:
    """Distinct 64-bit hashes of bigrams, ascending. The beginning and end of a line count as words, so that lines
    in another order give the same bigrams."""
    words = _word_hashes(f"\n{text}\n")
    left, right = words[:-1], words[1:]
    pairs = np.sort(_mixed(left * _FIRST + right * _SECOND)[(left != _LINE) | (right != _LINE)])
    first = np.ones(pairs.size, dtype=bool)
    first[1:] = pairs[1:] != pairs[:-1]
    return pairs[first]


def _word_hashes(text: str) -> NDArray[np.uint64]:
    """One hash a word, in order: `_LINE` for the end of a line, `_NUMBER` for a run of numbers, names of months and days."""
    codes = np.frombuffer(text.lower().encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    if not text.isascii():
        wide = (codes >= 0xFF01) & (codes <= 0xFF5E)
        codes = np.where(wide, codes - np.uint32(0xFEE0), codes)
    kinds = _kinds()[codes if text.isascii() else np.minimum(codes, 0xFFFF)]
    digit = kinds == _DIGIT
    again = np.zeros_like(digit)
    again[1:] = digit[1:] & digit[:-1]
    starts, ends, alone = _word_ends(kinds)
    values = codes.astype(np.uint64)
    values[digit] = 48
    values[again] = 0
    hashes = _mixed(_runs(values, np.cumsum(~again, dtype=np.int32), starts, ends))
    digits = np.concatenate((np.zeros(1, dtype=np.int32), np.cumsum(digit, dtype=np.int32)))
    numeric = digits[ends] - digits[starts]
    lengths = ends - starts
    hashes[(numeric > 0) & (numeric < lengths) & (lengths >= _TOKEN_LENGTH)] = _SESSION
    hashes[numeric == lengths] = _NUMBER
    months, hint = _month_hashes()
    hinted = np.flatnonzero(hint[hashes & np.uint64(0xFFF)])
    hashes[hinted[np.isin(hashes[hinted], months)]] = _NUMBER
    hashes[alone == _BREAK] = _LINE
    repeated = (hashes[1:] == hashes[:-1]) & ((hashes[1:] == _NUMBER) | (hashes[1:] == _LINE))
    return hashes[np.concatenate(([True], ~repeated))]


def _word_ends(kinds: NDArray[np.uint8]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8]]:
    """Start and end of each word, and the kind of its first character: runs of letters and digits; any other character is a word
    by itself."""
    running = (kinds == _LETTER) | (kinds == _DIGIT)
    single = (kinds == _BREAK) | (kinds == _HAN)
    before, after = np.zeros_like(running), np.zeros_like(running)
    before[1:], after[:-1] = running[:-1], running[1:]
    starts = np.flatnonzero((running & ~before) | single)
    ends = np.flatnonzero((running & ~after) | single) + 1
    return starts, ends, kinds[starts]


def _runs(
    values: NDArray[np.uint64], places: NDArray[np.int32], starts: NDArray[np.int64], ends: NDArray[np.int64]
) -> NDArray[np.uint64]:
    """Polynomial hash modulo 2**64 of each run, from sums of prefixes."""
    powers, inverse = _powers(1 << (int(places[-1]) + 1).bit_length())
    sums = np.concatenate((np.zeros(1, dtype=np.uint64), np.cumsum(values * powers[places], dtype=np.uint64)))
    return (sums[ends] - sums[starts]) * inverse[places[starts]]


@lru_cache(maxsize=4)
def _powers(count: int) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Powers of an odd number and of its inverse."""
    base = 0x5851F42D4C957F2D
    powers = np.full(count, base, dtype=np.uint64)
    inverse = np.full(count, pow(base, -1, 1 << 64), dtype=np.uint64)
    powers[0] = inverse[0] = 1
    return np.cumprod(powers, dtype=np.uint64), np.cumprod(inverse, dtype=np.uint64)


def _mixed(hashes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    hashes = hashes ^ (hashes >> _SHIFT)
    hashes *= _MIX
    return hashes ^ (hashes >> _HALF)


@cache
def _kinds() -> NDArray[np.uint8]:
    """The kind of each character up to U+FFFF; those beyond are treated as U+FFFF."""
    kinds = np.fromiter(
        (_DIGIT if char.isdecimal() else _LETTER if char.isalnum() else 0 for char in map(chr, range(1 << 16))),
        dtype=np.uint8,
        count=1 << 16,
    )
    for first, last in ((0x3040, 0x30FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xAC00, 0xD7AF)):
        kinds[first : last + 1] = _HAN
    kinds[0xFFFF] = _HAN
    kinds[10] = _BREAK
    return kinds


@cache
def _month_hashes() -> tuple[NDArray[np.uint64], NDArray[np.bool_]]:
    """Hashes of the names, and which low twelve bits occur among them."""
    hashes = np.array([_runs_of_word(word) for word in _MONTHS.split()], dtype=np.uint64)
    hint = np.zeros(1 << 12, dtype=bool)
    hint[hashes & np.uint64(0xFFF)] = True
    return hashes, hint


def _runs_of_word(word: str) -> int:
    codes = np.fromiter(map(ord, word), dtype=np.uint64, count=len(word))
    ends = np.array([len(word)])
    return int(_mixed(_runs(codes, np.arange(1, len(word) + 1, dtype=np.int32), np.zeros(1, dtype=np.int64), ends))[0])


def _details(text: str, name: str) -> int:
    numbers = sorted(_numbers_in(text))
    written = "\x00".join((" ".join(name.casefold().split()), *numbers)).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(written, digest_size=8).digest(), "big") >> 1


def _numbers_in(text: str) -> list[str]:
    return [number.rstrip(".,") for number in _NUMBER_RUN.findall(text) if _TELLING_NUMBER.fullmatch(number)]
