from __future__ import annotations

import pytest

from walker.walk.checked_sums import StatedSum, stated_sums


@pytest.mark.parametrize(
    ("answer", "code", "result"),
    [
        ("12 + 22.5 = 35", "12 + 22.5", "35"),
        ("12 EUR + 22.50 EUR = 35 EUR", "12 + 22.50", "35"),
        ("€12 + €22.5 = €34.5", "12 + 22.5", "34.5"),
        ("The mean is (12 + 22.5) / 2 = 17.25 EUR.", "(12 + 22.5) / 2", "17.25"),
        ("2,000,000 − 765,433 = 1,234,567", "2000000 - 765433", "1,234,567"),
        ("200 km / 2.5 h = 80", "200 / 2.5", "80"),
        ("18 × 007 = 126", "18 * 7", "126"),
        ("票价 12 元 + 8 元 = 20 元", "12 + 8", "20"),
    ],
)
def test_a_computation_that_is_spelled_out_is_code(answer: str, code: str, result: str) -> None:
    assert stated_sums(answer) == (StatedSum(code=code, result=result),)


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "34.5 EUR",
        "3 fees (12 + 9 + 14)",
        "3 km + 500 m = 3.5 km",
        "open 9-17",
        "version 1.2 = stable",
        "2021-05-03 = a Monday",
        "12 + 22.5) = 35",
        "1.234,50 + 1 = 1.235,50",
        "3 / 8 = 37.5 %",
    ],
)
def test_what_is_no_plain_computation_is_left_alone(answer: str) -> None:
    assert stated_sums(answer) == ()


@pytest.mark.parametrize(
    ("result", "value", "right"),
    [
        ("35", "34.5", ""),
        ("35", "34.4", "34.4"),
        ("34.5", "34.5", ""),
        ("17.2", "17.25", ""),
        ("1,234,568", "1234567", "1,234,567"),
        ("100", "1000", "1000"),
        ("5", "not a number", ""),
        ("5", "", ""),
    ],
)
def test_a_result_is_corrected_where_rounding_does_not_explain_it(result: str, value: str, right: str) -> None:
    assert StatedSum(code="", result=result).corrected(value) == right
