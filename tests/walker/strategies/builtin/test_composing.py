"""The answer that is composed of those to the parts."""

from __future__ import annotations

import pytest

from walker.strategies.builtin.composing import compose, joint_confidence
from walker.strategies.question.question import read_question


@pytest.mark.parametrize(
    ("question", "found", "answer"),
    [
        ("How many more boats does Kiel have than Bremen?", ("9", "6"), "3"),
        ("Which is older, the Mantis or the Heron?", ("1997", "1985"), "the Heron"),
        ("Which version brought the earlier of two features, the audit or the log?", ("4.4.20", "4.4.10"), "4.4.10"),
        ("Is the Mantis longer than 15 metres?", ("18.4 metres",), "yes"),
        ("How long is the Mantis?", ("18.4 metres",), "18.4 metres"),
    ],
)
def test_parts_are_joined_by_code(question: str, found: tuple[str, ...], answer: str) -> None:
    assert compose(read_question(question), found).startswith(answer)


def test_what_cannot_be_computed_is_no_answer() -> None:
    question = read_question("How many more boats does Kiel have than Bremen?")
    assert compose(question, ("many", "6")) == ""
    assert compose(question, ("9", "")) == ""


def test_a_choice_of_two_may_be_right_by_chance_and_a_value_may_not() -> None:
    sure = (0.5, 0.6)
    choice = read_question("Which is longer, the flume or the basin?")
    value = read_question("Which version brought the earlier of two features, sails or oars?")
    computed = read_question("How many boats does Kiel have more than Bremen?")
    assert joint_confidence(choice, sure) > joint_confidence(value, sure) == pytest.approx(0.3)
    assert joint_confidence(computed, sure) == pytest.approx(0.3)
    assert joint_confidence(choice, (0.0, 0.9)) == 0, "where a part has no answer nothing is chosen"
    assert joint_confidence(choice, (1.0, 1.0)) == 1
