"""Which passages of a page hold a quote."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from difflib import SequenceMatcher

ENOUGH = 0.5
"""Share of a quote's words in one run from which a passage holds enough of it, where a quote goes on in the next passage."""
ENOUGH_WORDS = 4
"""Least words of such a run, and of a quote that says the same on another page; two characters of Chinese or Japanese are one."""
_WORD = re.compile(
    r"\d+(?:[.,]\d+)*|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+"
)
_EAST_ASIAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def holding_passages(quote: str, passages: Sequence[str]) -> tuple[int, ...]:
    """Places of the passages that hold the quote: white space, quotes, dashes and separators of cells make no difference. Where none
    holds it whole, those that hold the most of it, at least half; () where none does, or the quote has no word.

    >>> holding_passages("Depth | 12 m", ("The pool", "Depth: 12 m (at least)"))
    (1,)
    """
    wanted = _words(quote)
    if not wanted:
        return ()
    held = [_words(passage) for passage in passages]
    sought = _joined(wanted)
    whole = tuple(place for place, words in enumerate(held) if sought in _joined(words))
    if whole:
        return whole
    runs = [_longest_run(wanted, words) for words in held]
    most = max(runs, default=0)
    if most < max(ENOUGH_WORDS, ENOUGH * len(wanted)):
        return ()
    return tuple(place for place, run in enumerate(runs) if run == most)


def saying_the_same(quote: str, passages: Sequence[str]) -> tuple[int, ...]:
    """Places of the passages of other pages that say the quote word for word, and so prove it as well; () for a quote of fewer than
    `ENOUGH_WORDS`, such as a name or a number, which may stand anywhere.

    >>> saying_the_same("The pool is 12 m deep", ("Pools", "News: the pool is 12 m deep.")), saying_the_same("12 m", ("12 m",))
    ((1,), ())
    """
    wanted = _words(quote)
    if sum(0.5 if _EAST_ASIAN.match(word) else 1.0 for word in wanted) < ENOUGH_WORDS:
        return ()
    sought = _joined(wanted)
    return tuple(place for place, passage in enumerate(passages) if sought in _joined(_words(passage)))


def _words(text: str) -> list[str]:
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def _joined(words: Sequence[str]) -> str:
    """The words with a space around each, so that only whole ones are found."""
    return f" {' '.join(words)} "


def _longest_run(wanted: list[str], words: list[str]) -> int:
    return SequenceMatcher(None, wanted, words, autojunk=False).find_longest_match().size
