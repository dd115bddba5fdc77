"""Likeness in meaning word by word."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.paper import ranker
from walker.strategies.builtin.word_likeness import likeness_by_words

QUESTION = "How much memory does the computer need?"
RAM, LUNCH = "At least 16 GB RAM and a fast CPU.", "Lunch is served at noon in the hall."


def test_a_word_of_like_meaning_is_met_without_a_shared_one() -> None:
    near, far = likeness_by_words(QUESTION, [(RAM, ""), (LUNCH, "")], ranker())
    assert near > far


def test_the_same_word_is_met_most_and_beside_the_passage_less() -> None:
    within, beside, nowhere = likeness_by_words(
        "Who is the treasurer?", [("The treasurer is Ana.", ""), ("Ana Ruiz", "treasurer"), ("Noon", "")], ranker()
    )
    assert within > beside > nowhere


def test_chinese_is_read_in_pairs() -> None:
    near, far = likeness_by_words("投票总人数是多少？", [("投票总人数为 99 人。", ""), ("午餐在中午。", "")], ranker())
    assert near > far


def test_a_passage_or_a_question_without_words_has_none() -> None:
    assert likeness_by_words(QUESTION, [("", "")], ranker()) == [0.0]
    assert likeness_by_words("?", [(RAM, "")], ranker()) == [0.0]
    assert likeness_by_words(QUESTION, [], ranker()) == []


@given(st.lists(st.tuples(st.text(max_size=40), st.text(max_size=40)), max_size=4))
def test_likeness_is_a_share(passages: list[tuple[str, str]]) -> None:
    found = likeness_by_words(QUESTION, passages, ranker())
    assert len(found) == len(passages)
    assert all(0 <= one <= 1.0001 for one in found)
