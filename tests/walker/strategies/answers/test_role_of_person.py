"""A reader's span of a person: the name without the role before it."""

from __future__ import annotations

import pytest

from walker.strategies.answers.extraction import _without_role


@pytest.mark.parametrize(
    ("span", "name"),
    [
        ("engineer Maren Holt", "Maren Holt"),
        ("the chief engineer, Maren Holt", "Maren Holt"),
        ("van Gogh", "van Gogh"),
        ("Maren Holt", "Maren Holt"),
        ("the founders", "the founders"),
    ],
)
def test_a_role_is_no_part_of_a_name(span: str, name: str) -> None:
    text = f"Built by {span} in 1870."
    start, end = _without_role(text, (9, 9 + len(span)))
    assert text[start:end] == name
