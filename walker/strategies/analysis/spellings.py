"""Which other spellings of a question's names a model may bring in: abbreviations, words that were seen, common nouns in other words.
A proper name that nobody has seen is an answer made up beforehand."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Set

import msgspec
from rapidfuzz import fuzz

from memory.words import lazy_re, tokens
from perception.observation import Observation
from walker.rules.language import language_of_page
from walker.seams.task import Task

ALIKE = 60.0
"""Likeness, 0..100, of a word to one of the name from which it is that word in another language: "Lissabon", "Universität"."""
LONGEST_SHORT_FORM = 8
CAPITAL_NOUNS = frozenset(("de", "lb"))
"""Languages that write all nouns with a capital."""
_WORD = lazy_re.compile(r"[^\W_]+")


class SeenWords(msgspec.Struct, frozen=True, kw_only=True):
    """What is known before the walk goes on: the words of the question, of the root's address and of the first page."""

    question: str
    asked: frozenset[str]
    seen: frozenset[str]
    nouns_are_capital: bool = False

    def hold(self, name: str) -> bool:
        """Whether the question names this."""
        return name.casefold() in self.question or frozenset(tokens(name)) <= self.asked

    def other_names(self, name: str, others: Iterable[str]) -> frozenset[str]:
        """The words of other names of the question that this one has not."""
        return frozenset(token for other in others for token in tokens(other)) - frozenset(tokens(name))

    def allow(self, spelling: str, name: str, others: Set[str] = frozenset()) -> bool:
        """Whether the site may be said to write a name so: every word with a capital or a figure stands in the question or on the
        first page, or is a word of the name or its short form; or is one noun where these have capitals. What brings in a word of
        `others`, other names of the question, says what the thing is of, and is no spelling ("gifr release" of "first release")."""
        if _is_short_form(spelling, name) or _is_short_form(name, spelling):
            return True
        if not others.isdisjoint(tokens(spelling)):
            return False
        words = _WORD.findall(spelling)
        strange = [self._is_strange(word, name) for word in words]
        if not any(strange):
            return True
        in_a_row = any(one and other for one, other in itertools.pairwise(strange))
        are_nouns = all(word.istitle() for word, is_strange in zip(words, strange, strict=True) if is_strange)
        return self.nouns_are_capital and are_nouns and not in_a_row and not re.search(r"\d", spelling)

    @property
    def _initials(self) -> str:
        """First letters of the question's words: "RV Mantis" is the research vessel Mantis."""
        return "".join(word[0] for word in _WORD.findall(self.question))

    def _is_strange(self, word: str, name: str) -> bool:
        if word == word.lower() and not re.search(r"\d", word):
            return False
        folded = word.casefold()
        if folded in self.seen or (word.isupper() and 1 < len(word) <= LONGEST_SHORT_FORM and folded in self._initials):
            return False
        return not any(fuzz.ratio(folded, other.casefold()) >= ALIKE for other in _WORD.findall(name))


def words_seen(task: Task, observation: Observation) -> SeenWords:
    """The words that are known when the first page is open."""
    shown = (block.text for block in observation.blocks if not block.hidden)
    labels = (link.label for link in observation.links)
    texts = " ".join((task.question, task.root_url, observation.title, *shown, *labels))
    return SeenWords(
        question=task.question.casefold(),
        asked=frozenset(tokens(task.question)),
        seen=frozenset(word.casefold() for word in _WORD.findall(texts)),
        nouns_are_capital=language_of_page(observation) in CAPITAL_NOUNS,
    )


def _is_short_form(short: str, full: str) -> bool:
    """Whether it is made of first letters of the words, in any order: the order of words is another in another language."""
    words = _WORD.findall(full)
    if not (short.isalpha() and short.isupper() and 1 < len(short) <= LONGEST_SHORT_FORM and len(words) > 1):
        return False
    return not Counter(short.casefold()) - Counter(word[0].casefold() for word in words)
