"""How well weights tell the passages that hold evidence from the others: recall, specificity, passages kept, by threshold."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from evaluation.critic.cases import PassageCase
from walker.seams.passage_critic import PassageCritic, Weight, kept_places

THRESHOLDS = (0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5)
PAGES = (5, 10, 20)


class WeighedCase(msgspec.Struct, frozen=True, kw_only=True):
    """A case and the weights of its passages."""

    case: PassageCase
    weights: tuple[Weight, ...]


class Filtering(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a threshold keeps, over all questions of which a passage holds evidence."""

    pages: int
    """Pages that were searched for each question."""
    threshold: float
    questions: int
    pieces: int
    """Pieces of evidence that stand in a passage."""
    recall: float
    """Share of these pieces that a kept passage holds."""
    specificity: float
    """Share of the passages without evidence that are left out, over the passages of all questions."""
    specificity_a_question: float
    """The same share of each question, and the mean of these."""
    offered: float
    """Passages a question."""
    kept: float
    """Passages kept a question."""
    answered: float | None = None
    """Share of all questions that are answered rightly from what is kept, None where that was not asked for."""


async def weigh_cases(cases: Sequence[PassageCase], critic: PassageCritic) -> tuple[WeighedCase, ...]:
    """The cases weighed one after the other. Raises what the critic raises."""
    return tuple(
        [
            WeighedCase(
                case=case, weights=await critic.weigh(case.sought.question, case.passages, case.sought.language)
            )
            for case in cases
        ]
    )


def filtering_at(weighed: Sequence[WeighedCase], threshold: float, pages: int) -> Filtering | None:
    """The figures at a threshold 0..1, None where no passage holds evidence."""
    usable = [one for one in weighed if one.case.evidence]
    if not usable:
        return None
    pieces = found = wrong = refused = kept = offered = 0
    shares: list[float] = []
    for one in usable:
        case, places = one.case, frozenset(kept_places(one.weights, threshold))
        pieces += len(case.evidence)
        found += sum(bool(places.intersection(held)) for held in case.evidence)
        others = len(case.passages) - len(case.right)
        left_out = others - len(places - case.right)
        wrong, refused = wrong + others, refused + left_out
        shares += [left_out / others] if others else []
        kept, offered = kept + len(places), offered + len(case.passages)
    return Filtering(
        pages=pages,
        threshold=threshold,
        questions=len(usable),
        pieces=pieces,
        recall=found / pieces,
        specificity=refused / wrong if wrong else 1.0,
        specificity_a_question=sum(shares) / len(shares) if shares else 1.0,
        offered=offered / len(usable),
        kept=kept / len(usable),
    )
