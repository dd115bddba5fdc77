"""What a passage says beyond the question's own words."""

from __future__ import annotations

import pytest

from walker.strategies.answers.new_words import says_more


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("How many visitors come in each month.", "In which month do most visitors come?"),
        ("The number of visitors in each month", "In which month do most visitors come?"),
        ("The table lists the berths of the boats.", "Which berths do the boats have?"),
        ("Wie hoch ist der Beitrag?", "Wie hoch ist der Beitrag?"),
        ("Opening hours of the museum", "What are the opening hours of the museum?"),
        ("Is the harbour open on Sundays?", "Is the harbour open on Sundays?"),
    ],
)
def test_the_questions_own_words_say_nothing_new(text: str, question: str) -> None:
    assert not says_more(text, question)


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Most visitors come in July.", "In which month do most visitors come?"),
        ("There are three boats.", "How many boats are there?"),
        ("There are three boats.", "How many boats are there in harbour 2?"),
        ("Visitors: 9", "How many visitors come?"),
        ("No boats lie at the quay.", "Which boats lie at the quay?"),
        ("The ferry sails once a day.", "How often a day does the ferry sail?"),
        ("征集活动的一等奖是张盛宇。", "征集活动的一等奖是谁？"),
    ],
)
def test_a_word_a_value_or_a_denial_is_new(text: str, question: str) -> None:
    assert says_more(text, question)


def test_of_yes_or_no_the_statement_of_the_same_is_the_answer() -> None:
    assert says_more("The pool is heated.", "Is the pool heated?")
    assert not says_more("The pool is heated.", "What is heated, the pool?")


def test_what_the_part_before_gave_is_not_new() -> None:
    assert says_more("The Mantis was launched", "When was that boat launched?")
    assert not says_more("The Mantis was launched", "When was that boat launched?", known="Mantis")
