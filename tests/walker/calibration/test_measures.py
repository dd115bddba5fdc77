from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from walker.calibration.measures import area_under_curve, calibration_error, resampled, roc

SCORED = st.lists(st.tuples(st.integers(0, 5).map(float), st.booleans()), min_size=2, max_size=40)


def test_the_area_by_hand() -> None:
    assert area_under_curve([3, 2, 1, 0], [True, True, False, False]) == 1
    assert area_under_curve([0, 1, 2, 3], [True, True, False, False]) == 0
    assert area_under_curve([1, 1], [True, False]) == 0.5
    assert area_under_curve([0.9, 0.4, 0.4, 0.1], [True, False, True, False]) == 0.875
    assert math.isnan(area_under_curve([1, 2], [True, True]))


@given(SCORED)
def test_the_area_is_the_share_of_pairs_in_order(scored: list[tuple[float, bool]]) -> None:
    scores, needed = [score for score, _ in scored], [need for _, need in scored]
    pairs = [
        (one > other) + 0.5 * (one == other) for one, first in scored if first for other, second in scored if not second
    ]
    area = area_under_curve(scores, needed)
    assert math.isnan(area) if not pairs else area == pytest.approx(sum(pairs) / len(pairs))


@given(SCORED)
def test_the_curve_only_rises_from_nothing_to_everything(scored: list[tuple[float, bool]]) -> None:
    points = roc([score for score, _ in scored], [need for _, need in scored])
    assert (points[0].found, points[0].wasted) == (0, 0)
    assert all(one.found <= other.found and one.wasted <= other.wasted for one, other in pairwise(points))
    assert points[-1].found == float(any(need for _, need in scored))


def test_whole_groups_are_drawn() -> None:
    drawn: list[np.ndarray] = []
    interval = resampled(["a", "a", "b"], lambda rows: drawn.append(rows) or float(len(rows)), times=50)  # type: ignore[func-returns-value]
    assert interval.value == 3
    assert all(np.count_nonzero(rows == 0) == np.count_nonzero(rows == 1) for rows in drawn)
    assert interval.low <= 3 <= interval.high


def test_a_chance_that_comes_true_as_often_as_it_says_has_no_error() -> None:
    assert calibration_error([0.25] * 4, [True, False, False, False]) == 0
    assert calibration_error([0.9] * 2, [False, False]) == pytest.approx(0.9)
