"""The confidence in the best answer of a walk."""

from __future__ import annotations

from memory.counting.counter import Counter
from memory.counting.requirement import Requirement
from memory.findings import Finding, Item
from walker.settings import SURE
from walker.strategies.builtin.answer_confidence import (
    ANSWER_SIGNALS,
    answer_signals,
    confidence_in,
    count_confidence,
    says_the_same,
)

ASKED = "How large is the crew of the Mantis?"


def finding(text: str, score: float, url: str = "http://reef.example/a", part: int = 0, quote: str = "") -> Finding:
    return Finding(text=text, quote=quote or text, url=url, step=1, score=score, part=part)


def signals_of(findings: list[Finding]) -> dict[str, float]:
    signals = answer_signals(findings, 0, ASKED)
    assert signals is not None
    return dict(zip(ANSWER_SIGNALS, signals, strict=True))


def test_nothing_found_is_no_confidence() -> None:
    assert answer_signals([], 0, ASKED) is None
    assert confidence_in([finding("six", 0.9)], 1, ASKED) == 0


def test_a_tie_with_another_answer_lowers_the_confidence() -> None:
    alone = confidence_in([finding("six", 0.7)], 0, ASKED)
    tied = confidence_in([finding("six", 0.7), finding("nine", 0.7)], 0, ASKED)
    many = confidence_in([finding(text, 0.7) for text in ("six", "nine", "ten", "two")], 0, ASKED)
    assert many < tied < alone


def test_of_two_that_are_tied_and_cannot_both_be_right_none_is_an_answer() -> None:
    tied = [finding("14 km", 0.95), finding("16 km", 0.948, "http://reef.example/b")]
    assert confidence_in(tied, 0, ASKED) < SURE < confidence_in(tied[:1], 0, ASKED)
    three = [*tied, finding("19 km", 0.949, "http://reef.example/c")]
    assert confidence_in(three, 0, ASKED) < 1 / 3
    apart = [tied[0], finding("16 km", 0.8, "http://reef.example/b")]
    assert confidence_in(apart, 0, ASKED) > SURE, "one is clearly ahead"
    both = [tied[0], finding("Ana Ruiz, who leads the station at the lagoon", 0.949)]
    assert confidence_in(both, 0, ASKED) > SURE, "both may be right"
    backed = [*tied, finding("The reef is 14 km long", 0.94, "http://reef.example/d")]
    assert confidence_in(backed, 0, ASKED) > SURE, "a further page says the same"


def test_the_lead_is_the_share_of_the_chance_that_other_answers_leave() -> None:
    assert signals_of([finding("six", 0.8)])["lead"] == 1
    assert signals_of([finding("six", 0.6), finding("nine", 0.6)])["lead"] == 0.5
    assert signals_of([finding("six", 0.6), finding("a crew of six", 0.6)])["lead"] == 1
    assert signals_of([finding("six", 0.0), finding("nine", 0.0)])["lead"] == 0


def test_the_words_of_the_question_may_stand_in_the_quote_or_around_it() -> None:
    bare = finding("six", 0.7)
    quoted = finding("six", 0.7, quote="The Mantis has a crew of six.")
    above = Finding(text="six", quote="six", url="u", step=1, score=0.7, heading="The Mantis", before="Crew")
    assert signals_of([bare])["cover"] == 0
    assert signals_of([quoted])["cover"] == signals_of([above])["cover"] > 0.5
    assert confidence_in([quoted], 0, ASKED) > confidence_in([bare], 0, ASKED)


def test_a_question_that_counts_is_told() -> None:
    for asked, counts in (("How many boats are listed?", 1), ("Name 3 boats.", 1), (ASKED, 0)):
        signals = answer_signals([finding("6", 0.7)], 0, asked)
        assert signals is not None
        assert signals[ANSWER_SIGNALS.index("counts")] == counts


def test_a_likelier_finding_is_surer() -> None:
    chances = [confidence_in([finding("six", score)], 0, ASKED) for score in (0.2, 0.5, 0.9)]
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
    assert count_confidence(counter, said, ASKED) < count_confidence(counter.saw_end(), said, ASKED)
    assert count_confidence(counter, [], ASKED) == 0


def test_the_pages_of_one_list_are_no_rivals() -> None:
    counter = Counter.start(Requirement(mode="exhaustive", noun="boats"))
    items = tuple(Item(name=name, page_url=f"http://reef.example/{name}", step=1) for name in "ab")
    counter = counter.add(items, similarity=lambda a, b: 0.0).saw_end()
    first = finding("3 (Mantis; Heron; Gannet)", 0.8, "http://reef.example/a")
    second = finding("2 (Plover; Tern)", 0.7, "http://reef.example/b")
    rival = finding("9", 0.8, "http://reef.example/c")
    assert count_confidence(counter, [first, second], ASKED) == count_confidence(counter, [first], ASKED)
    assert count_confidence(counter, [first, rival], ASKED) < count_confidence(counter, [first], ASKED)
    assert count_confidence(counter, [second, first, rival], ASKED) == count_confidence(counter, [first, rival], ASKED)
