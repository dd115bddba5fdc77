"""Two things asked at once seldom have one answer."""

from __future__ import annotations

import msgspec
import pytest

from memory.findings import Finding
from walker.strategies.joining.side_by_side import said_of_other, two_answers
from walker.strategies.question.question import Part


def found(text: str, part: int, score: float) -> Finding:
    return Finding(text=text, quote=text, url="http://site.invalid/", step=1, score=score, part=part)


def told(*findings: Finding) -> list[str]:
    best = [max((one for one in findings if one.part == part), key=lambda one: one.score) for part in (0, 1)]
    return [one.text if one is not None else "" for one in two_answers(best, findings)]


def test_the_next_answer_stands_where_both_would_be_the_same() -> None:
    first, second = found("2.27", 0, 0.9), found("2.27", 1, 0.98)
    assert told(first, second, found("2.26", 0, 0.88), found("2.25", 1, 0.5)) == ["2.26", "2.27"]


def test_one_value_may_answer_both_where_no_other_is_nearly_as_likely() -> None:
    assert told(found("Mara", 0, 0.98), found("Mara", 1, 0.98), found("Ilse", 0, 0.1)) == ["Mara", "Mara"]


def test_different_answers_stay() -> None:
    assert told(found("12", 0, 0.9), found("14", 1, 0.9), found("15", 0, 0.88)) == ["12", "14"]


def test_a_value_with_more_words_is_the_same_value() -> None:
    likely, other, second = found("2.26", 0, 0.9), found("2.10", 0, 0.88), found("version 2.26", 1, 0.9)
    assert two_answers((likely, second), (likely, other, second)) == [other, second]


@pytest.mark.parametrize(
    ("quote", "number"),
    [
        ("The code of int3 is 0xcc.", 0),
        ("The code of nemu_trap is 0xcc.", 1),
        ("The codes of nemu_trap and int3 are 0xcc.", None),
        ("Its code is 0xcc.", None),
    ],
)
def test_a_passage_about_one_thing_does_not_answer_for_the_other(quote: str, number: int | None) -> None:
    parts = (Part(text="the code of nemu_trap"), Part(text="the code of int3"))
    best = [msgspec.structs.replace(found("0xcc", part, 0.9), quote=quote) for part in (0, 1)]
    assert said_of_other(best, parts) == number
    assert said_of_other([best[0], msgspec.structs.replace(best[1], text="0xcd")], parts) is None
