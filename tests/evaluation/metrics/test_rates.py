from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.metrics.rates import item_f1, mean, pass_at_k, plain, word_f1


@given(st.integers(1, 8).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n))))
def test_pass_at_k_is_the_share_of_draws_with_a_right_one(case: tuple[int, int, int]) -> None:
    samples, right, k = case
    draws = list(combinations([True] * right + [False] * (samples - right), k))
    assert pass_at_k(samples, right, k) == pytest.approx(mean(float(any(draw)) for draw in draws))


@pytest.mark.parametrize(("samples", "right", "k"), [(3, 1, 4), (3, 4, 1), (0, 0, 1), (3, 1, 0)])
def test_pass_at_k_is_not_defined_for_every_number(samples: int, right: int, k: int) -> None:
    with pytest.raises(ValueError, match="not defined"):
        pass_at_k(samples, right, k)


@pytest.mark.parametrize(
    ("answer", "accepted", "value"),
    [
        ("the tidal flume", ["tidal flume"], 1.0),
        ("Fredrik Lundh's project", ["Lundh"], 0.5),
        ("nothing", ["something"], 0.0),
        ("", ["something"], 0.0),
        ("1,000 bytes", ["1000 bytes"], 1.0),
        ("每年3900欧元", ["3900欧元"], 0.75),
        ("a b", ["c", "a b"], 1.0),
    ],
)
def test_word_f1_is_of_the_nearest_answer(answer: str, accepted: list[str], value: float) -> None:
    assert word_f1(answer, accepted) == pytest.approx(value)


def test_item_f1_wants_no_more_items_than_were_asked_for() -> None:
    assert item_f1(["Red", "blue"], ["red", "green", "blue"], 2) == 1.0
    assert item_f1(["red", "mauve"], ["red", "green", "blue"], 2) == pytest.approx(0.5)
    assert item_f1(["mauve"], ["red"], 1) == 0.0


def test_plain_folds_what_makes_no_difference() -> None:
    assert plain("  “Ｆｕｌｌ”  1,234,567 ") == "full 1234567"
    assert plain("1,23") == "1,23"


@given(st.integers(1, 9).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))))
def test_more_draws_are_never_worse(case: tuple[int, int]) -> None:
    samples, right = case
    rates = [pass_at_k(samples, right, k) for k in range(1, samples + 1)]
    assert rates == sorted(rates)
    assert rates[0] == pytest.approx(right / samples)
    assert rates[-1] == float(right > 0)


TEXTS = st.lists(st.sampled_from("red green blue 7 8.5 的".split()), max_size=5).map(" ".join)


@given(TEXTS, TEXTS, TEXTS)
def test_word_f1_is_even_handed_and_more_accepted_forms_never_lower_it(one: str, other: str, third: str) -> None:
    assert word_f1(one, [other]) == pytest.approx(word_f1(other, [one]))
    assert word_f1(one, [one]) == 1.0
    assert 0.0 <= word_f1(one, [other]) <= word_f1(one, [other, third]) <= 1.0


@given(st.sets(st.integers(0, 8)), st.sets(st.integers(0, 8), min_size=1))
def test_item_f1_is_that_of_sets(named: set[int], accepted: set[int]) -> None:
    shared = len(named & accepted)
    expected = 2 * shared / (len(named) + len(accepted)) if shared else 0.0
    assert item_f1([str(n) for n in named], [str(n) for n in accepted], len(accepted)) == pytest.approx(expected)
