"""Prints whether measuring measures right: accuracy, avg@8 and pass@k of a model whose answers are drawn from a seed, at temperature
0.6; shares of calls by tool; and whether the public forms of questions about pictures are written back as they were read.

usage: python bench/known_answers.py [--published FOLDER]
FOLDER has published files in any of these forms, with their pictures; each is read, written as ours, and back.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import random
import sys
import tempfile
from collections.abc import Sequence
from fractions import Fraction
from math import comb
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
from figures import print_figure

from evaluation.dataset.conversion import convert
from evaluation.dataset.files import Loaded, load_placed, save
from evaluation.dataset.question import Dataset, Question
from evaluation.experiment.folder import ExperimentFolder
from evaluation.experiment.run import ExperimentPlan, run_experiment
from evaluation.experiment.variants import read_variants
from evaluation.grading.grader import Graders, grade_samples
from evaluation.metrics.pass_difficulty import difficulty_by_pass
from evaluation.metrics.slices import figures_of
from evaluation.metrics.tools import tool_shares
from evaluation.sample import Sample
from tests.evaluation.dataset.test_public_forms import FILES, folder
from walker.errors import UsageError
from walker.settings import ModelSettings, Settings
from walker.testing.chat_server import Asked, Endpoint, Reply

SAMPLES, SEEDS, TEMPERATURE = 8, (1, 2, 3), 0.6
CHANCES = [step / 11 for step in range(12)]
QUESTIONS = tuple(
    Question(
        id=f"l{number}",
        question=f"How high is the lighthouse number {number + 100}?",
        answers=("31 m",),
        root="https://bay.example/",
        domain=("coast", "island")[number % 2],
    )
    for number in range(len(CHANCES))
)
EXACT = 1e-12
TOOLS = ("open", "search", "picture search", "crop", "code")


class DrawnModel:
    """Answers rightly with the chance of the lighthouse that is asked about, and keeps what it drew."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self.right: dict[str, list[bool]] = {question.id: [] for question in QUESTIONS}
        self.temperatures: set[object] = set()

    def reply(self, asked: Asked) -> Reply:
        """The answer to one request."""
        self.temperatures.add(asked.body.get("temperature"))
        number = next(n for n in range(len(CHANCES)) if f"number {n + 100}" in asked.prompt)
        is_right = self._random.random() < CHANCES[number]
        self.right[f"l{number}"].append(is_right)
        return Reply(text=f'{{"answer": "{31 if is_right else 13} m", "items": []}}')


async def measure(seed: int, place: Path) -> tuple[float, bool]:
    """How far the figures of an experiment are from those of its draws at most, and whether the hard questions are those that were
    never answered rightly."""
    experiment, drawn = ExperimentFolder(place / f"seed-{seed}"), DrawnModel(seed)
    plan = ExperimentPlan(
        dataset=Dataset(name="lights", questions=QUESTIONS),
        variants=read_variants(["direct"]),
        sites={},
        samples=SAMPLES,
        jobs=1,
    )
    async with Endpoint(drawn.reply) as endpoint:
        model = ModelSettings(name="test-model", base_url=endpoint.base_url, temperature=TEMPERATURE)
        await run_experiment(plan, experiment, Settings(model=model))
    known = experiment.read_answers()
    with contextlib.closing(experiment.open_grades(known.samples)) as ledger:
        grades = await grade_samples(known.dataset, known.samples, ledger, Graders())
    found = figures_of(QUESTIONS, grades, ["direct"])[0]
    counts = [sum(draws) for draws in drawn.right.values()]
    away = [abs(found.success.value - float(Fraction(sum(counts), SAMPLES * len(counts))))]
    for k in range(1, SAMPLES + 1):
        wanted = sum(1 - Fraction(comb(SAMPLES - right, k), comb(SAMPLES, k)) for right in counts) / len(counts)
        away.append(abs(found.pass_at[k] - float(wanted)))
    told = difficulty_by_pass(grades, "direct", SAMPLES)
    never = {name for name, draws in drawn.right.items() if not any(draws)}
    hard = {name for name, difficulty in told.items() if difficulty == "hard"}
    asked_as_wanted = drawn.temperatures == {TEMPERATURE} and all(len(one) == SAMPLES for one in drawn.right.values())
    return max(away), hard == never and asked_as_wanted


def print_samples() -> None:
    """Accuracy, avg@8, pass@1 to pass@8 and difficulty of some seeds."""
    with tempfile.TemporaryDirectory() as place:
        told = [asyncio.run(measure(seed, Path(place))) for seed in SEEDS]
    worst = max(away for away, _ in told)
    print_figure(
        "accuracy, avg@8 and pass@1 to pass@8: farthest from the draws", worst, "", f"<= {EXACT}", worst <= EXACT
    )
    right = sum(is_right for _, is_right in told)
    print_figure(
        "hard are those never right in 8 samples at 0.6", f"{right} of {len(told)}", "seeds", "all", right == len(told)
    )


def print_shares() -> None:
    """Whether shares of calls by tool add up to 1 in each slice."""
    chance = random.Random(1)
    samples = [
        Sample(question_id=question.id, variant=variant, tools={tool: chance.randrange(9) for tool in TOOLS})
        for question in QUESTIONS
        for variant in ("direct", "agentic")
    ]
    found = tool_shares(QUESTIONS, samples, ("direct", "agentic"))
    worst = max(abs(sum(one.shares.values()) - 1) for one in found)
    print_figure(
        f"shares of calls by tool in {len(found)} slices: sum farthest from 1", worst, "", f"<= {EXACT}", worst <= EXACT
    )


def print_forms(files: Sequence[Path]) -> None:
    """Whether each file is what it was after it was written as ours and read again."""
    for path in files:
        loaded = load_placed(path)
        same = _is_kept(loaded, path)
        total = len(loaded.dataset.questions)
        print_figure(
            f"{path.name}: read as {loaded.form}, and back", f"{same} of {total}", "records", "all", same == total > 0
        )


def _is_kept(loaded: Loaded, path: Path) -> int:
    """How many questions come back as they were."""
    ours = path.with_name(f"{path.stem}.ours.jsonl")
    back = path.with_name(f"{path.stem}.back{'.csv' if loaded.form == 'evqa' else '.jsonl'}")
    save(ours, loaded.dataset.questions)
    again = load_placed(ours)
    if convert(again, loaded.form, {}).lost:
        return 0
    save(back, again.dataset.questions, loaded.form)
    pairs = zip(loaded.dataset.questions, load_placed(back).dataset.questions, strict=True)
    return sum(_without_path(one) == _without_path(other) for one, other in pairs)


def _without_path(question: Question) -> Question:
    return msgspec.structs.replace(question, picture=Path(question.picture).name)


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--published", type=Path)
    options = parser.parse_args()
    print_samples()
    print_shares()
    with tempfile.TemporaryDirectory() as place:
        here = folder(Path(place))
        print_forms([here / name for name in FILES])
    if options.published is None:
        sys.stderr.write("left out: published files themselves (--published FOLDER)\n")
        return
    for path in sorted(options.published.iterdir()):
        if path.suffix in (".jsonl", ".json", ".csv", ".tsv") and not path.stem.endswith((".ours", ".back")):
            try:
                print_forms([path])
            except UsageError as error:
                print_figure(f"{path.name}: read and back", str(error)[:120], "records", "all", ok=False)


if __name__ == "__main__":
    main()
