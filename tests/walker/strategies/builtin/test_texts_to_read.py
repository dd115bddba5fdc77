"""Which texts of a page the reader reads."""

from __future__ import annotations

from tests.fixtures.paper import ranker
from walker.strategies.builtin.texts_to_read import TEXTS_READ, chosen_texts
from walker.strategies.reader.passage_reader import ReaderText

QUAYS = [ReaderText("Harbour", f"Quay number {number} is made of stone from the islands.") for number in range(60)]
TEXTS = [*QUAYS, ReaderText("Advice", "Your laptop wants enough RAM."), *QUAYS]
RAM = len(QUAYS)


def test_those_chosen_come_first_and_the_likest_in_meaning_fill_the_rest() -> None:
    read = chosen_texts([5, 3, 5], range(len(TEXTS)), TEXTS, "How much memory does a computer need?", ranker())
    assert read[:2] == [5, 3]
    assert RAM in read
    assert len(read) == len(set(read)) == TEXTS_READ


def test_a_short_page_is_read_whole_and_of_many_chosen_none_is_left_out() -> None:
    assert chosen_texts([1], range(4), TEXTS[:4], "Which quay?", ranker()) == [1, 0, 2, 3]
    chosen = list(range(TEXTS_READ + 3))
    assert chosen_texts(chosen, range(40), TEXTS[:40], "Which quay?", ranker()) == chosen


def test_only_others_that_are_offered_are_read() -> None:
    assert set(chosen_texts([], [7, 9], TEXTS, "Which quay?", ranker())) == {7, 9}
