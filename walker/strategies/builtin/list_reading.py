"""The likeliest lists of a page weighed again: by the meaning of each word of the question, and by what a reader makes of the words
before the list and its first entries."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from memory.retrieval import Ranker
from walker.strategies.answers.answer_chance import chance_of, chances_among, read_signal
from walker.strategies.answers.list_signals import LIST_SIGNALS, ListCandidate
from walker.strategies.builtin.list_chance import list_weights
from walker.strategies.builtin.word_likeness import likeness_by_words
from walker.strategies.reader.passage_reader import PassageReader, ReaderText

NEAR_LIST_SIGNALS = (*LIST_SIGNALS, "words")
"""With the likeness in meaning of the question to the list and what is around it, word by word."""
READ_LIST_SIGNALS = (*NEAR_LIST_SIGNALS, "read")
"""With the reader's log odds that the list answers, as a share of its most."""
LISTS_READ = 6
"""Likeliest lists of a page that are read: 0.1 s of CPU."""
SHOWN = 12
"""Entries that are shown of a list."""
NAME_CHARS = 60


def weighed_again(
    candidates: Sequence[ListCandidate], question: str, ranker: Ranker, reader: PassageReader | None, *, is_quota: bool
) -> list[ListCandidate]:
    """The likeliest of these lists by all that is known, likeliest first; without a reader by the rest. `is_quota`: the question is
    for some names, not for how many."""
    chosen = candidates[:LISTS_READ]
    weights, names = list_weights(), NEAR_LIST_SIGNALS if reader is None else READ_LIST_SIGNALS
    function = weights.near if reader is None else weights.read
    signals = [
        (*one.signals, words, *(() if reader is None else (read,)))
        for one, (words, read) in zip(chosen, meant_by(chosen, question, ranker, reader), strict=True)
    ]
    chances = list_chances([function.log_odds(names, each) for each in signals], is_quota=is_quota)
    told = [
        msgspec.structs.replace(one, signals=each, chance=chance)
        for one, each, chance in zip(chosen, signals, chances, strict=True)
    ]
    return sorted(told, key=lambda one: -one.chance)


def list_chances(log_odds: Sequence[float], *, is_quota: bool) -> list[float]:
    """The chance that each list of a page is meant. Where some names are asked for, a second list that fits as well halves the chance
    of the first: of 87 quotas on sites held out 27 are answered rightly, and 23 without that. Two lists may say the same number."""
    return chances_among(log_odds) if is_quota else [chance_of(one) for one in log_odds]


def meant_by(
    candidates: Sequence[ListCandidate], question: str, ranker: Ranker, reader: PassageReader | None
) -> list[tuple[float, float]]:
    """Of each list its likeness word by word, and what the reader says, 0 without one."""
    texts = [as_text(one) for one in candidates]
    if not texts:
        return []
    words = likeness_by_words(question, [(text.text, text.heading) for text in texts], ranker)
    logs = (
        [read_signal(one.log_odds) for one in reader.read(question, texts)]
        if reader is not None
        else [0.0] * len(texts)
    )
    return list(zip(words, logs, strict=True))


def as_text(candidate: ListCandidate) -> ReaderText:
    """A list as it is read: its headings, the words before it, its first entries."""
    names = "; ".join(name[:NAME_CHARS] for name in candidate.counted.names[:SHOWN])
    return ReaderText(candidate.above, f"{candidate.before.strip()} {names}".strip())
