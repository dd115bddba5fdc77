"""Chances by fitted weights."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walker.strategies.answers.answer_chance import (
    PASSAGE_SIGNALS,
    READ_PASSAGE_SIGNALS,
    READ_SPAN_SIGNALS,
    Logistic,
    answer_weights,
    chance_of,
    finding_score,
    log_odds_of,
    read_signal,
)
from walker.strategies.answers.extraction import SPAN_SIGNALS
from walker.strategies.builtin.answer_confidence import ANSWER_SIGNALS


def test_the_weights_of_the_package_are_of_known_signals_and_say_what_they_were_fitted_on() -> None:
    weights = answer_weights()
    assert "questions" in weights.fitted_on
    for names, logistic in (
        (SPAN_SIGNALS, weights.span),
        (PASSAGE_SIGNALS, weights.passage),
        (ANSWER_SIGNALS, weights.answer),
    ):
        assert logistic.weights.keys() <= set(names)


def test_what_must_speak_for_an_answer_does() -> None:
    weights = answer_weights()
    assert weights.passage.weights["own"] > 0
    assert weights.passage.weights["above"] > 0
    assert weights.passage.weights["meaning"] > 0
    assert weights.passage.weights["words"] > 0
    assert weights.passage.weights["asks"] < 0
    assert weights.answer.weights["left"] > 0


def test_what_is_read_has_weights_of_its_own_and_the_reader_speaks_for_an_answer() -> None:
    weights = answer_weights(read=True)
    assert weights.fitted_on != answer_weights().fitted_on
    for names, logistic in (
        (READ_SPAN_SIGNALS, weights.span),
        (READ_PASSAGE_SIGNALS, weights.passage),
        (ANSWER_SIGNALS, weights.answer),
    ):
        assert logistic.weights.keys() <= set(names)
    assert weights.span.weights["read"] > 0
    assert weights.passage.weights["read"] > 0
    assert weights.passage.weights["read_span"] > 0


def test_logarithms_of_the_reader_are_signals_between_the_others() -> None:
    assert [read_signal(log) for log in (-30.0, -5.0, 0.0, 30.0)] == [-1.0, -0.5, 0.0, 1.0]


@given(st.floats(0.001, 0.999))
def test_log_odds_and_chance_are_inverse(chance: float) -> None:
    assert chance_of(log_odds_of(chance)) == pytest.approx(chance)


@given(st.floats(0, 1), st.floats(0, 1))
def test_a_score_orders_as_the_chance_does(one: float, other: float) -> None:
    assert (finding_score(one) <= finding_score(other)) or one > other
    assert 0 <= finding_score(one) <= 1


def test_a_signal_without_a_weight_counts_nothing() -> None:
    logistic = Logistic(intercept=0.0, weights={"a": 2.0})
    assert logistic.chance(("a", "b"), (0.0, 9.0)) == 0.5
    assert logistic.log_odds(("a", "b"), (1.0, 9.0)) == 2.0
