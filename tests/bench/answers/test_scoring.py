"""What counts as a right answer of a walk."""

from __future__ import annotations

import pytest
from answers.scoring import is_right
from answers.walks import Ended

from tests.bench.answers.conftest import made_question


@pytest.mark.parametrize(
    ("answer", "said", "is_so"),
    [
        ("1.4 to 2.0", "1.4 to 2.0", True),
        ("1.4 to 2.0", "from Ferry 1.4 to Ferry 2.0", True),
        ("1.4 to 2.0", "from Ferry 2.0 to Ferry 1.4", False),
        ("1.4 to 2.0", "from Ferry 1.4", False),
        ("1.4 to 2.0", "from Ferry 11.4 to Ferry 2.0", False),
        ("Mole, 1931", "the Mole; built in 1931", True),
        ("1931", "in 1931", True),
    ],
)
def test_the_values_of_several_parts_count_in_their_order(answer: str, said: str, is_so: bool) -> None:
    assert is_right(made_question(kind="multi", answer=answer), Ended(id="q", answer=said)) is is_so


def test_values_of_a_single_part_stand_as_they_are_accepted() -> None:
    one = made_question(kind="single", answer="1.4 to 2.0")
    assert not is_right(one, Ended(id="q", answer="from Ferry 1.4 to Ferry 2.0"))


@pytest.mark.parametrize(
    ("said", "is_so"),
    [
        ("Ada (3, May); Bo (4, June); Cy (5, July)", True),
        ("Ada（3，May）、Bo（4，June）", True),
        ("Ada, Bo, Eve", True),
        ("Ada, Bo, Eve, Fay", False),
        ("Ada (Bo)", False),
    ],
)
def test_what_a_name_has_in_brackets_is_no_further_name(said: str, is_so: bool) -> None:
    asked = made_question(kind="quota", answer="Ada; Bo", items=["Ada", "Bo", "Cy"], n=2)
    assert is_right(asked, Ended(id="q", answer=said)) is is_so
