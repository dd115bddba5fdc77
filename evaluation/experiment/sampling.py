"""One sample of an experiment as a task, which may be done on another machine."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from evaluation.dataset.question import Question
from evaluation.experiment.tool_calls import ToolCalls
from evaluation.experiment.variants import Variant
from evaluation.experiment.workflows import answer_without_walk
from evaluation.sample import Sample
from walker.asked_picture.question_pictures import with_picture_search
from walker.assembly import WalkResources
from walker.batch.places import ENDS_A_BATCH, Walk
from walker.batch.questions import Assignment
from walker.errors import WalkerError
from walker.models.meter import money_of
from walker.recording.fault import one_line_for_a_fault
from walker.run_setup import make_redactor
from walker.seams.chat import Spent
from walker.seams.outcome import Outcome
from walker.settings import Settings


class SampleTask(msgspec.Struct, frozen=True, kw_only=True):
    """Answer one question by one variant."""

    question: Question
    variant: Variant
    root: str
    """"" for a question that begins with a search."""
    number: int
    library: str = ""
    """Path of the pages that are searched: of the site, for a workflow that does not walk, or what there is without a root."""

    @property
    def empty(self) -> Sample:
        """The sample without its answer."""
        return Sample(question_id=self.question.id, variant=self.variant.name, number=self.number)

    async def told(self, resources: WalkResources, walk: Walk) -> Sample:
        """The sample; with its error where the question could not be asked. Raises `ENDS_A_BATCH`."""
        try:
            resources = self._with_pictures(resources)
            if self.variant.workflow == "walk":
                return await self._walked(resources, walk)
            runs = resources.settings.runs_folder
            with one_line_for_a_fault(runs / self._traceback_name, make_redactor(resources.settings, runs)):
                return await answer_without_walk(
                    resources, self.question, self.root, self.variant.workflow, self.empty, self.library
                )
        except ENDS_A_BATCH:
            raise
        except WalkerError as error:
            return self.lost(str(error))

    def lost(self, why: str) -> Sample:
        """A sample that the next run asks again."""
        return msgspec.structs.replace(self.empty, error=why, stop_reason="failed")

    def _with_pictures(self, resources: WalkResources) -> WalkResources:
        """Resources that search the pictures of the experiment's library by the one of this question, whatever the answer is taken
        from. Raises `LibraryFailed`, `UsageError`."""
        if not self.question.picture:
            return resources
        settings = with_picture_search(resources.settings)
        return resources if settings is resources.settings else resources.with_settings(settings)

    async def _walked(self, resources: WalkResources, walk: Walk) -> Sample:
        # A walk from a root would add its pages to the library that the next questions are answered from.
        settings = msgspec.structs.replace(
            self.variant.settings_of(resources.settings), library=Path(self.library) if self.library else None
        )
        crew, calls = resources.with_settings(settings), ToolCalls()
        outcome = await walk(crew, self._assignment, calls)
        return sample_of(self.empty, outcome, calls, crew.settings)

    @property
    def _assignment(self) -> Assignment:
        question = self.question
        return Assignment(
            id=f"{self.variant.name}/{question.id}/{self.number}",
            question=question.question,
            roots=(self.root,) if self.root else (),
            language=question.language,
            picture=Path(question.picture) if question.picture else None,
            box=question.boxes[0] if question.picture and question.boxes else None,
        )

    @property
    def _traceback_name(self) -> str:
        """Beside the runs: what is answered without a walk has none of its own."""
        return re.sub(r"[^\w.-]+", "-", f"traceback-{self.variant.name}-{self.question.id}-{self.number}.txt")


def sample_of(empty: Sample, outcome: Outcome, calls: ToolCalls, settings: Settings) -> Sample:
    """Complete a sample from the outcome of its walk. `empty` has its identity (question, variant, number), `calls` counted what the
    walk did, `settings` give the prices for its cost."""
    usage = outcome.usage
    spent = Spent(prompt_tokens=usage.prompt_tokens, completion_tokens=usage.completion_tokens)
    return msgspec.structs.replace(
        empty,
        answer=outcome.answer,
        items=outcome.items,
        confidence=outcome.confidence,
        citations=outcome.citations,
        stop_reason=outcome.stop_reason.value,
        pages=outcome.pages,
        steps=outcome.steps,
        looks=calls.looked,
        tools=calls.by_tool,
        usage=usage,
        money=money_of(spent, settings.model) if settings.model is not None else None,
        trace=outcome.trace,
    )
