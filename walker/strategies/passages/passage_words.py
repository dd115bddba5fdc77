"""Where the words of a question stand in many passages at once: by the letters of the texts, without splitting them into words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache

import msgspec
import numpy as np
import numpy.typing as npt

from memory.words import token_places

Places = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Shares = npt.NDArray[np.float64]

ENDING_CHARS = 4
"""Letters that an inflected word may have beyond what it shares with the question's: "installed" for "install"."""
LOOSE_CHARS = 5
"""Least letters of a word that counts as a part of a longer one: "Beitrag" in "Monatsbeitrag"."""
LOOSE_SHARE = 0.7
"""Worth of a word that is met so."""
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
            is_han = any("\u3040" <= letter <= "\u9fff" or "\uac00" <= letter <= "\ud7af" for letter in form)
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
        folded = [text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).lower() for text in texts]
        self._joined = _GAP.join(folded) + _GAP
        lengths = np.fromiter((len(text) + len(_GAP) for text in folded), np.int64, len(folded))
        self.starts: Places = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])[:-1]
        self.lengths: Places = lengths - len(_GAP)
        codes = np.frombuffer(self._joined.encode("utf-32-le", "replace"), np.uint32)
        self._in_word: Flags = _word_letters()[np.minimum(codes, 0xFFFF)]
        self._ends: Places = np.flatnonzero(~self._in_word)

    def text_of(self, places: Places) -> Places:
        """Number of the text that each place of the joined ones is in."""
        found: Places = np.searchsorted(self.starts, places, side="right") - 1
        return found

    def places_of(self, form: re.Pattern[str]) -> Places:
        """Where a form begins, in order."""
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
        # A short word is met as itself only: "id" is not in "idea".
        most = ENDING_CHARS if size >= 4 else 1 if size == 3 else 0
        worth = np.where(begins & (beyond <= most), 1.0, LOOSE_SHARE if size >= LOOSE_CHARS else 0.0)
        is_met = worth > 0
        return Met(places[is_met], worth[is_met])


def _shared_beginning(one: str, other: str) -> str:
    size = next((place for place, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), None)
    return one[: min(len(one), len(other)) if size is None else size]


@cache
def _word_letters() -> Flags:
    """Of each character of the basic plane, whether it belongs to a word."""
    return np.array([chr(code).isalnum() for code in range(0x10000)], np.bool_)
