from __future__ import annotations

import pytest

from evaluation.dataset.question import Question
from evaluation.metrics.costs import costs_of
from evaluation.metrics.slices import comparisons_with, figures_of, slice_names, slices_of
from evaluation.sample import Grade, Sample
from walker.seams.outcome import Usage


def question(number: int, **more: object) -> Question:
    said = {"id": f"q{number}", "question": "?", "answers": ("x",), "root": "https://a.example/"}
    return Question(**(said | {"kind": "single", "language": "en"} | more))  # type: ignore[arg-type]


def grade(number: int, right: bool | None, *, variant: str = "all", sample: int = 1, **more: object) -> Grade:
    return Grade(question_id=f"q{number}", variant=variant, number=sample, right=right, **more)  # type: ignore[arg-type]


def test_a_question_is_in_every_slice_that_it_is_of() -> None:
    one = question(1, kind="multi", difficulty="hard", domain="game", modality="picture")
    assert slices_of(one) == ("all", "multi", "game", "en", "hard", "multi hard", "picture")
    assert slice_names([question(1), question(2, language="zh")]) == ("all", "single", "en", "zh")


def test_figures_are_of_one_variant_and_one_slice() -> None:
    questions = [question(1), question(2), question(3, language="zh")]
    grades = [grade(1, True, f1=1.0, cited=True), grade(2, False, error_class="refusal"), grade(3, True, f1=0.5)]
    figures = {(one.variant, one.slice): one for one in figures_of(questions, grades, ["all", "none"])}
    assert figures["all", "all"].success.value == pytest.approx(2 / 3)
    assert figures["all", "zh"].success.value == 1.0
    assert figures["all", "en"].f1.value == pytest.approx(0.5)
    assert figures["all", "en"].cited == pytest.approx(0.5)
    assert figures["all", "all"].errors == {"refusal": 1}
    assert figures["none", "all"].questions == 0


def test_an_unscored_sample_is_not_wrong() -> None:
    (figures,) = figures_of([question(1), question(2)], [grade(1, True), grade(2, None)], ["all"])[:1]
    assert (figures.success.value, figures.success.count, figures.unscored, figures.errors) == (1.0, 1, 1, {})


def test_several_samples_give_avg_and_pass_at_k() -> None:
    grades = [grade(1, True), grade(1, False, sample=2), grade(2, False), grade(2, False, sample=2)]
    (figures,) = figures_of([question(1), question(2)], grades, ["all"])[:1]
    assert figures.success.value == pytest.approx(0.25)
    assert figures.pass_at == {1: pytest.approx(0.25), 2: pytest.approx(0.5)}
    assert figures.errors == {"unclassified": 3}


def test_pass_at_k_goes_as_far_as_every_question_has_samples() -> None:
    grades = [grade(1, True), grade(1, False, sample=2), grade(2, False)]
    (figures,) = figures_of([question(1), question(2)], grades, ["all"])[:1]
    assert list(figures.pass_at) == [1]


def test_variants_are_compared_with_the_baseline() -> None:
    grades = [grade(n, n > 2, variant="none") for n in range(10)] + [grade(n, True, variant="all") for n in range(10)]
    compared = comparisons_with("none", grades, ["none", "all"])
    assert list(compared) == ["all"]
    assert compared["all"].difference.value == pytest.approx(0.3)
    assert (compared["all"].better, compared["all"].worse) == (3, 0)
    few = comparisons_with("none", grades, ["none", "all"], within=frozenset({"q1", "q5"}))
    assert few["all"].difference.count == 2


def test_costs_are_a_sample_and_a_right_answer() -> None:
    usage = Usage(total_tokens=100, seconds=2.0, model_calls=3, vision_calls=1)
    samples = [
        Sample(question_id="q1", variant="all", pages=4, looks=1, usage=usage, money=0.5),
        Sample(question_id="q2", variant="all", pages=6, looks=0, usage=usage, money=0.25),
        Sample(question_id="q3", variant="all", error="no browser"),
        Sample(question_id="q1", variant="none", pages=100),
    ]
    costs = costs_of(samples, [grade(1, True), grade(2, False), grade(1, True, variant="none")], "all")
    assert (costs.pages, costs.tokens, costs.calls, costs.failed) == (5.0, 100.0, 3.0, 1)  # looks by OCR are no calls
    assert (costs.pages_a_right_answer, costs.looked) == (10.0, 0.1)
    assert (costs.money, costs.money_a_right_answer) == (0.375, 0.75)
    assert costs_of(samples, [], "none").money is None
    assert costs_of(samples, [], "none").pages_a_right_answer is None
