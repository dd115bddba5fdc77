from __future__ import annotations

import pytest

from traces.compare.difference import find_difference


@pytest.mark.parametrize(
    ("expected", "got", "told"),
    [
        ({"a": 1, "b": [1, 2]}, {"a": 1, "b": [1, 3]}, "b[1]: expected 2, got 3"),
        ({"a": {"b": None}}, {"a": {"b": 0}}, "a.b: expected None, got 0"),
        ({"a": 1}, {"a": 1, "c": 2}, "c: expected None, got 2"),
        ([1, 2], [1, 2, 3], ": expected 2 entries, got 3"),
        ({"a": "x" * 300}, {"a": "y"}, f"a: expected '{'x' * 158}…, got 'y'"),
        (
            {"a": "s" * 100 + "one"},
            {"a": "s" * 100 + "two"},
            f"a: expected …'{'s' * 24}one', got …'{'s' * 24}two'",
        ),
    ],
)
def test_the_first_difference_is_told_with_its_path(expected: object, got: object, told: str) -> None:
    assert str(find_difference(expected, got)) == told


def test_equal_values_do_not_differ() -> None:
    assert find_difference({"a": [1, {"b": 2}]}, {"a": [1, {"b": 2}]}) is None
