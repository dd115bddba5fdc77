"""Measures a passage critic on the questions of a dataset, over numbers of pages and thresholds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import msgspec

from evaluation.critic.answering import Answerer
from evaluation.critic.cases import PassageCase, Sought, case_of
from evaluation.critic.filtering import Filtering, WeighedCase, filtering_at, weigh_cases
from evaluation.dataset.question import Question, address_of
from memory.library.protocol import Library
from walker.rules.language import language_of
from walker.seams.passage_critic import PassageCritic

TOLD_EVERY = 5
"""Questions after which a line of progress says how many are answered: one takes seconds."""
IsRight = Callable[[str, str, tuple[str, ...]], bool]
"""Whether the answer to the question of an id is right, given its text and items."""


class Answering(NamedTuple):
    """Who answers from what is kept, and who grades."""

    answerer: Answerer
    is_right: IsRight


class Measured(msgspec.Struct, frozen=True, kw_only=True):
    """The figures, and what they are of."""

    rows: tuple[Filtering, ...]
    weighed: tuple[WeighedCase, ...]
    """At the most pages."""
    notes: int = 0
    """Passages that were not weighed as they should have been."""


def sought_in(
    questions: Sequence[Question], libraries: Sequence[Library], sites: dict[str, str]
) -> tuple[tuple[Library, Sought], ...]:
    """The questions whose evidence is given, each with the first library that has one of its sources. Raises `UsageError` for a site
    whose address is not known."""
    found = []
    for question in questions:
        quotes = tuple(
            (address_of(question, source, sites), quote)
            for source, quote in zip(question.sources, question.evidence, strict=False)
            if quote.strip()
        )
        library = next((one for one in libraries if any(one.has(address) for address, _ in quotes)), None)
        if library is not None:
            sought = Sought(
                id=question.id,
                question=question.question,
                language=question.language or language_of(question.question),
                site=question.site,
                quotes=quotes,
            )
            found.append((library, sought))
    return tuple(found)


async def measure_critic(
    asked: Sequence[tuple[Library, Sought]],
    critic: PassageCritic,
    *,
    pages: Sequence[int],
    thresholds: Sequence[float],
    answering: Answering | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> Measured:
    """Recall, specificity and passages kept for each number of pages and each threshold; with `answering` the share of answers from
    what is kept that are right, too. `tell` gets lines of progress. Raises what the critic raises."""
    rows: list[Filtering] = []
    weighed: tuple[WeighedCase, ...] = ()
    for most in sorted(set(pages)):
        cases = [case_of(library, sought, most) for library, sought in asked]
        passages = sum(len(case.passages) for case in cases)
        tell(f"weighing {passages} passages of {most} pages for each of {len(cases)} questions")
        weighed = await weigh_cases(cases, critic)
        for threshold in sorted(set(thresholds)):
            row = filtering_at(weighed, threshold, most)
            if row is None:
                continue
            if answering is not None:
                told = partial(_told_of, tell, f"threshold {threshold:g}: answered")
                share = await answered_share(weighed, threshold, answering, told)
                row = msgspec.structs.replace(row, answered=share)
            rows.append(row)
    notes = sum(bool(weight.note) for one in weighed for weight in one.weights)
    return Measured(rows=tuple(rows), weighed=weighed, notes=notes)


def _told_of(tell: Callable[[str], None], what: str, done: int, of: int) -> None:
    if done % TOLD_EVERY == 0 or done == of:
        tell(f"{what} {done} of {of}")


async def answered_share(
    weighed: Sequence[WeighedCase],
    threshold: float,
    answering: Answering,
    told: Callable[[int, int], None] = lambda *_: None,
) -> float:
    """The share of questions that are answered rightly from the passages that a threshold keeps."""
    right = 0
    for number, one in enumerate(weighed, start=1):
        given = await answering.answerer.from_kept(one, threshold)
        right += answering.is_right(one.case.sought.id, given.answer, given.items)
        told(number, len(weighed))
    return right / len(weighed) if weighed else 0.0


def lost_on_the_way(weighed: Sequence[WeighedCase]) -> tuple[PassageCase, ...]:
    """The cases of which no passage holds evidence: the search did not find the page, or the library has its text not."""
    return tuple(one.case for one in weighed if not one.case.evidence)
