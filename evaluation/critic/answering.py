"""Answers from the passages that a critic keeps, and from the best of a search, without a model."""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.critic.cases import PassageCase
from evaluation.critic.filtering import WeighedCase
from walker.assembly import read_task
from walker.seams.passage_critic import Weight
from walker.seams.protocols import Critic
from walker.strategies.passages.builtin_answer import answer_by_rules
from walker.strategies.passages.kept_passages import KeptAnswer, KeptPassage, kept_of

BEST = 8
"""Passages of a search that a retrieval workflow answers from (`evaluation/experiment/workflows.py`)."""
_ROOT = "https://library.invalid/"


class Answerer:
    """Answers questions from passages as a walk without a model reads pages."""

    def __init__(self, critic: Critic) -> None:
        self._critic = critic

    async def from_kept(self, weighed: WeighedCase, threshold: float) -> KeptAnswer:
        """The answer from what a threshold keeps."""
        return await self._answer(weighed.case, kept_of(weighed.case.passages, weighed.weights, threshold))

    async def from_best(self, case: PassageCase, best: Sequence[int]) -> KeptAnswer:
        """The answer from the passages at these places, likeliest first."""
        chosen = frozenset(best)
        weights = [Weight(chance=float(place in chosen)) for place in range(len(case.passages))]
        return await self._answer(case, kept_of(case.passages, weights, 1.0))

    async def _answer(self, case: PassageCase, kept: Sequence[KeptPassage]) -> KeptAnswer:
        return await answer_by_rules(read_task(_ROOT, case.sought.question, case.sought.language), kept, self._critic)
