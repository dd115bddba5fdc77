"""A model whose chance of being right is drawn from a seed, and what an experiment with it has to tell of the draws."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import comb
from pathlib import Path

from evaluation.dataset.question import Dataset, Question
from evaluation.experiment.folder import ExperimentFolder
from evaluation.experiment.run import ExperimentPlan, run_experiment
from evaluation.experiment.variants import read_variants
from evaluation.grading.grader import Graders, grade_samples
from evaluation.sample import Grade
from walker.settings import ModelSettings, Settings
from walker.testing.chat_server import Asked, Endpoint, Reply

SAMPLES, TEMPERATURE = 8, 0.6


def lighthouses(names: Iterable[str]) -> tuple[Question, ...]:
    """A question about each."""
    return tuple(
        Question(
            id=name, question=f"How high is the {name} lighthouse?", answers=("31 m",), root="https://bay.example/"
        )
        for name in names
    )


class DrawnModel:
    """Answers rightly with the chance of the lighthouse that is asked about, from a seed, and keeps the draws."""

    def __init__(self, chances: Mapping[str, float], seed: int) -> None:
        self._random, self._chances = random.Random(seed), chances
        self.right: dict[str, list[bool]] = {name: [] for name in chances}
        self.temperatures: set[object] = set()

    def reply(self, asked: Asked) -> Reply:
        """The answer to one request."""
        self.temperatures.add(asked.body.get("temperature"))
        name = next(name for name in self._chances if f"the {name} lighthouse" in asked.prompt)
        is_right = self._random.random() < self._chances[name]
        self.right[name].append(is_right)
        return Reply(text=f'{{"answer": "{31 if is_right else 13} m", "items": []}}')

    @property
    def counts(self) -> list[int]:
        """How often each was answered rightly."""
        return [sum(draws) for draws in self.right.values()]

    def average(self) -> float:
        """avg@k of the draws."""
        return float(Fraction(sum(self.counts), SAMPLES * len(self.counts)))

    def pass_at(self, k: int) -> float:
        """pass@k of the draws."""
        whole = sum(1 - Fraction(comb(SAMPLES - right, k), comb(SAMPLES, k)) for right in self.counts)
        return float(whole / len(self.counts))

    def never_right(self) -> list[str]:
        """Those never answered rightly."""
        return [name for name, draws in self.right.items() if not any(draws)]


async def experiment(path: Path, questions: tuple[Question, ...], drawn: DrawnModel) -> tuple[Grade, ...]:
    """Asks all questions of the model in an experiment of that folder, and grades the samples."""
    folder = ExperimentFolder(path)
    plan = ExperimentPlan(
        dataset=Dataset(name="lights", questions=questions),
        variants=read_variants(["direct"]),
        sites={},
        samples=SAMPLES,
        jobs=1,
    )
    async with Endpoint(drawn.reply) as endpoint:
        model = ModelSettings(name="test-model", base_url=endpoint.base_url, temperature=TEMPERATURE)
        await run_experiment(plan, folder, Settings(model=model))
    known = folder.read_answers()
    with contextlib.closing(folder.open_grades(known.samples)) as ledger:
        return await grade_samples(known.dataset, known.samples, ledger, Graders())
