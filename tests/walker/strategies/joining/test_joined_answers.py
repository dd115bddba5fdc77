"""Answers of several parts: which two values belong together, what a chain knows, and what both are worth."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.findings import Finding
from walker.settings import SURE
from walker.strategies.joining.chained import known_answer, weighed_again
from walker.strategies.joining.joined_chance import PAIR_SIGNALS, chain_chance, pair_chance
from walker.strategies.joining.paired_values import contrast, is_uneven, likeness, pair_signals, pairs_of
from walker.strategies.question.question import read_question

MORE = read_question("How many more boats does Kiel have than Bremen?")
PAGES = read_question("By how many pages is the limit of a poster larger than the limit of a note?")
CHAIN = read_question("Who hosted the meeting at which Ana Ruiz presented the atlas of corals?")


def found(
    text: str, quote: str, part: int, score: float = 0.9, *, url: str = "http://reef.example/a", step: int = 1
) -> Finding:
    return Finding(text=text, quote=quote, url=url, step=step, score=score, part=part)


def test_only_values_that_can_be_computed_with_are_a_pair() -> None:
    findings = (
        found("nine", "It has nine boats.", 0, 0.8),
        found("many", "It has many boats.", 0, 0.95),
        found("6", "It has 6 boats.", 1),
    )
    assert [pair.answer for pair in pairs_of(MORE, findings)] == ["3 (9 - 6)"]


def test_one_passage_is_not_compared_with_itself() -> None:
    alone = (found("9", "There are 9 boats.", 0), found("9", "There are 9 boats.", 1))
    assert pairs_of(MORE, alone) == []
    assert pair_signals(MORE, [], alone) is None


def test_pages_that_are_made_alike_tell_both_values() -> None:
    alike = found("16", "A poster has no more than 16 pages.", 0, 0.7)
    other = found("3", "On 3 May all are asked to hand it in.", 0, 0.7, url="http://reef.example/b")
    second = found("4", "A note has no more than 4 pages.", 1)
    assert pairs_of(PAGES, (other, alike, second))[0].one == alike
    assert likeness("A has 16 pages", "A has 4 pages") == 1
    assert likeness("A has 16 pages", "") == 0


def test_a_passage_that_names_the_other_thing_is_its_own() -> None:
    question = read_question("Which is longer, the Mantis or the Heron?")
    mantis, heron = found("18 m", "The Mantis is 18 m long.", 0), found("24 m", "The Heron is 24 m long.", 1)
    assert contrast(question, mantis, heron) == 1
    assert contrast(question, heron, mantis) == -1
    assert contrast(MORE, mantis, heron) == 0
    addressed = found("18 m", "It is 18 m long.", 0, url="http://reef.example/boats/mantis.html")
    assert contrast(question, addressed, heron) == 1


def test_a_lead_and_surer_values_make_a_pair_likelier() -> None:
    second = found("6", "Bremen has 6 boats.", 1, 0.95)
    alone = (found("9", "Kiel has 9 boats.", 0, 0.95), second)
    rivalled = (*alone, found("8", "Kiel has 8 boats.", 0, 0.94, url="http://reef.example/c"))
    weak = (found("9", "Kiel has 9 boats.", 0, 0.3), second)
    chances = []
    for findings in (alone, rivalled, weak):
        signals = pair_signals(MORE, pairs_of(MORE, findings), findings)
        assert signals is not None
        chances.append(pair_chance(signals))
    assert chances[0] > chances[1]
    assert chances[0] > chances[2]


def test_a_pair_is_likelier_that_differs_as_the_question_takes_for_granted() -> None:
    lasts = read_question("By how many boats did the fleet of Kiel grow between 2011 and 2014?")
    chances = []
    for early, late in (("6", "9"), ("9", "6")):
        findings = (
            found(early, f"It had {early} boats.", 0, url="http://reef.example/a"),
            found(late, f"There were {late} boats then.", 1, url="http://reef.example/b"),
        )
        signals = pair_signals(lasts, pairs_of(lasts, findings), findings)
        assert signals is not None
        chances.append((signals[PAIR_SIGNALS.index("taken")], pair_chance(signals)))
    assert [taken for taken, _ in chances] == [1.0, 0.0]
    assert chances[0][1] > chances[1][1]


@given(st.floats(0.01, 0.99), st.floats(0.01, 0.99))
def test_a_chain_is_as_sure_as_its_parts(one: float, other: float) -> None:
    assert 0 < chain_chance((one, other)) < 1
    assert chain_chance((one, other)) <= chain_chance((one, min(0.99, other + 0.1))) + 1e-9
    assert chain_chance((one, 0.0)) == 0


def test_two_values_that_nothing_speaks_against_are_given() -> None:
    """On building sites held out all eleven differences that were told at 0.5 to 0.65 were right."""
    findings = (
        found("9", "The fleet of Kiel has 9 boats.", 0, 0.65, url="http://reef.example/a"),
        found("6", "There are 6 boats in Bremen.", 1, 0.65, url="http://reef.example/b"),
        found("40", "All fleets have 40 boats.", 1, 0.3, url="http://reef.example/c"),
    )
    signals = pair_signals(MORE, pairs_of(MORE, findings), findings)
    assert signals is not None
    assert pair_chance(signals) >= SURE


def test_a_chain_knows_the_best_answer_of_the_part_before() -> None:
    findings = (found("Reef Days 2019", "Slides of Reef Days 2019", 0, step=3), found("Reef Days 2016", "x", 0, 0.4))
    assert known_answer(CHAIN, 1, findings) == ("Reef Days 2019", 3)
    assert known_answer(CHAIN, 0, findings) == ("", 0)
    assert known_answer(MORE, 1, findings) == ("", 0)
    assert known_answer(CHAIN, 1, ()) == ("", 0)


@pytest.mark.parametrize(("language", "month"), [("en", "October"), ("zh", "10 月")])
def test_of_a_date_the_month_is_known_where_a_month_is_asked_for(language: str, month: str) -> None:
    question = read_question("Which bird is the emblem of the month in which the Mantis was launched?", language)
    assert known_answer(question, 1, (found("19 October 2024", "x", 0),))[0] == month


def test_what_was_read_before_its_name_was_known_is_weighed_again() -> None:
    named = found("Kiel", "Reef Days 2019, host: Kiel", 1, 0.5, step=1)
    other = found("Bremen", "Tide Fair of May, host: Bremen", 1, 0.6, step=1)
    later = found("Emden", "Host: Emden", 1, 0.55, step=5)
    first = found("Reef Days 2019", "Slides of Reef Days 2019", 0, step=3)
    again = weighed_again(CHAIN, (named, other, later, first))
    scores = {one.text: one.score for one in again}
    assert scores["Kiel"] > max(scores["Bremen"], named.score)
    assert scores["Bremen"] < other.score
    assert scores["Emden"] == later.score
    assert weighed_again(CHAIN, (named, other)) == (named, other)


def test_what_is_counted_in_whole_gives_no_fraction() -> None:
    question = read_question("How many more days did the walk take than the ride?")
    hours = (found("40 hours", "The walk took 40 hours.", 0, 0.9), found("32 hours", "The ride took 32 hours.", 1, 0.9))
    days = (found("5 days", "The walk took 5 days.", 0, 0.7), found("4 days", "The ride took 4 days.", 1, 0.7))
    assert pairs_of(question, (*hours, *days))[0].one == days[0]
    assert is_uneven(question, "0.3333 day (1.6667 - 1.3333)")
    assert not is_uneven(question, "1 day (5 - 4)")
    assert not is_uneven(read_question("How many metres longer is the quay than the slip?"), "1.5 m (4.5 - 3)")


def test_a_number_of_votes_is_no_share() -> None:
    question = read_question("How many more votes did Kiel get than Bremen?")
    shares = (found("30.9 %", "Kiel got 30.9 %.", 0, 0.9), found("27.3 %", "Bremen got 27.3 %.", 1, 0.9))
    votes = (found("58", "Kiel got 58.", 0, 0.85), found("52", "Bremen got 52.", 1, 0.85))
    assert pairs_of(question, (*shares, *votes))[0].answer == "6 (58 - 52)"
    asked = read_question("By how many percent is the discount of Kiel larger than the discount of Bremen?")
    assert pairs_of(asked, (*shares, *votes))[0].answer == "3.6% (30.9 - 27.3)"
