"""The names that an answer enumerates, and those that stand behind its number."""

from __future__ import annotations

import pytest

from memory.counting.answer_names import enumerated, names_in, names_told


@pytest.mark.parametrize(
    ("answer", "names"),
    [
        ("2 (Mantis; Squid)", ("Mantis", "Squid")),
        (" 1 (Mantis) ", ("Mantis",)),
        ("12 (Mantis; Squid; ...)", ()),
        ("2 (Mantis; and 1 more)", ()),
        ("3 (Mantis; Squid; Mantis)", ()),
        ("2 boats", ()),
    ],
)
def test_only_as_many_different_names_as_the_number_says_are_all_of_them(answer: str, names: tuple[str, ...]) -> None:
    assert names_told(answer) == names


@pytest.mark.parametrize("answer", ["Mantis, Squid and Ray", "1. Mantis 2. Squid 3. Ray", "Mantis、Squid；Ray"])
def test_names_are_enumerated_in_prose_in_a_numbered_list_and_in_chinese(answer: str) -> None:
    assert enumerated(answer) == ("Mantis", "Squid", "Ray")


def test_the_order_of_names_and_their_capitals_do_not_count() -> None:
    assert names_in("squid; Mantis") == names_in("Mantis and Squid")
