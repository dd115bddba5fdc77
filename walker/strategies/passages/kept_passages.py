"""The passages that are kept, in the order of a reader, and what was answered from them."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from memory.findings import Candidate, Citation
from walker.seams.passage_critic import KEEP_FROM, OfferedPassage, Weight, kept_places

CONFIDENCE_WITHOUT = 0.3
"""Most confidence of an answer that rests on no passage."""


class KeptPassage(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A passage that was kept, and how likely it helps."""

    passage: OfferedPassage
    chance: float


class KeptAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An answer from kept passages."""

    answer: str = ""
    items: tuple[str, ...] = ()
    confidence: float = 0.0
    citations: tuple[Citation, ...] = ()
    tied: tuple[Candidate, ...] = ()
    """Other answers that are about as likely."""
    evidence: bool = False
    """Whether it rests on a quote of a kept passage."""
    note: str = ""
    """Why it is not the configured model's, "" where it is."""


def kept_of(
    passages: Sequence[OfferedPassage], weights: Sequence[Weight], least: float = KEEP_FROM
) -> tuple[KeptPassage, ...]:
    """The passages that weigh so much, those of one page together and in its order; pages in the order in which they were offered."""
    pages = {url: number for number, url in enumerate(dict.fromkeys(passage.url for passage in passages))}
    places = sorted(kept_places(weights, least), key=lambda one: (pages[passages[one].url], passages[one].place, one))
    return tuple(KeptPassage(passage=passages[place], chance=weights[place].chance) for place in places)
