"""Grades samples: normalised match first, then judges, then the error class."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from evaluation.dataset.question import Dataset, Question
from evaluation.grading.declared import match_declared
from evaluation.grading.error_classes import Classified, classify_error
from evaluation.grading.error_model import ErrorModel
from evaluation.grading.extraction import extract_answer
from evaluation.grading.judges import Judge, Judgement, verdict_of
from evaluation.grading.match import Match, is_cited
from evaluation.grading.visited import Visited, read_visited
from evaluation.ledger import Ledger
from evaluation.sample import Grade, Sample
from walker.batch.workers import run_workers

Tell = Callable[[int, int, Grade], None]
SIDE_BY_SIDE = 4
"""Samples judged concurrently."""


class Graders(msgspec.Struct, frozen=True, kw_only=True):
    """Configuration of grading. Without judges an unmatched answer is wrong; without an error model some errors have no class."""

    judges: tuple[Judge, ...] = ()
    error_model: ErrorModel | None = None
    scoring: Literal["match", "short"] = "match"
    """Scoring before the judges: normalised match, or ReAG's scoring of short answers."""
    judge_matches: bool = False
    """Judge matching answers too, to measure the agreement; the match still decides."""


async def grade_samples(
    dataset: Dataset,
    samples: Iterable[Sample],
    ledger: Ledger[Grade],
    graders: Graders,
    *,
    runs_base: Path | None = None,
    tell: Tell = lambda *_: None,
) -> tuple[Grade, ...]:
    """Grades of all samples in the order given; samples with a verdict in the ledger are not graded again.

    Failed samples have no grade. Unscored ones are retried. Raises `EndpointUnusable` where a judge can never answer; finished
    grades are kept.
    """
    known = {grade.key: grade for grade in ledger.entries}
    wanted = [sample for sample in samples if not sample.error and dataset.question(sample.question_id) is not None]
    waiting = [sample for sample in wanted if _is_open(known.get(sample.key), sample, graders)]
    queue = iter(enumerate(waiting, start=1))

    async def grade_on() -> None:
        for number, sample in queue:
            question = dataset.question(sample.question_id)
            assert question is not None, "kept only where there is one"
            grade = await grade_one(question, sample, graders, runs_base)
            ledger.add(grade)
            known[grade.key] = grade
            tell(number, len(waiting), grade)

    await run_workers(grade_on, min(SIDE_BY_SIDE, len(waiting)))
    return tuple(known[sample.key] for sample in wanted)


async def grade_one(question: Question, sample: Sample, graders: Graders, runs_base: Path | None = None) -> Grade:
    """Grade one sample: match, then judges if it does not match (or all are judged), then the error class of a wrong answer from the
    recording below `runs_base`. Unscored where no judge's grade can be parsed, and where they disagree. Raises `EndpointUnusable`."""
    said = msgspec.structs.replace(sample, answer=extract_answer(sample.answer))
    match = match_declared(question, said, graders.scoring)
    judgements: list[Judgement] = []
    if graders.judges and (not match.right or graders.judge_matches) and said.answer.strip():
        judgements = [await judge.judge(question, said) for judge in graders.judges]
    right, by, reason = _verdict(match, judgements, graders.scoring)
    votes: dict[str, bool | None] = {"match": match.right} if judgements else {}
    votes |= {judgement.judge: judgement.right for judgement in judgements}
    grade = Grade(
        question_id=sample.question_id,
        variant=sample.variant,
        number=sample.number,
        right=right,
        f1=match.f1,
        cited=is_cited(question, sample),
        by=by,
        reason=reason,
        votes=votes,
        extracted=next((judgement.extracted for judgement in judgements if judgement.extracted), ""),
        stated=next((judgement.stated for judgement in judgements if judgement.stated is not None), None),
        of=sample.digest,
    )
    if right is not False:
        return grade.sealed
    visited = await asyncio.to_thread(read_visited, sample.trace, runs_base)
    found = await _classify(question, said, visited, graders.error_model)
    if found is None:
        return grade.sealed
    return msgspec.structs.replace(
        grade, error_class=found.error_class, error_by=found.by, reason=f"{reason}; {found.reason}"
    ).sealed


async def _classify(
    question: Question, sample: Sample, visited: Visited | None, model: ErrorModel | None
) -> Classified | None:
    proved = classify_error(question, sample, visited)
    if proved is not None or model is None:
        return proved
    return await model.classify(question, sample, visited)


def _verdict(match: Match, judgements: Sequence[Judgement], scoring: str) -> tuple[bool | None, str, str]:
    """Whether it is right (None for unscored), what decided it, and why."""
    if match.right or not judgements:
        return match.right, scoring, match.reason
    right = verdict_of({judgement.judge: judgement.right for judgement in judgements})
    told = next((judgement for judgement in judgements if judgement.right is right), None)
    reason = told.reason if told is not None else f"the judges disagree: {_said(judgements)}"
    return right, "+".join(judgement.judge for judgement in judgements), reason


def _said(judgements: Sequence[Judgement]) -> str:
    """What each judge with a grade said, and why."""
    given = [one for one in judgements if one.right is not None]
    return "; ".join(f"{one.judge} {'right' if one.right else 'wrong'} ({one.reason})" for one in given)


def _is_open(grade: Grade | None, sample: Sample, graders: Graders) -> bool:
    """Whether a sample needs a grade: it has none, or one for another answer, or an unscored one, or was found wrong without
    judges while there are judges now."""
    if grade is None or grade.right is None or (grade.of and grade.of != sample.digest):
        return True
    if grade.by in ("match", "short") and grade.by != graders.scoring:
        return True
    asked = {judge.name for judge in graders.judges}
    if grade.right and grade.by == graders.scoring and not graders.judge_matches:
        return False
    if not asked <= grade.votes.keys():
        return True
    return grade.right is False and grade.error_class is None and graders.error_model is not None
