"""Several samples at a temperature: avg@k, pass@k and difficulty of a model whose chance of being right is drawn from a seed."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.dataset.files import load
from evaluation.metrics.slices import figures_of
from evaluation.sample import Grade
from tests.evaluation.experiment.drawn_answers import SAMPLES, DrawnModel, experiment, lighthouses
from tests.walker.cli.program import walker_here

CHANCES = {"Skerry": 0.0, "Holm": 0.3, "Vik": 0.6, "Ness": 1.0}
QUESTIONS = lighthouses(CHANCES)


async def drawn_answers(path: Path, seed: int) -> tuple[tuple[Grade, ...], DrawnModel]:
    drawn = DrawnModel(CHANCES, seed)
    return await experiment(path, QUESTIONS, drawn), drawn


@pytest.mark.parametrize("seed", [1, 7])
async def test_avg_and_pass_at_k_are_those_of_the_draws_to_the_digit(tmp_path: Path, seed: int) -> None:
    grades, drawn = await drawn_answers(tmp_path / "lights", seed)
    assert drawn.temperatures == {0.6}
    assert all(len(draws) == SAMPLES for draws in drawn.right.values())
    whole = figures_of(QUESTIONS, grades, ["direct"])[0]
    counts = drawn.counts
    assert 0 < sum(counts) < SAMPLES * len(QUESTIONS)
    assert whole.success.value == pytest.approx(drawn.average(), abs=1e-12)
    for k in range(1, SAMPLES + 1):
        assert whole.pass_at[k] == pytest.approx(drawn.pass_at(k), abs=1e-12)
    assert whole.pass_at[SAMPLES] == sum(right > 0 for right in counts) / len(counts)


async def test_difficulty_is_told_by_the_samples(tmp_path: Path) -> None:
    _, drawn = await drawn_answers(tmp_path / "lights", 1)
    done = walker_here("eval", "difficulty", "lights", "--by-pass", "8", "--out", "rated.jsonl", folder=tmp_path)
    hard = drawn.never_right()
    assert hard
    assert done.code == 0
    assert done.out == f"{len(hard)} hard and {4 - len(hard)} easy of 8 samples of direct: rated.jsonl\n"
    rated = load(tmp_path / "rated.jsonl").questions
    assert [one.id for one in rated if one.difficulty == "hard"] == hard
    many = walker_here("eval", "difficulty", "lights", "--by-pass", "9", "--out", "x.jsonl", folder=tmp_path)
    assert (many.code, "no question has so many scored samples" in many.line) == (2, True)
    other = walker_here("eval", "difficulty", "lights", "--variant", "all", "--out", "x.jsonl", folder=tmp_path)
    assert (other.code, 'has no variant "all"' in other.line) == (2, True)
