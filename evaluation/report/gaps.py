"""Missing parts of an experiment, because of which its metrics cover less than was planned."""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.experiment.folder import Experiment
from evaluation.sample import Grade, Sample


def gaps_of(
    experiment: Experiment, questions: int, samples: Sequence[Sample], grades: Sequence[Grade]
) -> tuple[str, ...]:
    """One sentence per gap, with what to do; () where everything was answered, graded and scored."""
    wanted = questions * len(experiment.variants) * experiment.samples
    failed = sum(bool(sample.error) for sample in samples)
    graded = {grade.key for grade in grades}
    ungraded = sum(not sample.error and sample.key not in graded for sample in samples)
    unscored = sum(grade.right is None for grade in grades)
    found = (
        (
            wanted - len(samples),
            f"missing answers: {wanted - len(samples)} of {wanted}; walker eval run resumes",
        ),
        (failed, f"failed samples: {failed}; walker eval run retries them"),
        (ungraded, f"answers not graded yet: {ungraded}; run walker eval grade"),
        (unscored, f"unscored answers, neither right nor wrong: {unscored}; no grade could be parsed"),
    )
    return tuple(line for count, line in found if count > 0)
