"""The links of a page that a model will likely choose: those that the built-in explorer would."""

from __future__ import annotations

from collections.abc import Callable

from memory.retrieval import Ranker
from memory.state import WalkMemory
from perception.observation import Observation
from walker.seams.task import Task
from walker.strategies.links.link_candidates import LinkCandidateFinder
from walker.strategies.question.open_parts import current_parts
from walker.strategies.question.question import read_question


def promising_links(
    task: Task, ranker: Callable[[], Ranker], most: int
) -> Callable[[Observation, WalkMemory], tuple[int, ...]]:
    """Names at most `most` links of a page by their numbers; `ranker` is asked for with the first page."""

    def promising(observation: Observation, memory: WalkMemory) -> tuple[int, ...]:
        # It is made before the task is analysed, and a page more or less in a tab changes no walk.
        open_parts = current_parts(read_question(task.question, task.language), observation, memory)
        candidates = LinkCandidateFinder(ranker()).find_candidates(open_parts, observation, memory)
        return tuple(candidate.link_id for candidate in candidates if candidate.link_id)[:most]

    return promising
