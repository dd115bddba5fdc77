from __future__ import annotations

import pytest

from traces.compare.matching import Certificate, Rung, grade


@pytest.mark.parametrize(
    ("recorded", "asked", "rung"),
    [
        ({"a": 1}, {"a": 1}, "exact"),
        ({"text": "The quick brown fox jumps."}, {"text": "The quick brown fox jumped."}, "minor"),
        ({"text": "The quick brown fox jumps."}, {"text": "Something else altogether"}, "major"),
        ({"n": 100}, {"n": 101}, "minor"),
        ({"n": 100}, {"n": 1}, "major"),
        ({"a": [1, 2]}, {"a": [1]}, "major"),
        ({"a": True}, {"a": False}, "major"),
        ({"a": 1}, {}, "major"),
    ],
)
def test_a_request_is_graded_by_the_field_that_differs_most(recorded: object, asked: object, rung: Rung) -> None:
    assert grade(recorded, asked)[0] == rung


def test_one_letter_of_a_long_text_is_not_exact() -> None:
    rung, distance = grade({"a": "x" * 100_000 + "y"}, {"a": "x" * 100_000 + "z"})
    assert rung == "minor"
    assert 0 <= distance < 0.001


def test_a_certificate_reads_as_a_line() -> None:
    assert str(Certificate(exact=3, unrecorded=1)) == "3 exact, 0 minor, 0 major, 1 not in the recording"
