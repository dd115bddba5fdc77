from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.grading.agreement import agreements, cohen_kappa
from evaluation.sample import Grade


def test_kappa_of_the_textbook() -> None:
    """20 both yes, 5 and 10 apart, 15 both no: observed 0.7, by chance 0.5."""
    first = [True] * 25 + [False] * 25
    second = [True] * 20 + [False] * 5 + [True] * 10 + [False] * 15
    assert cohen_kappa(first, second) == pytest.approx(0.4)


@given(st.lists(st.booleans(), min_size=2, max_size=30).filter(lambda votes: 0 < sum(votes) < len(votes)))
def test_a_judge_agrees_with_itself_and_opposes_its_opposite(votes: list[bool]) -> None:
    assert cohen_kappa(votes, votes) == pytest.approx(1.0)
    kappa = cohen_kappa(votes, [not vote for vote in votes])
    assert kappa is not None
    assert kappa < 0


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=30))
def test_kappa_is_even_handed_and_what_its_definition_says(votes: list[tuple[bool, bool]]) -> None:
    first, second = [vote[0] for vote in votes], [vote[1] for vote in votes]
    kappa = cohen_kappa(first, second)
    assert kappa == cohen_kappa(second, first)
    count = len(votes)
    observed = sum(one == other for one, other in votes) / count
    by_chance = sum(first.count(vote) * second.count(vote) for vote in (True, False)) / count**2
    if kappa is None:
        assert by_chance == 1
    else:
        assert kappa == pytest.approx((observed - by_chance) / (1 - by_chance))
        assert -1.0 <= kappa <= observed + 1e-12


def test_kappa_is_not_defined_where_all_say_one_thing() -> None:
    assert cohen_kappa([True, True], [True, True]) is None
    assert cohen_kappa([], []) is None
    with pytest.raises(ValueError, match="beside"):
        cohen_kappa([True], [])


def test_an_unscored_vote_is_no_disagreement() -> None:
    votes: list[dict[str, bool | None]] = [
        {"a": True, "b": True},
        {"a": False, "b": False},
        {"a": None, "b": True},
        {"a": True},
    ]
    grades = [Grade(question_id=str(n), variant="all", right=True, votes=vote) for n, vote in enumerate(votes)]
    (found,) = agreements(grades)
    assert (found.samples, found.observed, found.kappa) == (2, 1.0, 1.0)
