from __future__ import annotations

import pytest

from evaluation.ablation import ablate
from evaluation.dataset.question import Question
from evaluation.experiment.variants import EIGHT
from evaluation.sample import Grade
from evaluation.shapley import shapley_values
from walker.errors import UsageError

QUESTIONS = [
    Question(id=f"q{n}", question="?", answers=("x",), root="https://a.example/", language="zh" if n < 2 else "en")
    for n in range(6)
]


def graded(right: dict[str, set[int]]) -> list[Grade]:
    """A grade for each variant and question: right where it is listed."""
    return [
        Grade(question_id=f"q{n}", variant=name, right=n in numbers, f1=0.5 + 0.5 * (n in numbers))
        for name, numbers in right.items()
        for n in range(6)
    ]


RIGHT = {
    "baseline": {0},
    "counter": {0, 1},
    "stack": {0, 2, 3},
    "stack+counter": {0, 1, 2, 3},
    "vision": {0, 4},
    "vision+counter": {0, 1, 4},
    "vision+stack": {0, 2, 3, 4, 5},
    "all": {0, 1, 2, 3, 4, 5},
}


def test_values_are_those_of_the_means_in_every_slice() -> None:
    found = ablate(QUESTIONS, graded(RIGHT), EIGHT)
    assert [one.slice for one in found.slices] == ["all", "single", "zh", "en"]
    for one, inside in zip(found.slices, (range(6), range(6), range(2), range(2, 6)), strict=True):
        worth = {
            variant.modules: len(RIGHT[variant.name] & set(inside)) / len(inside)
            for variant in EIGHT
            if variant.modules is not None
        }
        expected = shapley_values(("vision", "stack", "counter"), worth)
        assert {module: value.value for module, value in one.values.items()} == pytest.approx(expected)
        assert one.worth["all"] == pytest.approx(worth[frozenset(("vision", "stack", "counter"))])


def test_the_counter_adds_one_question_and_its_interval_says_how_sure_that_is() -> None:
    whole = ablate(QUESTIONS, graded(RIGHT), EIGHT).slices[0]
    counter = whole.values["counter"]
    assert counter.value == pytest.approx(1 / 6)
    assert counter.low == 0.0 < counter.high


def test_a_question_that_some_variant_has_no_grade_of_is_left_out() -> None:
    grades = [grade for grade in graded(RIGHT) if (grade.variant, grade.question_id) != ("stack", "q5")]
    grades = [
        Grade(question_id=grade.question_id, variant=grade.variant, right=None)
        if (grade.variant, grade.question_id) == ("all", "q4")
        else grade
        for grade in grades
    ]
    found = ablate(QUESTIONS, grades, EIGHT)
    assert (found.left_out, found.left_out_on, found.slices[0].questions) == (2, ("q4", "q5"), 4)


def test_f1_can_be_divided_too() -> None:
    found = ablate(QUESTIONS, graded(RIGHT), EIGHT, measure="f1")
    assert found.slices[0].values["counter"].value == pytest.approx(0.5 / 6)


def test_fewer_modules_need_fewer_walks() -> None:
    found = ablate(QUESTIONS, graded(RIGHT), EIGHT[:4], modules=("stack", "counter"))
    assert found.modules == ("stack", "counter")
    assert set(found.slices[0].worth) == {"baseline", "counter", "stack", "stack+counter"}


def test_walks_that_were_not_run_are_named() -> None:
    with pytest.raises(UsageError, match=r"not run: baseline, vision\+stack\+counter"):
        ablate(QUESTIONS, graded(RIGHT), EIGHT[1:-1])
    with pytest.raises(UsageError, match="no question was graded for every variant"):
        ablate(QUESTIONS, [], EIGHT)
