"""Where the words of a question stand in many passages at once: by the letters of the texts, without splitting them into words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache

import msgspec
import numpy as np
import numpy.typing as npt

from memory.words import lazy_re, token_places

Places = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Shares = npt.NDArray[np.float64]

ENDING_CHARS = 4
"""Letters that an inflected word may have beyond what it shares with the question's: "installed" for "install"."""
LOOSE_CHARS = 5
"""Least letters of a word that counts as a part of a longer one: "Beitrag" in "Monatsbeitrag"."""
LOOSE_SHARE = 0.7
"""Worth of a word that is met so."""
DIGIT = lazy_re.compile(r"\d")
_WIDE = 0xFF01, 0xFF5E, 0xFEE0
"""First and last of the full-width forms of ASCII, and their distance from it."""
_GAP = "\n\n"


class Term(msgspec.Struct, frozen=True, kw_only=True):
    """A word of the question, and the letters by which it is looked for."""

    token: str
    letters: str
    """Lower case; what its stem and its form in the question have in common at their beginning."""
    is_han: bool = False
    """A pair of Chinese or Japanese characters, which may stand anywhere."""


def terms_in(text: str, wanted: Sequence[str]) -> tuple[Term, ...]:
    """The wanted tokens as they stand in a text, in their order, each once."""
    found: dict[str, Term] = {}
    folded = unicodedata.normalize("NFKC", text)
    for start, end, forms in token_places(folded):
        word = folded[start:end].casefold()
        for form in forms:
            shared = _shared_beginning(form, word)
            is_han = any(map(_is_han, form))
            letters = form if is_han or form in word or len(shared) < 3 else shared
            found.setdefault(form, Term(token=form, letters=letters, is_han=is_han))
    return tuple(found[token] for token in dict.fromkeys(wanted) if token in found)


class Met(msgspec.Struct, frozen=True, gc=False):
    """Where one term is met in the joined texts: places of its first letters, in order, and what each meeting is worth."""

    at: Places
    worth: Shares


class JoinedTexts:
    """Texts joined to one, so that a word is looked for in all of them at once."""

    def __init__(self, texts: Sequence[str]) -> None:
        folded = [text.lower() if unicodedata.is_normalized("NFC", text) else _composed(text) for text in texts]
        self._joined, codes = _in_one_width(_GAP.join(folded) + _GAP)
        lengths = np.fromiter((len(text) + len(_GAP) for text in folded), np.int64, len(folded))
        self.starts: Places = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])[:-1]
        self.lengths: Places = lengths - len(_GAP)
        self._codes = np.minimum(codes, 0xFFFF)
        self._in_word: Flags = _word_letters()[self._codes]
        self._ends: Places = np.flatnonzero(~self._in_word)

    def text_of(self, places: Places) -> Places:
        """Number of the text that each place of the joined ones is in."""
        found: Places = np.searchsorted(self.starts, places, side="right") - 1
        return found

    def places_of(self, form: re.Pattern[str]) -> Places:
        """Where a form begins, in order."""
        if form is DIGIT:
            return np.flatnonzero(_digits()[self._codes])
        return np.array([match.start() for match in form.finditer(self._joined)], np.int64)

    def meet(self, term: Term) -> Met:
        """Where a term is met."""
        found: list[int] = []
        at = self._joined.find(term.letters)
        while at >= 0:
            found.append(at)
            at = self._joined.find(term.letters, at + 1)
        places = np.array(found, np.int64)
        if term.is_han or not found:
            return Met(places, np.ones(len(places)))
        begins = (places == 0) | ~self._in_word[places - 1]
        size = len(term.letters)
        beyond = self._ends[np.searchsorted(self._ends, places + size)] - (places + size)
        # A short word and a number are met as themselves only: "id" is not in "idea", nor 3.11 in 3.119.
        is_number = term.letters[-1].isdigit()
        most = 0 if is_number or size < 3 else ENDING_CHARS if size > 3 else 1
        loose = LOOSE_SHARE if size >= LOOSE_CHARS and not is_number else 0.0
        worth = np.where(begins & (beyond <= most), 1.0, loose)
        is_met = worth > 0
        return Met(places[is_met], worth[is_met])


def _is_han(letter: str) -> bool:
    return "\u3040" <= letter <= "\u9fff" or "\uac00" <= letter <= "\ud7af"


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text).lower()


def _in_one_width(text: str) -> tuple[str, npt.NDArray[np.uint32]]:
    """The text with full-width letters, digits and marks as plain ones, and its characters as numbers: of a text in Chinese ten times
    as fast as NFKC."""
    codes = np.frombuffer(text.encode("utf-32-le", "replace"), np.uint32)
    wide = (codes >= _WIDE[0]) & (codes <= _WIDE[1])
    if not wide.any():
        return text, codes
    plain = codes - np.where(wide, _WIDE[2], 0).astype(np.uint32)
    return plain.tobytes().decode("utf-32-le"), plain


def _shared_beginning(one: str, other: str) -> str:
    size = next((place for place, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), None)
    return one[: min(len(one), len(other)) if size is None else size]


@cache
def _word_letters() -> Flags:
    """Of each character of the basic plane, whether it belongs to a word with spaces around it: one of Chinese or Japanese ends it."""
    return np.array([chr(code).isalnum() and not _is_han(chr(code)) for code in range(0x10000)], np.bool_)


@cache
def _digits() -> Flags:
    """Of each character of the basic plane, whether it is a digit."""
    return np.array([chr(code).isdecimal() for code in range(0x10000)], np.bool_)
