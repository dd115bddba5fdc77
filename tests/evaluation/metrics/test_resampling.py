from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.metrics.resampling import Comparison, Interval, bootstrap, compare, holm, rate_interval, sign_test


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


@given(st.integers(1, 12), st.floats(0, 1))
def test_where_all_are_alike_the_interval_is_wilsons_and_holds_the_value(count: int, value: float) -> None:
    interval = rate_interval([value] * count)
    assert 0.0 <= interval.low <= value + 1e-9
    assert value - 1e-9 <= interval.high <= 1.0
    assert interval.high - interval.low > 0.1
    z_squared = 1.959964**2
    for end in (interval.low, interval.high):  # where Wilson's ends lie: (p - end)^2 = z^2 end (1 - end) / n
        if 0.0 < end < 1.0:
            assert (value - end) ** 2 == pytest.approx(z_squared * end * (1 - end) / count, abs=1e-9)


@given(st.integers(0, 7), st.integers(0, 7))
def test_the_sign_test_is_the_share_of_all_coin_throws_as_uneven(better: int, worse: int) -> None:
    throws = list(product((1, -1), repeat=better + worse))
    as_uneven = sum(abs(sum(throw)) >= abs(better - worse) for throw in throws)
    assert sign_test(better, worse) == pytest.approx(as_uneven / len(throws))
    assert sign_test(better, worse) == sign_test(worse, better)


@settings(max_examples=40)
@given(st.lists(st.tuples(st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.sampled_from([0.0, 0.5, 0.75])), max_size=7))
def test_a_comparison_is_the_share_of_all_swaps_and_the_same_from_either_side(pairs: list[tuple[float, float]]) -> None:
    first = {str(number): pair[0] for number, pair in enumerate(pairs)}
    second = {str(number): pair[1] for number, pair in enumerate(pairs)}
    one, other = compare(first, second), compare(second, first)
    assert (one.p, one.better, one.worse) == (other.p, other.worse, other.better)
    assert one.difference.value == pytest.approx(-other.difference.value)
    differences = [a - b for a, b in pairs]
    if set(map(abs, differences)) <= {0.0, 1.0}:
        assert one.p == sign_test(one.better, one.worse)
    else:
        sums = [
            abs(sum(s * d for s, d in zip(signs, differences, strict=True)))
            for signs in product((1, -1), repeat=len(pairs))
        ]
        assert one.p == pytest.approx(sum(total >= abs(sum(differences)) - 1e-9 for total in sums) / len(sums))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_is_the_step_down_of_its_definition(ps: list[float]) -> None:
    nothing = Interval(value=0, low=0, high=0, count=1)
    compared = {str(n): Comparison(difference=nothing, better=0, worse=0, p=p) for n, p in enumerate(ps)}
    adjusted = [one.adjusted for one in holm(compared).values()]
    for p, found in zip(ps, adjusted, strict=True):
        steps = [min(1.0, q * sum(other >= q for other in ps)) for q in ps if q <= p]
        assert found == pytest.approx(max(steps))
        assert p <= found <= 1.0


@settings(max_examples=20)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=20), st.floats(0.1, 2), st.floats(-1, 1))
def test_a_bootstrap_moves_and_grows_with_its_values(values: list[float], factor: float, shift: float) -> None:
    plain, moved = bootstrap(values), bootstrap([factor * value + shift for value in values])
    assert moved.low == pytest.approx(factor * plain.low + shift, abs=1e-9)
    assert moved.high == pytest.approx(factor * plain.high + shift, abs=1e-9)
