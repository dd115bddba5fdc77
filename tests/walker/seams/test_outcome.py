"""An answer that is not sure enough is no answer."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memory.findings import Citation
from walker.seams.outcome import Outcome, StopReason


def outcome(answer: str, confidence: float) -> Outcome:
    return Outcome(
        question="How long is it?",
        answer=answer,
        items=("a",),
        confidence=confidence,
        citations=(Citation(url="http://reef.example/", quote="It is long."),),
        stop_reason=StopReason.EXHAUSTED,
        pages=1,
        steps=1,
        count={},
    )


@given(st.floats(0, 1), st.floats(0, 1))
def test_it_is_given_from_the_threshold_on_and_else_the_nearest(confidence: float, sure: float) -> None:
    kept = outcome("18.4 metres", confidence).kept_to(sure)
    assert kept.answered == (confidence >= sure)
    assert kept.answer == ("18.4 metres" if kept.answered else "")
    assert kept.nearest == ("" if kept.answered else "18.4 metres")
    assert kept.items == (("a",) if kept.answered else ())
    assert kept.citations, "where the nearest stands is told too"


def test_nothing_found_is_no_answer_however_low_the_threshold() -> None:
    assert not outcome(" ", 0.9).kept_to(0.0).answered
