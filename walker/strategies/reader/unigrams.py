"""Tokens of the reader: SentencePiece unigrams, with the characters that each stands for.

The library tokenizers normalises and splits into words; the words are divided here. Its own unigram model keeps a tree of hash tables,
70 MB for these 81,432 pieces; a table of them takes 15. Ids and places are those of the library, token for token
(tests/walker/strategies/reader/test_unigrams.py).
"""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Any, NamedTuple

import msgspec

_UNKNOWN_PENALTY = 10.0
"""An unknown character scores so much less than the least likely piece (SentencePiece, unigram_model.cc)."""
_WORDS_KEPT, _LONGEST_KEPT = 8192, 48
"""Words whose tokens are kept, and the longest of them in characters: the words of a page recur in its texts."""


class Token(NamedTuple):
    """A piece of the vocabulary, and the characters of the text from `start` to `end`."""

    id: int
    start: int
    end: int


class _Model(msgspec.Struct, frozen=True):
    vocab: list[tuple[str, float]]
    unk_id: int


class _Special(msgspec.Struct, frozen=True):
    id: int
    content: str


class _File(msgspec.Struct, frozen=True):
    """What is read of tokenizer.json, the file of the library tokenizers."""

    model: _Model
    added_tokens: list[_Special]
    normalizer: msgspec.Raw
    pre_tokenizer: msgspec.Raw


class Unigrams:
    """Divides texts into tokens."""

    def __init__(self, file: bytes) -> None:
        """`file`: tokenizer.json. Raises `msgspec.ValidationError` for one that is no unigram model."""
        from tokenizers import PreTokenizedString, Tokenizer  # noqa: PLC0415 - 20 ms, with the first text
        from tokenizers import Token as LibraryToken  # noqa: PLC0415

        told = msgspec.json.decode(file, type=_File)
        self._ids = {piece.encode(): number for number, (piece, _) in enumerate(told.model.vocab)}
        self._scores = array("d", (score for _, score in told.model.vocab))
        self._unknown, self._unknown_score = told.model.unk_id, min(self._scores) - _UNKNOWN_PENALTY
        self._longest = max(len(piece) for piece, _ in told.model.vocab)
        self._special = {special.content: special.id for special in told.added_tokens}
        self._specials = re.compile("|".join(map(re.escape, self._special)) or r"(?!)")
        settings = {"version": "1.0", "added_tokens": [], "model": _NO_MODEL}
        parts = {"normalizer": told.normalizer, "pre_tokenizer": told.pre_tokenizer}
        library = Tokenizer.from_str(msgspec.json.encode(settings | parts).decode())
        self._normalizer, self._splitter = library.normalizer, library.pre_tokenizer
        self._start, self._token = PreTokenizedString, LibraryToken
        self._kept = lru_cache(_WORDS_KEPT)(self._divide)

    def tokens(self, text: str, most: int) -> list[Token]:
        """The tokens of a text, of a longer one at least the first so many. It holds no halves of characters."""
        found: list[Token] = []
        for start, end in self._between_specials(text):
            if len(found) >= most:
                break
            if (special := self._special.get(text[start:end])) is not None:
                found.append(Token(special, start, end))
            elif start < end:
                found += self._of_words(text[start:end], start, most - len(found))
        return found

    def _between_specials(self, text: str) -> Iterator[tuple[int, int]]:
        """The text cut into names of special tokens and what stands between them."""
        last = 0
        for match in self._specials.finditer(text):
            yield last, match.start()
            yield match.span()
            last = match.end()
        yield last, len(text)

    def _of_words(self, text: str, begin: int, most: int) -> list[Token]:
        whole = self._start(text)
        whole.normalize(self._normalizer.normalize)
        self._splitter.pre_tokenize(whole)
        found: list[Token] = []
        for word, (start, end), _ in whole.get_splits("original", "char"):
            if len(found) >= most:
                break
            added = len(word) - (end - start)  # 1 where the mark that begins a word stands for no space
            if added not in (0, 1) or text[start + 1 - added : end] != word[1:]:
                return self._of_changed_words(whole, begin)
            shift = begin + start - added
            for number, first, last in self._pieces(word):
                found.append(Token(number, max(begin + start, shift + first), max(begin + start + 1, shift + last)))
        return found

    def _of_changed_words(self, whole: Any, begin: int) -> list[Token]:
        """The same where characters of the text were changed: the library keeps whence they came."""

        def divided(word: str) -> list[Any]:
            places = [
                (number, len(word[:start].encode()), len(word[:end].encode()))
                for number, start, end in self._pieces(word)
            ]
            return [self._token(number, "", (start, end)) for number, start, end in places]

        whole.tokenize(divided)
        encoding = whole.to_encoding()
        places = zip(encoding.ids, encoding.offsets, strict=True)
        return [Token(number, begin + start, begin + end) for number, (start, end) in places]

    def _pieces(self, word: str) -> tuple[tuple[int, int, int], ...]:
        return self._kept(word) if len(word) <= _LONGEST_KEPT else self._divide(word)

    def _divide(self, word: str) -> tuple[tuple[int, int, int], ...]:
        """The likeliest pieces of a word, each with its first and last character; unknown characters side by side are one."""
        data, bounds = word.encode(), [0, *accumulate(len(character.encode()) for character in word)]
        count = len(word)
        best = [0.0, *[-math.inf] * count]
        came, pieces = [0] * (count + 1), [self._unknown] * (count + 1)
        ids, scores, longest = self._ids, self._scores, self._longest
        for first in range(count):
            begin, here, is_known = bounds[first], best[first], False
            for last in range(first + 1, min(count, first + longest) + 1):
                number = ids.get(data[begin : bounds[last]])
                if number is None:
                    continue
                is_known = is_known or last == first + 1
                if here + scores[number] > best[last]:
                    best[last], came[last], pieces[last] = here + scores[number], first, number
            if not is_known and here + self._unknown_score > best[first + 1]:
                best[first + 1], came[first + 1], pieces[first + 1] = here + self._unknown_score, first, self._unknown
        return tuple(self._backwards(came, pieces))[::-1]

    def _backwards(self, came: Sequence[int], pieces: Sequence[int]) -> Iterator[tuple[int, int, int]]:
        """The best path from its end."""
        end = len(came) - 1
        while end > 0:
            start = came[end]
            while pieces[end] == self._unknown and start > 0 and pieces[start] == self._unknown:
                start = came[start]
            yield pieces[end], start, end
            end = start


def shared_lengths(one: int, other: int, most: int) -> tuple[int, int]:
    """How many tokens are kept of a pair that is too long: the longer is cut first, then both to a half (the library's
    "longest_first")."""
    if one + other <= most:
        return one, other
    shorter, longer = sorted((one, other))
    shorter = min(shorter, most)
    longer = shorter if shorter >= most else max(shorter, most - shorter)
    if shorter + longer > most:
        shorter, longer = most // 2, most // 2 + most % 2
    return (shorter, longer) if one <= other else (longer, shorter)


_NO_MODEL = {"type": "WordLevel", "vocab": {"": 0}, "unk_token": ""}


msgspec.json.Decoder(_File)  # described at import: docs/design/msgspec.md
