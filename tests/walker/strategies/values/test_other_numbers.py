"""What is said of another version or edition is no answer."""

from __future__ import annotations

import time

import pytest

from walker.strategies.values.other_numbers import numbers_named, speaks_of_another


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("When was version 3.40.0 released?", {("version", "3.40.0")}),
        ("What did PEP 634 bring to Python 3.10?", {("pep", "634"), ("python", "3.10")}),
        ("Wer hielt im April 2019 den Vortrag in Raum 12?", {("april", "2019"), ("raum", "12")}),
        ("What happened in 2018 at 10:30?", set()),
        ("Is v2.1 faster?", {("is", "2.1")}),
    ],
)
def test_names_with_a_number_behind_them_are_known(question: str, named: set[tuple[str, str]]) -> None:
    assert numbers_named(question) == named


@pytest.mark.parametrize(
    ("question", "text", "around"),
    [
        ("When was version 3.40.0 released?", "Latest release: version 3.40.1 (2022-12-28)", "SQLite Home Page"),
        ("When was Python 3.11 released?", "Python 3.4 was released on March 16, 2014.", "What's New In Python 3.4"),
        ("When was Python 3.1 released?", "Python 3.11 came in October.", ""),
        ("Who spoke in April 2019?", "In April 2018 Ana Ruiz spoke.", "Talks"),
        ("Who sits in room 12?", "Ben Okoro sits in room 14.", "People"),
    ],
)
def test_the_same_name_with_another_number_is_another_thing(question: str, text: str, around: str) -> None:
    assert speaks_of_another(text, around, numbers_named(question))


@pytest.mark.parametrize(
    ("question", "text", "around"),
    [
        ("When was Python 3.11 released?", "Python 3.11.2 was released in February.", ""),
        ("When was Python 3.11.2 released?", "Python 3.11 was released in October.", ""),
        ("How much faster is Python 3.11?", "It is faster than Python 3.10 by a quarter.", "What's New In Python 3.11"),
        ("How much faster is Python 3.11?", "It is faster than Python 3.10, says v3.11's author.", ""),
        ("Who sits in room 12?", "Ben Okoro sits beside the door.", "People"),
        ("Who founded the club?", "Room 14 was its first home.", ""),
    ],
)
def test_what_says_no_other_number_or_the_right_one_too_is_kept(question: str, text: str, around: str) -> None:
    assert not speaks_of_another(text, around, numbers_named(question))


@pytest.mark.parametrize("part", ["a", "a-", "Aa9-", "v v v ", "No. ", "x \u00a0 "])
def test_a_long_text_is_read_in_time_by_its_length(part: str) -> None:
    def cost(times: int) -> float:
        before = time.process_time()
        numbers_named(part * times)
        return time.process_time() - before

    assert cost(24_000) < 64 * max(cost(1_500), 0.005)
