"""What an abbreviation stands for: which one a question asks about, and the words of a text whose beginnings spell it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from memory.words import lazy_re

_SHORT = r"[\"'“„«「《]?((?-i:(?=[\w&.-]*[A-Z][\w&.-]*[A-Z]))[A-Za-z0-9][A-Za-z0-9&.-]{1,14})[\"'”“»」》]?"
"""Something with two capitals: JSON, GeoCAT."""
_NOUN = (
    r"(?:abbreviations?|acronyms?|initials|Abkürzung(?:en)?|Akronym|Kürzel|sigles?|acronymes?|abréviation|siglas?|acrónimos?"
    r"|abreviatura)"
)
_ASKED = lazy_re.compile(
    "|".join(
        form.replace("SHORT", _SHORT)
        for form in (
            r"\b(?:what|which words?)\b.{0,40}?\bSHORT (?:stands?|(?:is )?short) for\b",
            r"\b(?:what|which words?)\b.{0,60}?\bSHORT (?:is |are )?(?:an? |the )?" + _NOUN + r" (?:of|for)\b",
            r"\bSHORT (?:spelled|spelt|written|expanded) (?:out|in full)\b",
            r"\b(?:full (?:form|name)|expansion|meaning) of (?:the )?(?:" + _NOUN + r" )?SHORT(?![\w-])",
            r"\bstands? .{0,40}?" + _NOUN + r" SHORT(?![\w-])",
            r"\b(?:wofür|für was) steht?\b.{0,20}?\bSHORT(?![\w-])",
            r"\b(?:bedeutet|signifient?|significan?|veut dire|quiere decir)\b.{0,10}?\b" + _NOUN + r" SHORT(?![\w-])",
            r"\b(?:de qué|à quoi|que) (?:son|es|correspond|signifie)\b.{0,12}?" + _NOUN + r" SHORT(?![\w-])",
            r"SHORT\s*[^，。？?\s]{0,4}?(?:是|为)?\s*(?:哪|什么|何)[^，。？?]{0,12}(?:缩写|简称|全称)|SHORT\s*(?:的全称|代表什么|全称)",
            r"SHORT\s*(?:は|って|とは)[^。？?]{0,6}(?:の略|略称|正式名称)",
        )
    ),
    re.IGNORECASE,
)
_WORD = lazy_re.compile(r"[^\W_]+")
_BREAK = lazy_re.compile(r"[.!?;:|()\[\]\n{}<>=%*/。；：！？（）]")
"""Signs that no written-out name goes across."""
_SMALL = frozenset(
    "a an and as at by for from in of on or over per the to with de del della der des di die das du d el et la las le les l los und"
    " für von zum zur à au aux en pour par sur y e o para por con do da dos".split()
)
"""Words that an abbreviation may leave out."""
FEW = 2
"""Signs of an abbreviation that must stand beside its words: two letters are the first ones of any two words."""
BESIDE_CHARS = 6
"""Most characters between an abbreviation and what it stands for: "PA (", ": "."""
MOST_CHARS, MOST_WORDS = 120, 24
LETTERS_OF_COMPOUND = 4
"""Least letters of a compound for each of its abbreviation."""
LETTERS_A_GAP = 4
"""Letters for each other word that is left out: "analyse d'impact relative à la protection des données" is AIPD."""
LETTERS_A_WORD = 2
"""Least letters for each sign: "A, B, C" spells ABC and explains nothing."""


class Expansion(NamedTuple):
    """Words that an abbreviation stands for: their place in the text, and whether the abbreviation stands beside them."""

    start: int
    end: int
    is_beside: bool


def asked_abbreviation(question: str) -> str:
    """The abbreviation that a question wants written out, as it is written there; "" if it asks for something else."""
    match = _ASKED.search(question)
    return next(one for one in match.groups() if one) if match else ""


def expansions_in(text: str, abbreviation: str) -> Iterator[Expansion]:
    """Each run of words whose beginnings spell an abbreviation, letter by letter: "Keep It Simple, Stupid" for KISS, "Geoscience
    Community Analysis Toolkit" for GeoCAT, "JavaScript Object Notation" for JSON. Small words may be left out."""
    letters = "".join(sign for sign in abbreviation.casefold() if sign.isalpha())
    words = [(match.group(), match.start(), match.end()) for match in _WORD.finditer(text)]
    behind = -1
    for place, (word, start, _) in enumerate(words):
        if start < behind or word == abbreviation or word in _SMALL:
            continue
        end = _spelled_to(text, words[place : place + MOST_WORDS], letters) or _compound_to(word, start, letters)
        if end is None or end - start > MOST_CHARS:
            continue
        is_beside = _is_beside(text, start, end, abbreviation)
        if end == start + len(word) and not is_beside:
            continue
        if is_beside or len(letters) > FEW:
            yield Expansion(start=start, end=end, is_beside=is_beside)
            behind = end


def _compound_to(word: str, start: int, letters: str) -> int | None:
    """Where a long word that has all letters in their order ends, as compounds of German do: "Palastgartenpicknick" of PGP."""
    signs = iter(word.casefold())
    is_long = len(letters) > FEW and len(word) >= LETTERS_OF_COMPOUND * len(letters)
    is_spelled = word[0].casefold() == letters[0] and all(letter in signs for letter in letters)
    return start + len(word) if is_long and is_spelled else None


def _is_beside(text: str, start: int, end: int, abbreviation: str) -> bool:
    around = len(abbreviation) + BESIDE_CHARS
    return abbreviation in text[max(0, start - around) : start] or abbreviation in text[end : end + around]


def _spelled_to(text: str, words: list[tuple[str, int, int]], letters: str) -> int | None:
    """Where the words that spell all letters from the first word on end; None where they do not."""

    @cache
    def spelled(place: int, done: int, skipped: int) -> int | None:
        if done == len(letters):
            return words[place - 1][2] if words[place - 1][0] not in _SMALL else None
        if place == len(words) or (place and _BREAK.search(text, words[place - 1][2], words[place][1])):
            return None
        word = words[place][0]
        is_small = word.casefold() in _SMALL
        if place and is_small and (end := spelled(place + 1, done, skipped)) is not None:
            return end
        for taken in _beginnings(word, letters[done:]):
            if (end := spelled(place + 1, done + taken, skipped)) is not None:
                return end
        if is_small or not place or skipped == len(letters) // LETTERS_A_GAP:
            return None
        return spelled(place + 1, done, skipped + 1)

    end = spelled(0, 0, 0)
    if end is None:
        return None
    told = [word for word, start, _ in words if start < end]
    is_long = sum(map(len, told)) >= LETTERS_A_WORD * len(letters)
    return end if len(told) > 1 and is_long else None


def _beginnings(word: str, letters: str) -> Iterator[int]:
    """How many of the next letters a word may stand for, the fewest first: those that it begins with, or the capitals within it."""
    folded = word.casefold()
    most = 0
    while most < min(len(folded), len(letters)) and folded[most] == letters[most]:
        most += 1
    yield from range(1, most + 1)
    capitals = "".join(sign for sign in word if sign.isupper()).casefold()
    if word[1:] != word[1:].casefold() and len(capitals) not in range(1, most + 1) and letters.startswith(capitals):
        yield len(capitals)
