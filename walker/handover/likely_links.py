"""The links of a walk that are likeliest to lead on, as a person is offered them."""

from __future__ import annotations

from memory.retrieval import Ranker
from memory.state import WalkMemory
from perception.observation import Observation
from walker.handover.live_person import choice_of
from walker.seams.task import Task
from walker.seams.web.asked_person import Choice
from walker.strategies.links.link_candidates import LinkCandidateFinder
from walker.strategies.pictured.pictured_question import question_of
from walker.strategies.question.open_parts import current_parts

MOST = 12


class LikelyLinks:
    """Scores links as the explorer without a model does, whoever explores: a model does not say how sure it is of a link."""

    def __init__(self, ranker: Ranker) -> None:
        self._finder = LinkCandidateFinder(ranker)

    def __call__(self, task: Task, observation: Observation, memory: WalkMemory) -> tuple[tuple[Choice, float], ...]:
        """The likeliest that were not tried, each with its score, best first."""
        open_parts = current_parts(question_of(task), observation, memory, task.analysis.names)
        found = self._finder.find_candidates(open_parts, observation, memory)[:MOST]
        return tuple((choice_of(one.label, one.why, one.url), round(one.score, 3)) for one in found)
