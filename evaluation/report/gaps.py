"""Missing parts of an experiment, because of which its metrics cover less than was planned."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from evaluation.experiment.folder import Experiment
from evaluation.sample import Grade, Sample


class Gap(msgspec.Struct, frozen=True, kw_only=True):
    """What is missing, how often, and what to do about it."""

    what: str
    count: int
    of: int = 0
    """How many were wanted; 0 where that does not say more."""
    advice: str
    state: Literal["", "failed", "unscored"] = ""
    """State of the answers that are meant; "" where there are none."""

    @property
    def line(self) -> str:
        """One sentence without its full stop."""
        return f"{self.what}: {self.count}{f' of {self.of}' if self.of else ''}; {self.advice}"


def gaps_of(
    experiment: Experiment, questions: int, samples: Sequence[Sample], grades: Sequence[Grade]
) -> tuple[Gap, ...]:
    """All gaps; () where everything was answered, graded and scored."""
    wanted = questions * len(experiment.variants) * experiment.samples
    graded = {grade.key for grade in grades}
    ungraded = sum(not sample.error and sample.key not in graded for sample in samples)
    found = (
        Gap(what="missing answers", count=wanted - len(samples), of=wanted, advice="walker eval run resumes"),
        Gap(
            what="failed samples",
            count=sum(bool(sample.error) for sample in samples),
            advice="walker eval run retries them",
            state="failed",
        ),
        Gap(what="answers not graded yet", count=ungraded, advice="run walker eval grade", state="unscored"),
        Gap(
            what="unscored answers, neither right nor wrong",
            count=sum(grade.right is None for grade in grades),
            advice="the judges disagree, or none gave a grade; a further --judge may decide",
            state="unscored",
        ),
    )
    return tuple(one for one in found if one.count > 0)
