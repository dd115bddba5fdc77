"""Lines that a passage critic can be trained on: relevant passages, and irrelevant ones that are hard or easy to tell from them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Literal

import msgspec

from evaluation.critic.filtering import WeighedCase

HARD_SHARE = 0.7
"""Of the irrelevant passages of a question (ReAG, supplement A)."""
Label = Literal["relevant", "hard", "soft"]


class TrainingLine(msgspec.Struct, frozen=True, kw_only=True):
    """One example: does the passage help to answer the question?"""

    question_id: str
    question: str
    passage: str
    title: str
    url: str
    relevant: bool
    label: Label
    """`hard`: of a page that holds the evidence, or the best that was weighed wrongly; `soft`: any other of the same site."""


def lines_of(weighed: WeighedCase) -> Iterator[TrainingLine]:
    """As many irrelevant passages as relevant ones, at least ten of these to seven hard and three soft: 70 % and 30 % of what there is
    of both. Which of the soft ones is drawn depends on their text alone."""
    case = weighed.case
    right = sorted(case.right)
    if not right:
        return
    pages = {case.passages[place].url for place in right}
    wrong = [
        place for place in range(len(case.passages)) if place not in case.right and case.passages[place].text.strip()
    ]
    by_weight = sorted(wrong, key=lambda place: (-weighed.weights[place].chance, place))
    wanted = max(10, len(right))
    hard_wanted = round(HARD_SHARE * wanted)
    beside = [place for place in by_weight if case.passages[place].url in pages]
    elsewhere = [place for place in by_weight if case.passages[place].url not in pages]
    hard = [place for pair in _in_turns(elsewhere, beside) for place in pair][:hard_wanted]
    rest = sorted(
        (place for place in wrong if place not in set(hard)), key=lambda place: _drawn(case.passages[place].text)
    )
    # Where there are few of one sort there are fewer of the other, so that the shares hold.
    soft = rest[: round(len(hard) * (1 - HARD_SHARE) / HARD_SHARE)]
    hard = hard[: round(len(soft) * HARD_SHARE / (1 - HARD_SHARE))]
    for label, places in (("relevant", right), ("hard", hard), ("soft", soft)):
        for place in places:
            passage = case.passages[place]
            yield TrainingLine(
                question_id=case.sought.id,
                question=case.sought.question,
                passage=passage.text,
                title=passage.title,
                url=passage.url,
                relevant=label == "relevant",
                label=msgspec.convert(label, Label),
            )


def _in_turns(one: list[int], other: list[int]) -> Iterator[tuple[int, ...]]:
    for place in range(max(len(one), len(other))):
        yield (*one[place : place + 1], *other[place : place + 1])


def _drawn(text: str) -> str:
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()
