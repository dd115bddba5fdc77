from __future__ import annotations

from datetime import date, time, timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from walker.code.error_text import CODE_NAME, failure_of
from walker.code.value_text import EXACT, text_of


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        ("a\nb", "a\nb"),
        (True, "true"),
        (7, "7"),
        (7.0, "7"),
        (0.1 + 0.2, "0.3"),
        (1 / 3, "0.333333333333"),
        (float(EXACT - 1), str(EXACT - 1)),
        (float("inf"), "inf"),
        (Decimal("2.10"), "2.10"),
        (Decimal("NaN"), "NaN"),
        (date(2024, 3, 1), "2024-03-01"),
        (time(9, 40), "09:40:00"),
        (timedelta(days=2), "2 days, 0:00:00"),
        ([1, 2.0, "é"], '[1, 2, "é"]'),
        ({"b": (1, 2), 3: None}, '{"b": [1, 2], "3": null}'),
        ({3, 1, 2}, "[1, 2, 3]"),
    ],
)
def test_a_value_as_text(value: Any, text: str) -> None:
    assert text_of(value) == text


def test_what_is_no_value_is_refused_in_one_line() -> None:
    knot: list[Any] = []
    knot.append(knot)
    for value in (knot, object(), [print], 10**5000):
        with pytest.raises(ValueError, match=r"^[^\n]+$"):
            text_of(value)


@given(some.recursive(some.none() | some.booleans() | some.floats() | some.text(), some.lists))
def test_every_plain_value_has_a_text(value: Any) -> None:
    assert isinstance(text_of(value), str)


@pytest.mark.parametrize(
    ("code", "kind", "place"),
    [("x = (", "syntax", (1, 5)), ("y = 1\n1 / 0", "error", (2, 1)), ("import nothing_of_this_name", "module", (1, 1))],
)
def test_a_failure_has_its_kind_and_place(code: str, kind: str, place: tuple[int, int]) -> None:
    with pytest.raises((SyntaxError, ZeroDivisionError, ImportError)) as raised:
        exec(compile(code, CODE_NAME, "exec"), {})
    told = failure_of(raised.value)
    assert (told["kind"], (told["line"], told["column"])) == (kind, place)
    assert "\n" not in told["message"]
