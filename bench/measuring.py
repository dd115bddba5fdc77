"""Prints how long it takes to grade, take apart and report an experiment of the size of the paper's: 680 questions, 8 walks.

usage: python bench/measuring.py
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import sys
import tempfile
import time
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).parent))
from figures import print_figure

from evaluation.building.balancing import PAPER
from evaluation.dataset.question import Dataset, Question
from evaluation.experiment.folder import ExperimentFolder
from evaluation.experiment.variants import EIGHT
from evaluation.grading.grader import Graders, grade_samples
from evaluation.report.make import ablate_folder, make_report
from evaluation.sample import Sample
from evaluation.shapley import coalitions, shapley_values
from walker.settings import Settings


def main() -> None:
    """Make up an experiment, and time each step."""
    chance = random.Random(1)
    questions = tuple(
        Question(id=f"{kind}-{difficulty}-{number}", question=f"What is figure {number}?", answers=(str(number),),
                 root="https://a.example/", kind=kind, difficulty=difficulty, domain=chance.choice(("education", "game")),
                 language=chance.choice(("en", "zh")))
        for (kind, difficulty), count in PAPER.items() for number in range(count)
    )  # fmt: skip
    with tempfile.TemporaryDirectory() as place:
        folder = ExperimentFolder(Path(place))
        folder.begin(Dataset(name="made-up", questions=questions), EIGHT, Settings(), 1)
        samples = [
            Sample(question_id=q.id, variant=v.name, answer=q.reference if chance.random() < 0.6 else "I cannot find it", pages=9)
            for q in questions for v in EIGHT
        ]  # fmt: skip
        folder.samples_file.write_bytes(b"".join(msgspec.json.encode(sample) + b"\n" for sample in samples))
        began = time.monotonic()
        known = folder.read_answers()
        with contextlib.closing(folder.open_grades(known.samples)) as grades:
            asyncio.run(grade_samples(known.dataset, known.samples, grades, Graders()))
        _told("grade 5,440 answers by match", time.monotonic() - began, 60)
        began = time.monotonic()
        ablate_folder(folder)
        _told("ablate 680 questions", time.monotonic() - began, 30)
        began = time.monotonic()
        make_report(folder)
        _told("report 5,440 answers", time.monotonic() - began, 60)
        size = folder.report_file.stat().st_size / 1e6
        print_figure("report page of 5,440 answers", round(size, 1), "MB", "<= 15", size <= 15)
    modules = [f"m{number}" for number in range(12)]
    worth = {coalition: chance.random() for coalition in coalitions(modules)}
    began = time.monotonic()
    shapley_values(modules, worth)
    _told("Shapley values of 12 modules", time.monotonic() - began, 5)


def _told(name: str, seconds: float, most: float) -> None:
    print_figure(name, round(seconds, 2), "s", f"<= {most}", seconds <= most)


if __name__ == "__main__":
    main()
