"""Chances of lists by fitted weights."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from walker.strategies.builtin.answer_confidence import ANSWER_SIGNALS
from walker.strategies.builtin.list_chance import (
    BESIDE_SIGNALS,
    COUNT_SIGNALS,
    beside_signals,
    chance_beside,
    list_weights,
)
from walker.strategies.builtin.list_reading import NEAR_LIST_SIGNALS, READ_LIST_SIGNALS


def test_the_weights_of_the_package_are_of_known_signals_and_say_what_they_were_fitted_on() -> None:
    weights = list_weights()
    assert "questions" in weights.fitted_on
    for names, logistic in (
        (NEAR_LIST_SIGNALS, weights.near),
        (READ_LIST_SIGNALS, weights.read),
        (BESIDE_SIGNALS, weights.beside),
        (ANSWER_SIGNALS, weights.quota),
        (COUNT_SIGNALS, weights.count),
    ):
        assert logistic.weights.keys() <= set(names)


def test_what_must_speak_for_a_list_does() -> None:
    weights = list_weights()
    assert weights.read.weights["read"] > 0
    assert weights.near.weights["enough"] > 0
    assert weights.count.weights.get("asks_list", 0.0) >= 0
    assert weights.beside.weights["list"] > 0


@given(st.floats(0.01, 0.98), st.booleans(), st.booleans())
def test_a_likelier_list_is_likelier_beside_passages_too(chance: float, asks_list: bool, agrees: bool) -> None:
    more = chance_beside(chance + 0.01, asks_list=asks_list, agrees=agrees)
    assert chance_beside(chance, asks_list=asks_list, agrees=agrees) <= more
    assert len(beside_signals(chance, asks_list=asks_list, agrees=agrees)) == len(BESIDE_SIGNALS)
