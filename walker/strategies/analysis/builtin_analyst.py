"""The analyst without a model: the grammar of the question alone."""

from __future__ import annotations

from perception.observation import Observation
from walker.seams.task import Task
from walker.seams.task_analysis import TaskAnalysis
from walker.strategies.question.question_analysis import analyse_question


class BuiltinAnalyst:
    """Implements `walker.seams.protocols.Analyst`."""

    async def analyse(self, task: Task, observation: Observation) -> TaskAnalysis:  # noqa: ARG002 - the seam's signature
        """The analysis by rules; the page tells them nothing."""
        return analyse_question(task.question, task.language, task.requirement)
