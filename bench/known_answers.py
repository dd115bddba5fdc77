"""Prints whether measuring measures right: accuracy, avg@8 and pass@k of a model whose answers are drawn from a seed, at temperature
0.6; shares of calls by tool; and whether the public forms of questions about pictures are written back as they were read.

usage: python bench/known_answers.py [--published FOLDER]
FOLDER has published files in any of these forms, with their pictures; each is read, written as ours, and back.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
from figures import print_figure

from evaluation.dataset.conversion import convert
from evaluation.dataset.files import Loaded, load_placed, save
from evaluation.metrics.pass_difficulty import difficulty_by_pass
from evaluation.metrics.slices import figures_of
from evaluation.metrics.tools import tool_shares
from evaluation.sample import Sample
from tests.evaluation.dataset.test_public_forms import FILES, folder, without_path
from tests.evaluation.experiment.drawn_answers import SAMPLES, TEMPERATURE, DrawnModel, experiment, lighthouses
from walker.errors import UsageError

SEEDS = (1, 2, 3)
CHANCES = {f"L{step}": step / 11 for step in range(12)}
QUESTIONS = tuple(
    msgspec.structs.replace(question, domain=("coast", "island")[number % 2])
    for number, question in enumerate(lighthouses(CHANCES))
)
EXACT = 1e-12
TOOLS = ("open", "search", "picture search", "crop", "code")


async def measure(seed: int, place: Path) -> tuple[float, bool]:
    """How far the figures of an experiment are from those of its draws at most, and whether the hard questions are those that were
    never answered rightly."""
    drawn = DrawnModel(CHANCES, seed)
    grades = await experiment(place / f"seed-{seed}", QUESTIONS, drawn)
    found = figures_of(QUESTIONS, grades, ["direct"])[0]
    away = [abs(found.success.value - drawn.average())]
    away += [abs(found.pass_at[k] - drawn.pass_at(k)) for k in range(1, SAMPLES + 1)]
    told = difficulty_by_pass(grades, "direct", SAMPLES)
    hard = {name for name, difficulty in told.items() if difficulty == "hard"}
    asked_as_wanted = drawn.temperatures == {TEMPERATURE} and all(len(one) == SAMPLES for one in drawn.right.values())
    return max(away), hard == set(drawn.never_right()) and asked_as_wanted


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
    return sum(without_path(one) == without_path(other) for one, other in pairs)


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
