from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.metrics.resampling import bootstrap, compare, holm, rate_interval, sign_test


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40))
def test_an_interval_holds_its_mean_and_stays_within_the_values(values: list[float]) -> None:
    interval = bootstrap(values)
    assert min(values) - 1e-9 <= interval.low <= interval.value + 1e-9
    assert interval.value - 1e-9 <= interval.high <= max(values) + 1e-9


def test_a_bootstrap_interval_is_about_as_wide_as_theory_says() -> None:
    interval = bootstrap([1.0] * 50 + [0.0] * 50)
    assert interval.low == pytest.approx(0.5 - 1.96 * 0.05, abs=0.02)
    assert interval.high == pytest.approx(0.5 + 1.96 * 0.05, abs=0.02)


def test_more_questions_make_it_narrower_and_the_seed_decides_it() -> None:
    few, many = bootstrap([0.0, 1.0] * 10), bootstrap([0.0, 1.0] * 200)
    assert many.high - many.low < few.high - few.low
    assert bootstrap([0.0, 1.0] * 10) == few


def test_nothing_is_known_of_no_questions() -> None:
    assert (bootstrap([]).low, bootstrap([]).high, bootstrap([]).count) == (0.0, 1.0, 0)


def test_the_sign_test_is_exact() -> None:
    assert sign_test(0, 0) == 1.0
    assert sign_test(5, 0) == pytest.approx(2 / 32)
    assert sign_test(8, 2) == pytest.approx(2 * (1 + 10 + 45) / 1024)
    assert sign_test(3, 3) == 1.0


def test_a_comparison_is_paired_by_question() -> None:
    first = {"a": 1.0, "b": 1.0, "c": 1.0, "d": 0.0, "only here": 1.0}
    second = {"a": 0.0, "b": 0.0, "c": 1.0, "d": 1.0}
    comparison = compare(first, second)
    assert (comparison.better, comparison.worse, comparison.difference.count) == (2, 1, 4)
    assert comparison.difference.value == pytest.approx(0.25)
    assert comparison.p == sign_test(2, 1)


def test_shares_are_compared_by_sign_flips() -> None:
    first = {str(number): 0.75 for number in range(10)}
    second = {str(number): 0.5 for number in range(10)}
    assert compare(first, second).p == pytest.approx(2 / 1024)
    same = compare(first, first)
    assert (same.p, same.difference.value) == (1.0, 0.0)


def test_many_sign_flips_are_drawn() -> None:
    first = {str(number): 0.75 for number in range(40)}
    second = {str(number): 0.5 + 0.5 * (number % 2) for number in range(40)}
    assert compare(first, second).p > 0.5
    lower = {str(number): 0.5 for number in range(40)}
    assert compare(first, lower).p < 0.001


def test_holm_raises_every_p_and_keeps_their_order() -> None:
    better = {"a": {str(n): 1.0 for n in range(12)}, "b": {str(n): float(n < 6) for n in range(12)}}
    base = {str(n): 0.0 for n in range(12)}
    compared = {name: compare(values, base) for name, values in better.items()}
    adjusted = holm(compared)
    assert list(adjusted) == ["a", "b"]
    assert adjusted["a"].adjusted == pytest.approx(2 * compared["a"].p)
    assert adjusted["b"].adjusted >= adjusted["a"].adjusted
    assert adjusted["b"].adjusted == pytest.approx(compared["b"].p)


def test_where_all_are_right_the_interval_is_wilsons() -> None:
    all_right, all_wrong = rate_interval([1.0] * 5), rate_interval([0.0] * 5)
    assert (round(all_right.low, 3), all_right.high) == (0.566, 1.0)
    assert (all_wrong.low, round(all_wrong.high, 3)) == (0.0, 0.434)
    assert rate_interval([0.0, 1.0]) == bootstrap([0.0, 1.0])
