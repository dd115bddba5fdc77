"""A batch of questions: several walks side by side in one browser, each answer written when its walk ends."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

import msgspec
from rich.console import Console

from walker.batch.places import WalkPlace
from walker.batch.predictions import Prediction, PredictionFile
from walker.batch.questions import Assignment, read_questions
from walker.errors import WalkerError
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


async def run_batch(
    path: Path,
    *,
    sites: dict[str, str],
    out: Path,
    place: WalkPlace,
    settings: Settings,
    console: Console,
) -> BatchReport:
    """Ask every question of the file that has no answer in `out` yet, as many at a time as `place` has jobs.

    A failed walk, even by a fault of Walker, is written with its error, counted, and asked again by the next run. Without
    browser, model or a writable file the batch ends.
    """
    can_search = settings.library is not None or settings.beyond.search is not None
    assignments = read_questions(path, sites, needs_root=not can_search)
    with contextlib.closing(PredictionFile(out)) as answers:
        return await _work_off(assignments, answers, place=place, console=console)


async def _work_off(
    assignments: tuple[Assignment, ...],
    answers: PredictionFile,
    *,
    place: WalkPlace,
    console: Console,
) -> BatchReport:
    waiting = [assignment for assignment in assignments if assignment.id not in answers.done]
    if len(waiting) < len(assignments):
        console.print(f"{len(assignments) - len(waiting)} of {len(assignments)} are answered in {answers.path} already")
    tally = {"answered": 0, "unanswered": 0, "failed": 0}
    queue = iter(enumerate(waiting, start=1))

    async with place:

        async def ask_on() -> None:
            for number, assignment in queue:
                try:
                    ended = await place.ask(assignment)
                except asyncio.CancelledError:
                    if (so_far := place.so_far(assignment)) is not None:
                        answers.add(so_far.prediction)
                    raise
                answers.add(ended.prediction)
                tally[ended.state] += 1
                _show(console, f"{number}/{len(waiting)}", ended.prediction)

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(min(place.jobs, len(waiting))):
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
