"""The answer that is composed of those to the parts."""

from __future__ import annotations

import pytest

from walker.strategies.builtin.composing import compose
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
