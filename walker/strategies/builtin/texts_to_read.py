"""Which texts of a page the reader reads: those that the words of the question lead to, and as many more as it has time for."""

from __future__ import annotations

from collections.abc import Sequence

from memory.retrieval import Ranker
from walker.strategies.builtin.word_likeness import ABOVE_CHARS, likeness_by_words
from walker.strategies.reader.passage_reader import ReaderText

TEXTS_READ = 12
"""Texts that are read of a page: those of the likeliest passages by words, then the likest in meaning: 0.25 s of CPU. The text with
the answer is among them for 200 of 204 questions of building sites with the page at hand, and for 195 if meaning is compared as
a whole only."""
TEXTS_COMPARED = 200
SMOOTHING = 10
"""Of the reciprocal ranks by which the two ways to compare meaning are joined: the first of one is as good as the tenth of both."""


def chosen_texts(
    chosen: Sequence[int], others: Sequence[int], texts: Sequence[ReaderText], question: str, ranker: Ranker
) -> list[int]:
    """Numbers of the texts to read: those chosen, then the others that are likest to the question, as a whole and word by word."""
    numbers = list(dict.fromkeys(chosen))
    missing = TEXTS_READ - len(numbers)
    rest = [number for number in others if number not in numbers][:TEXTS_COMPARED]
    if missing <= 0 or len(rest) <= missing:
        return [*numbers, *rest[: max(0, missing)]]
    compared = [texts[number] for number in rest]
    whole = ranker.similarities(question, [f"{text.heading} {text.text}" for text in compared])
    words = likeness_by_words(question, [(text.text, text.heading[-ABOVE_CHARS:]) for text in compared], ranker)
    joined = [0.0] * len(rest)
    for likeness in (whole, words):
        for rank, at in enumerate(sorted(range(len(rest)), key=lambda at: (-likeness[at], at))):
            joined[at] += 1 / (SMOOTHING + rank)
    best = sorted(range(len(rest)), key=lambda at: (-joined[at], at))
    return [*numbers, *(rest[at] for at in best[:missing])]
