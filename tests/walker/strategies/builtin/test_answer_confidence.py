"""The confidence in the best answer of a walk."""

from __future__ import annotations

from memory.counting.counter import Counter
from memory.counting.requirement import Requirement
from memory.findings import Finding, Item
from walker.settings import SURE
from walker.strategies.builtin.answer_confidence import (
    MOST_MARGIN,
    answer_signals,
    confidence_in,
    count_confidence,
    says_the_same,
)


def finding(text: str, score: float, url: str = "http://reef.example/a", part: int = 0) -> Finding:
    return Finding(text=text, quote=text, url=url, step=1, score=score, part=part)


def test_nothing_found_is_no_confidence() -> None:
    assert answer_signals([], 0) is None
    assert confidence_in([finding("six", 0.9)], 1) == 0


def test_a_tie_with_another_answer_lowers_the_confidence() -> None:
    alone = confidence_in([finding("six", 0.7)], 0)
    tied = confidence_in([finding("six", 0.7), finding("nine", 0.7)], 0)
    assert tied < alone


def test_of_two_that_are_tied_and_cannot_both_be_right_none_is_an_answer() -> None:
    tied = [finding("14 km", 0.95), finding("16 km", 0.948, "http://reef.example/b")]
    assert confidence_in(tied, 0) < SURE < confidence_in(tied[:1], 0)
    three = [*tied, finding("19 km", 0.949, "http://reef.example/c")]
    assert confidence_in(three, 0) < 1 / 3
    apart = [tied[0], finding("16 km", 0.8, "http://reef.example/b")]
    assert confidence_in(apart, 0) > SURE, "one is clearly ahead"
    both = [tied[0], finding("Ana Ruiz, who leads the station at the lagoon", 0.949)]
    assert confidence_in(both, 0) > SURE, "both may be right"
    backed = [*tied, finding("The reef is 14 km long", 0.94, "http://reef.example/d")]
    assert confidence_in(backed, 0) > SURE, "a further page says the same"


def test_the_same_answer_is_no_rival_and_further_pages_support_it() -> None:
    signals = answer_signals([finding("six", 0.7), finding("a crew of six", 0.6, "http://reef.example/b")], 0)
    assert signals is not None
    assert signals[1:] == (MOST_MARGIN, 1.0)


def test_a_likelier_finding_is_surer() -> None:
    chances = [confidence_in([finding("six", score)], 0) for score in (0.2, 0.5, 0.9)]
    assert chances == sorted(chances)
    assert all(0 <= chance <= 1 for chance in chances)


def test_answers_are_the_same_by_whole_words_only() -> None:
    assert says_the_same("Ana Ruiz", "Dr. Ana Ruiz, head of the station")
    assert not says_the_same("16", "160 boats")
    assert not says_the_same("", "anything")


def test_an_open_count_is_less_sure() -> None:
    counter = Counter.start(Requirement(mode="exhaustive", noun="boats"))
    counter = counter.add((Item(name="Mantis", page_url="http://reef.example/", step=1),), similarity=lambda a, b: 0.0)
    said = [finding("1 (Mantis)", 0.9)]
    assert count_confidence(counter, said) < count_confidence(counter.saw_end(), said)
    assert count_confidence(counter, []) == 0
