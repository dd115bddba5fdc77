from __future__ import annotations

from traces.events import EdgeCall, MoveTaken
from traces.recorded_calls import RecordedCalls


def called(fingerprint: str, occurrence: int = 0, outcome: object = None) -> EdgeCall:
    return EdgeCall(
        step=1,
        seam="browser",
        method="open",
        fingerprint=fingerprint,
        occurrence=occurrence,
        request={},
        outcome=outcome,
    )


def test_answers_are_found_in_any_order_by_occurrence() -> None:
    first, second, other = called("a", 0, "one"), called("a", 1, "two"), called("b", 0, "three")
    recorded_calls = RecordedCalls([first, MoveTaken(step=1, move="Pop", url="", reason=""), second, other])
    assert recorded_calls.take("browser", "open", "b", 0) == other
    assert recorded_calls.take("browser", "open", "a", 1) == second
    assert recorded_calls.take("browser", "open", "a", 0) == first
    assert recorded_calls.used == 3
    assert recorded_calls.next_unused() is None


def test_what_was_not_asked_is_not_answered_and_the_next_expected_is_named() -> None:
    recorded_calls = RecordedCalls([called("a"), called("b")])
    assert recorded_calls.take("browser", "open", "c", 0) is None
    assert recorded_calls.take("browser", "act", "a", 0) is None
    assert recorded_calls.take("browser", "open", "a", 1) is None
    recorded_calls.take("browser", "open", "a", 0)
    assert recorded_calls.next_unused() == called("b")


def test_an_answer_tried_again_replaces_the_failed_one() -> None:
    failed = EdgeCall(step=1, seam="browser", method="open", fingerprint="a", occurrence=0, request={}, error="E: x")
    assert RecordedCalls([failed, called("a", 0, "page")]).take("browser", "open", "a", 0) == called("a", 0, "page")
