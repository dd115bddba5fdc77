"""Weighs passages for one part of a question: which of its words stand in them, beside them, above them and elsewhere on the page."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

import msgspec

from memory.words import lazy_re, tokens
from perception.observation import Observation
from walker.strategies.answers.passages import Passage
from walker.strategies.question.name_match import match_address, match_title
from walker.strategies.question.question import Part

NEAR_SHARE, ABOVE_SHARE, TITLE_SHARE = 0.6, 0.7, 0.4
"""Weight factor of a word beside the passage, in a heading above, or in the title, for the choice of passages that are weighed
fully; the fitted weights say what each is worth for an answer."""
ABSENT_WEIGHT = 0.8
"""Weight of a question word that does not occur on the page, as a share of the rarest word's weight."""
ABSENT_PAIR = 0.35
"""The same for a pair of Chinese or Japanese characters: most that are nowhere join the end of a word and the next one."""
NAMED_WEIGHT = 1.5
"""Weight factor of words of a name, an identifier or a number: they say which thing is meant, other words what of it."""
LOOSE_SHARE = 0.7
"""Weight of a word that is met as a part of a compound or with another ending: "Beitrag" in "Monatsbeitrag"."""
VALUE_SHARE = 0.9
"""Worth of a word in the term of a short definition, or in the row or column of a cell, as a share of one in a sentence."""
LOOSE_CHARS = 5
"""Least characters that such words share at their beginning or end."""
KNOWN_CHARS = 20
BELOW_SHARE = 0.3
"""Least share of the wanted words in the title and the headings above a passage that holds none itself: on the page of a talk "15:40 -
16:05" says when it was."""
_DIGIT = lazy_re.compile(r"\d")


class WeighedPassage(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A passage, and shares 0..1 of the question's weight by where its words are met first."""

    passage: Passage
    own: float
    near: float
    above: float
    title: float
    page: float
    """Elsewhere on the page."""
    named: float
    """Share of the names and numbers of the question that are met in, beside or above the passage; 1 where it has none."""
    pairs: float
    """Share of neighbouring words of the question that are neighbours here too."""
    cover: float
    """What the choice of passages goes by."""


class PageWords:
    """The words of a page's passages, for weighing them against parts of a question."""

    def __init__(self, passages: tuple[Passage, ...], title: str) -> None:
        self._passages = passages
        self._words = [frozenset(tokens(passage.text)) for passage in passages]
        self._title = frozenset(tokens(title))
        self._vocabulary = _Vocabulary(Counter(word for words in self._words for word in words))
        self._cache: dict[str, frozenset[str]] = {}

    def weigh(
        self, wanted: Sequence[str], named: frozenset[str], best: int, *, by_place: bool = False
    ) -> list[WeighedPassage]:
        """The passages that cover most of the wanted words, best first; `named` are those of names and numbers. `by_place`: passages
        with digits that stand below a heading or title which holds wanted words, too, though they hold none themselves."""
        words = tuple(dict.fromkeys(wanted))
        if not words:
            return []
        asked = _Asked(words, named, self._vocabulary, len(self._passages))
        pairs = tuple(pairwise(words))
        weighed = []
        for number, passage in enumerate(self._passages):
            own = asked.met_in(self._words[number])
            is_placed = by_place and _DIGIT.search(passage.text) is not None
            if own or passage.is_value or (is_placed and self._is_below(passage, asked)):
                one = self._weigh_one(passage, own, asked, pairs)
                weighed.append((-one.cover, number, one))
        return [one for _, _, one in sorted(weighed, key=lambda entry: entry[:2])[:best]]

    def weigh_at(self, places: Sequence[int], wanted: Sequence[str], named: frozenset[str]) -> list[WeighedPassage]:
        """The passages of these numbers, whether a wanted word stands in them or not."""
        words = tuple(dict.fromkeys(wanted))
        asked = _Asked(words, named, self._vocabulary, len(self._passages))
        pairs = tuple(pairwise(words))
        return [
            self._weigh_one(self._passages[place], asked.met_in(self._words[place]), asked, pairs) for place in places
        ]

    def _weigh_one(
        self, passage: Passage, own: dict[str, float], asked: _Asked, pairs: Sequence[tuple[str, str]]
    ) -> WeighedPassage:
        near, above = asked.met_in(self._split(passage.near)), asked.met_in(self._split(passage.above))
        title, page = asked.met_in(self._title), asked.on_page
        held = dict.fromkeys(("own", "near", "above", "title", "page"), 0.0)
        if passage.is_value:  # its row, column or term says what it is
            own = {**{word: VALUE_SHARE * share for word, share in near.items()}, **own}
        places = (("own", own), ("near", near), ("above", above), ("title", title), ("page", page))
        met_named = 0.0
        for word, weight in asked.weights.items():
            for place, met in places:
                if word in met:
                    held[place] += weight * met[word]
                    met_named += (place != "page") * (word in asked.named)
                    break
        shares = {place: amount / max(asked.total, 1e-9) for place, amount in held.items()}
        cover = shares["own"] + NEAR_SHARE * shares["near"] + ABOVE_SHARE * shares["above"]
        order = tokens(passage.text) if pairs and len(own) > 1 else ()
        neighbours = frozenset(pairwise(order)) | frozenset(zip(order, order[2:], strict=False))
        return WeighedPassage(
            passage=passage,
            **shares,
            named=met_named / len(asked.named) if asked.named else 1.0,
            pairs=sum(pair in neighbours for pair in pairs) / len(pairs) if pairs else 0.0,
            cover=min(1.0, cover + TITLE_SHARE * shares["title"]),
        )

    def _is_below(self, passage: Passage, asked: _Asked) -> bool:
        met = {**asked.met_in(self._split(passage.above)), **asked.met_in(self._title)}
        return sum(asked.weights[word] * share for word, share in met.items()) >= BELOW_SHARE * asked.total

    def _split(self, text: str) -> frozenset[str]:
        kept = self._cache.get(text)
        if kept is None:
            kept = self._cache[text] = frozenset(tokens(text))
        return kept


class _Asked:
    """The words of a part with their weights on a page, and the words of the page that are loosely the same."""

    def __init__(self, words: Iterable[str], named: frozenset[str], vocabulary: _Vocabulary, passages: int) -> None:
        holding = vocabulary.holding
        count = max(2, passages)
        rarest = math.log(1 + count)
        self.weights: dict[str, float] = {}
        self._loose: dict[str, list[str]] = {}
        for word in words:
            alike = vocabulary.alike(word)
            held = holding[word] + sum(holding[other] for other in alike)
            absent = ABSENT_PAIR if word[0] > "\u2e7f" else ABSENT_WEIGHT
            weight = math.log(1 + count / held) if held else absent * rarest
            # Single letters that name an argument occur everywhere and say little about the topic.
            weight *= 0.3 if len(word) == 1 and word.isascii() and not word.isdigit() else 1.0
            self.weights[word] = weight * (NAMED_WEIGHT if word in named else 1.0)
            for other in alike:
                self._loose.setdefault(other, []).append(word)
        self.named = frozenset(word for word in self.weights if word in named)
        self.total = sum(self.weights.values())
        self.on_page = self.met_in(frozenset(holding))

    def met_in(self, words: frozenset[str]) -> dict[str, float]:
        """The asked words that these hold, 1 for the same word and less for one that is only alike."""
        met = {word: LOOSE_SHARE for other in words & self._loose.keys() for word in self._loose[other]}
        met.update((word, 1.0) for word in self.weights.keys() & words)
        return met


class _Vocabulary:
    """The words of a page, and those of them that begin or end alike, as in compounds and with other endings."""

    def __init__(self, holding: Counter[str]) -> None:
        self.holding = holding
        """By word, how many passages hold it."""
        long = [word for word in holding if len(word) >= LOOSE_CHARS]
        self._forwards, self._backwards = sorted(long), sorted(word[::-1] for word in long)

    def alike(self, word: str) -> list[str]:
        """Other words of the page of which this is the beginning or the end, or which are one of this word."""
        if word[0] > "\u2e7f":
            return []
        if word[0].isdigit():
            return [f"v{word}"] if f"v{word}" in self.holding else []
        if not word.isalpha():
            return []
        found = {
            word.removesuffix(ending) for ending in ("r", "er", "est") if word.endswith(ending)
        }  # "longer": "26 metres long"
        for length in range(LOOSE_CHARS, len(word)):
            found |= {word[:length], word[-length:]}
        if len(word) >= LOOSE_CHARS:
            found.update(_beginning_with(self._forwards, word))
            found.update(other[::-1] for other in _beginning_with(self._backwards, word[::-1]))
        return sorted(other for other in found if other != word and other in self.holding)


def _beginning_with(ordered: Sequence[str], start: str) -> Sequence[str]:
    first = bisect_left(ordered, start)
    return ordered[first : bisect_left(ordered, f"{start}\U0010ffff", first)]


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
