"""Whether a passage says something that the question does not say itself: a caption that only names the thing answers nothing."""

from __future__ import annotations

import re

from memory.words import lazy_re, tokens
from walker.strategies.question.asked_kinds import is_yes_no
from walker.strategies.values.written_values import is_same, values_in

_POINTING = frozenset(
    stem
    for word in (
        "many number numbers show shows shown list lists listed name names named give gives given state states stated tell tells find"
        " describe describes described mention mentions mentioned page section table chapter figure chart diagram overview following"
        " provide provides provided"
    ).split()
    for stem in tokens(word)
)
"""Stems of words that announce an answer and are none: "How many visitors come", "The table shows the visitors"."""
_TELLING = lazy_re.compile(
    r"\b(?:no|not|none|never|nobody|nothing|once|twice|all|both|only|always)\b|n[o']t\b", re.IGNORECASE
)
"""Stop words that may be all of an answer."""
LEAST_QUESTION = 8
"""Least characters of a question for a passage that contains it to count as a repetition of the question."""


def says_more(text: str, question: str, known: str = "", language: str = "en") -> bool:
    """Whether a passage holds a word or a value that the question (with the answer of the part before) does not. Of yes or no the
    question's own words, stated, are an answer.

    >>> says_more("How many visitors come in each month.", "In which month do most visitors come?")
    False
    >>> says_more("Visitors come in July.", "In which month do most visitors come?")
    True
    """
    if _asks_it_too(text, question):
        return False
    if is_yes_no(question, language) and not text.rstrip().endswith(("?", "？")):
        return True
    if any(sign.isdigit() for sign in text):
        return True
    asked = f"{question} {known}"
    if not frozenset(tokens(text)) <= frozenset(tokens(asked)) | _POINTING:
        return True
    told = {match[0].casefold() for match in _TELLING.finditer(text)}
    if told - {match[0].casefold() for match in _TELLING.finditer(asked)}:
        return True
    given = values_in(asked, language)
    return any(not any(is_same(value, other) for other in given) for value in values_in(text, language))


def _asks_it_too(text: str, question: str) -> bool:
    """Whether a passage repeats the question, question word included: a list of questions answers none of them."""
    asked = _bare(question)
    return len(asked) >= LEAST_QUESTION and asked in _bare(text)


def _bare(text: str) -> str:
    return "".join(sign for sign in text.casefold() if sign.isalnum())
