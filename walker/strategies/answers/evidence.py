"""Scores how well a passage answers one part of a question: by the question's words in and around it, and by its page."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable

import msgspec

from memory.words import tokens
from perception.observation import Observation
from walker.strategies.answers.passages import Passage
from walker.strategies.question.name_match import match_address, match_title
from walker.strategies.question.question import Part

NEAR_SHARE, ABOVE_SHARE, TITLE_SHARE = 0.6, 0.7, 0.4
"""Weight factor of a word that is not in the sentence itself but beside it, in a heading above, or in the title."""
ABSENT_WEIGHT = 0.8
"""Weight of a question word that does not occur on the page, as a share of the rarest word's weight."""
SECTION_BONUS = 0.25
KNOWN_CHARS = 20
VALUE_SHARE = 0.9
"""Weight factor of a word in the term of a short definition, or in the row or column of a cell: they say what the value is."""


class WeighedPassage(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A passage and the share of the question's weight that it covers, 0..1."""

    passage: Passage
    cover: float
    in_text: float
    """The share covered by words of the passage itself, 0..1."""


class PageWords:
    """The words of a page's passages, for weighing them against parts of a question."""

    def __init__(self, passages: tuple[Passage, ...], title: str) -> None:
        self._passages = passages
        self._words = [frozenset(tokens(passage.text)) for passage in passages]
        self._title = frozenset(tokens(title))
        self._holding = Counter(word for words in self._words for word in words)
        self._cache: dict[str, frozenset[str]] = {}

    def weigh(self, wanted: Iterable[str], sections: tuple[str, ...], best: int) -> list[WeighedPassage]:
        """The passages that cover most of the wanted words, best first."""
        words = tuple(dict.fromkeys(wanted))
        if not words:
            return []
        count = max(2, len(self._passages))
        rarest = math.log(1 + count)
        weights = {
            word: math.log(1 + count / self._holding[word]) if self._holding[word] else ABSENT_WEIGHT * rarest
            for word in words
        }
        # Single letters that name an argument occur everywhere and say little about the topic.
        weights = {
            word: weight * (0.3 if len(word) == 1 and word.isascii() else 1.0) for word, weight in weights.items()
        }
        total = sum(weights.values())
        known = frozenset(words)
        section_words = frozenset(word for section in sections for word in tokens(section))
        weighed: list[tuple[float, int, WeighedPassage]] = []
        for number, passage in enumerate(self._passages):
            own = self._words[number] & known
            if not own and not section_words and not passage.is_value:
                continue
            one = self._weigh_one(passage, own, weights, total, section_words)
            weighed.append((-one.cover, number, one))
        return [one for _, _, one in sorted(weighed, key=lambda entry: entry[:2])[:best]]

    def _weigh_one(
        self,
        passage: Passage,
        own: frozenset[str],
        weights: dict[str, float],
        total: float,
        section_words: frozenset[str],
    ) -> WeighedPassage:
        near, above = self._split(passage.near), self._split(passage.above)
        held = 0.0
        near_share = VALUE_SHARE if passage.is_value else NEAR_SHARE
        for word, weight in weights.items():
            if word in own:
                held += weight
            elif word in near:
                held += near_share * weight
            elif word in above:
                held += ABOVE_SHARE * weight
            elif word in self._title:
                held += TITLE_SHARE * weight
        cover = held / total
        if section_words:
            cover += SECTION_BONUS * (len(section_words & (above | own)) / len(section_words) - 0.5)
        in_text = sum(weights[word] for word in own) / total
        return WeighedPassage(passage=passage, cover=max(0.0, min(1.0, cover)), in_text=in_text)

    def _split(self, text: str) -> frozenset[str]:
        kept = self._cache.get(text)
        if kept is None:
            kept = self._cache[text] = frozenset(tokens(text))
        return kept


def page_fit(part: Part, observation: Observation, known: str = "") -> float:
    """How likely this is the page that the part refers to, 0..1; 0.5 if it names none.

    `known` is the answer of the part before: "the 'What's New' document of that version" is the one with its number.
    """
    if not part.page_hints:
        return 0.5
    headings = [block.text for block in observation.blocks if block.kind == "heading" and block.level <= 1][:3]
    nothing: frozenset[str] = frozenset()
    best = 0.0
    for hint in part.page_hints:
        if known and len(known) < KNOWN_CHARS and len(hint.split()) <= 3:
            with_known = max(match_title(title, f"{hint} {known}", nothing) for title in (observation.title, *headings))
            best = max(best, with_known, 0.6 * match_title(observation.title, hint, nothing))
            continue
        for title in (observation.title, *headings):
            best = max(best, match_title(title, hint, nothing))
        best = max(best, 0.85 * match_address(observation.url, hint, nothing))
    return min(1.0, best)
