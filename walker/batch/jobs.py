"""A batch of questions: several walks side by side in one browser, each answer written when its walk ends."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

import msgspec
from rich.console import Console

from traces.events import Event
from walker.asked_picture.picture_file import read_picture
from walker.asking import ask_in
from walker.assembly import WalkResources
from walker.batch.predictions import Prediction, PredictionFile, prediction_of
from walker.batch.questions import Assignment, read_questions
from walker.errors import BrowserUnavailable, EndpointUnusable, TraceUnwritable, WalkerError
from walker.settings import Settings


class BatchReport(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a batch."""

    questions: int
    skipped: int
    """Answered by an earlier run of the same batch."""
    answered: int
    unanswered: int
    failed: int
    out: str


class _Silence:
    """Walks of a batch report by their last line only."""

    def emit(self, event: Event) -> None:
        pass


async def run_batch(
    path: Path, *, sites: dict[str, str], out: Path, jobs: int, settings: Settings, console: Console
) -> BatchReport:
    """Ask every question of the file that has no answer in `out` yet, `jobs` at a time.

    A failed walk, even by a fault of Walker, is written with its error, counted, and asked again by the next run. Without
    browser, model or a writable file the batch ends.
    """
    can_search = settings.library is not None or settings.beyond.search is not None
    assignments = read_questions(path, sites, needs_root=not can_search)
    with contextlib.closing(PredictionFile(out)) as answers:
        return await _work_off(assignments, answers, jobs=jobs, settings=settings, console=console)


async def _work_off(
    assignments: tuple[Assignment, ...],
    answers: PredictionFile,
    *,
    jobs: int,
    settings: Settings,
    console: Console,
) -> BatchReport:
    waiting = [assignment for assignment in assignments if assignment.id not in answers.done]
    if len(waiting) < len(assignments):
        console.print(f"{len(assignments) - len(waiting)} of {len(assignments)} are answered in {answers.path} already")
    tally = {"answered": 0, "unanswered": 0, "failed": 0}
    queue = iter(enumerate(waiting, start=1))

    async with WalkResources(settings) as resources:

        async def ask_on() -> None:
            for number, assignment in queue:
                prediction, state = await _ask_one(resources, assignment)
                answers.add(prediction)
                tally[state] += 1
                _show(console, f"{number}/{len(waiting)}", prediction)

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(min(jobs, len(waiting))):
                    group.create_task(ask_on())
        except BaseExceptionGroup as several:
            named, others = several.split(WalkerError)
            if named is None or others is not None:
                raise
            raise _first(named) from None

    return BatchReport(
        questions=len(assignments),
        skipped=len(assignments) - len(waiting),
        answered=tally["answered"],
        unanswered=tally["unanswered"],
        failed=tally["failed"],
        out=str(answers.path),
    )


def _first(several: BaseExceptionGroup[WalkerError]) -> WalkerError:
    """The error that ended the batch; concurrent walks usually hit the same one."""
    error = several.exceptions[0]
    return _first(error) if isinstance(error, BaseExceptionGroup) else error


async def _ask_one(resources: WalkResources, assignment: Assignment) -> tuple[Prediction, str]:
    try:
        picture = None if assignment.picture is None else read_picture(assignment.picture, assignment.box)
        outcome = await ask_in(
            resources,
            assignment.roots,
            assignment.question,
            language=assignment.language,
            progress=_Silence(),
            picture=picture,
        )
    except (BrowserUnavailable, EndpointUnusable, TraceUnwritable):
        raise
    except WalkerError as error:
        return Prediction(
            id=assignment.id, question=assignment.question, error=str(error), stop_reason="failed"
        ), "failed"
    return prediction_of(assignment.id, outcome), "answered" if outcome.answered else "unanswered"


def _show(console: Console, place: str, prediction: Prediction) -> None:
    result = prediction.error or prediction.answer[:90] or "-"
    console.print(
        f"{place:>8} {prediction.id:10} {prediction.stop_reason:14} {prediction.pages:>3} pages  {result}",
        markup=False,
        highlight=False,
        overflow="ignore" if prediction.error else "ellipsis",
        no_wrap=True,
        crop=not prediction.error,  # errors are shown in full
    )
