"""Joins datasets into one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from evaluation.dataset.question import Dataset, Question
from evaluation.metrics.rates import plain
from walker.errors import UsageError


class Joined(msgspec.Struct, frozen=True, kw_only=True):
    """The questions of all sets in their order, with their ids, and what was left out."""

    questions: tuple[Question, ...]
    taken: dict[str, int]
    """Set -> number of its questions that are in."""
    doubles: tuple[str, ...] = ()
    """"id of set: the id that asks the same" of each question that was asked before."""


def join(sets: Sequence[Dataset]) -> Joined:
    """Join sets. A question with the words, the picture and the answer of one before it, on whichever site, is left out.

    Raises `UsageError` where two different questions have the same id: ids name questions in experiments, and never change.
    """
    by_id: dict[str, Question] = {}
    by_words: dict[tuple[str, str, str], str] = {}
    taken: Counter[str] = Counter({one.name: 0 for one in sets})
    doubles: list[str] = []
    for one in sets:
        for question in one.questions:
            words = plain(question.question), question.picture_digest or question.picture, plain(question.reference)
            if words in by_words:
                doubles.append(f"{question.id} of {one.name}: {by_words[words]}")
                continue
            if question.id in by_id:
                what = f'the id "{question.id}" names two questions: “{by_id[question.id].question}” and “{question.question}”'
                raise UsageError(what, where=one.name, advice="Give one of them another id")
            by_id[question.id] = question
            by_words[words] = question.id
            taken[one.name] += 1
    return Joined(questions=tuple(by_id.values()), taken=dict(taken), doubles=tuple(doubles))
