"""The confidence in the best answer of a walk."""

from __future__ import annotations

import msgspec

from memory.counting.counter import Counter
from memory.counting.requirement import Requirement
from memory.findings import Finding, Item, PictureSigns
from walker.settings import SURE
from walker.strategies.answers.conflicts import says_the_same
from walker.strategies.builtin.answer_confidence import (
    ANSWER_SIGNALS,
    FOLLOWED,
    MOST_MARGIN,
    answer_signals,
    best_answer,
    confidence_in,
    count_confidence,
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
    assert confidence_in(both, 0) < SURE < confidence_in(both[:1], 0), "another answer is as likely, of whatever kind"
    backed = [*tied, finding("The reef is 14 km long", 0.94, "http://reef.example/d")]
    assert confidence_in(tied, 0) < confidence_in(backed, 0), "a further page says the same"
    twice = [
        *backed,
        finding("14 km long", 0.94, "http://reef.example/e"),
        finding("14 km", 0.94, "http://reef.example/f"),
    ]
    assert confidence_in(backed, 0) < confidence_in(twice, 0)


def test_the_same_answer_is_no_rival_and_further_pages_support_it() -> None:
    alone = answer_signals([finding("six", 0.7)], 0)
    backed = answer_signals([finding("six", 0.7), finding("a crew of six", 0.6, "http://reef.example/b")], 0)
    assert alone is not None
    assert backed is not None
    assert backed[1] == MOST_MARGIN
    assert backed[0] > alone[0]


def test_what_several_pages_say_comes_before_what_one_says_a_little_surer() -> None:
    pages = [finding("4 spaces", 0.85, f"http://reef.example/{number}") for number in range(3)]
    found = [finding("two", 0.87, "http://reef.example/x"), *pages]
    assert best_answer(found, 0) in pages
    assert best_answer(found[:2], 0) is found[0], "one page against another"
    assert best_answer([finding("two", 0.99), *pages], 0).text == "two", "much surer"  # type: ignore[union-attr]
    same = [found[0], *(finding("4 spaces", 0.85) for _ in range(3))]
    assert best_answer(same, 0) is found[0], "three times on one page is once"
    assert best_answer(found, 1) is None


def test_a_sentence_that_holds_a_short_answer_does_not_speak_for_it() -> None:
    long = [
        finding(
            f"On day {number} the crew of the research vessel counted 4 turtles and many more fishes",
            0.85,
            f"http://reef.example/{number}",
        )
        for number in range(5)
    ]
    found = [finding("two", 0.87, "http://reef.example/x"), finding("4", 0.85, "http://reef.example/y"), *long]
    assert best_answer(found, 0) is found[0]


def test_all_that_was_found_besides_leaves_the_best_answer_less() -> None:
    best, weak = (
        finding("six", 0.8),
        [finding(f"the {number}th of May", 0.5, f"http://reef.example/{number}") for number in range(8)],
    )
    chances = [confidence_in([best, *weak[:count]], 0) for count in range(1, 9)]
    assert chances == sorted(chances, reverse=True)
    assert chances[-1] < chances[0]


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


def test_the_pages_of_one_list_are_no_rivals_of_each_other() -> None:
    counter = Counter.start(Requirement(mode="exhaustive", noun="boats"))
    names = ("Mantis", "Heron", "Skua")
    items = tuple(
        Item(name=name, page_url=f"http://reef.example/{name}", step=1, quote=f"{name}, a boat") for name in names
    )
    whole = counter.add(items, similarity=lambda a, b: 0.0).saw_end()
    said = [
        Finding(text=f"{place} ({name})", quote=f"{name}, a boat", url=f"http://reef.example/{name}", step=1, score=0.9)
        for place, name in enumerate(names)
    ]
    apart = [
        *said[:1],
        *(Finding(text=one.text, quote="of another list", url=one.url, step=1, score=0.9) for one in said[1:]),
    ]
    still_open = counter.add(items, similarity=lambda a, b: 0.0)
    assert count_confidence(still_open, said) > count_confidence(still_open, apart)
    assert count_confidence(whole, said) >= FOLLOWED, "it was followed to its end"
    stated = finding(str(len(names)), 0.9, "http://reef.example/all")
    assert count_confidence(whole, [*said, stated]) >= count_confidence(whole, said), "the site states the same number"
    assert count_confidence(still_open, [*said, finding("40", 0.9)]) < count_confidence(still_open, said)


def test_a_count_of_as_many_as_the_list_says_it_has_is_given() -> None:
    counter = Counter.start(Requirement(mode="exhaustive", noun="boats"))
    counter = counter.add(
        (Item(name="Mantis", page_url="http://reef.example/", step=1, quote="1 (Mantis)"),), similarity=lambda a, b: 0.0
    )
    said = [finding("two", 0.99), finding("1 (Mantis)", 0.8)]
    assert count_confidence(counter.saw_end(), said) < SURE < count_confidence(counter.saw_total(1).saw_end(), said)
    assert count_confidence(counter.saw_total(7).saw_end(), said) < SURE


def test_what_is_said_of_one_entry_is_no_number_of_them_all() -> None:
    counter = Counter.start(Requirement(mode="exhaustive", noun="boats"))
    items = tuple(
        Item(name=name, page_url="http://reef.example/", step=1, quote=f"{name} A boat with {place} bunks.")
        for place, name in enumerate(("Mantis", "Heron", "Skua"), start=4)
    )
    counter = counter.add(items, similarity=lambda a, b: 0.0).saw_end()
    said = [Finding(text="3 (Mantis)", quote=items[0].quote, url="http://reef.example/", step=1, score=0.8)]
    within = [
        Finding(text=str(bunks), quote=f"A boat with {bunks} bunks.", url="http://reef.example/", step=1, score=0.99)
        for bunks in (4, 5)
    ]
    assert count_confidence(counter, [*within, *said]) == count_confidence(counter, said) > 0
    other = Finding(text="5", quote="All 5 boats lie in the lagoon.", url="http://reef.example/", step=1, score=0.99)
    assert count_confidence(counter, [other, *said]) < count_confidence(counter, said)


def test_a_strong_answer_stays_sure_on_a_long_walk() -> None:
    """Handbooks have a page on everything: of ten pages each has a sentence that might answer, and none as well as the best."""
    best = finding("4096 bytes", 0.99)
    rivals = [
        finding(f"the page after the {number}th", 0.93, f"http://reef.example/{number}") for number in range(2, 12)
    ]
    assert confidence_in([best, *rivals], 0, read=True) >= SURE
    weak = [finding("4096 bytes", 0.6), *(finding(one.text, 0.3, one.url) for one in rivals)]
    assert confidence_in(weak, 0, read=True) < SURE, "as far ahead of the others, and likely no answer itself"


def test_an_answer_by_itself_likely_is_not_sure_beside_one_at_odds_with_it() -> None:
    best, other = finding("Ana Ruiz", 0.985), finding("Ben Okafor", 0.98, "http://reef.example/b")
    assert confidence_in([best, other], 0, read=True) < SURE < confidence_in([best], 0, read=True)
    alone, beside = answer_signals([best], 0), answer_signals([best, other], 0)
    assert alone is not None
    assert beside is not None
    assert beside[ANSWER_SIGNALS.index("own")] < alone[ANSWER_SIGNALS.index("own")] / 4


def test_a_weak_answer_is_not_sure_for_standing_on_many_pages() -> None:
    """Of twenty questions that their site does not answer three were answered by a sentence that all its pages have."""
    said = [finding("Welcome to the days of the reef.", 0.68, f"http://reef.example/{number}") for number in range(4)]
    others = [finding("They are held elsewhere this year.", 0.55), finding("Bring a boat.", 0.5)]
    assert confidence_in([*said, *others], 0, read=True) < SURE


def read_in_picture(sure: float, clear: float, *, fit: float = 1.0, score: float = 0.9) -> Finding:
    signs = PictureSigns(sure=sure, clear=clear, pixels=15.0, fit=fit, place="label")
    return msgspec.structs.replace(finding("71.15 EUR", score), pictured=signs)


def test_what_was_read_unsurely_is_no_answer_and_the_rest_of_its_picture_counts_too() -> None:
    assert confidence_in([read_in_picture(0.999, 0.999)], 0) > 0.8
    assert confidence_in([read_in_picture(0.866, 0.87)], 0) < SURE
    assert confidence_in([read_in_picture(0.97, 0.87)], 0) < confidence_in([read_in_picture(0.97, 0.97)], 0)


def test_a_picture_that_says_little_of_the_question_answers_it_less() -> None:
    assert confidence_in([read_in_picture(0.999, 0.999, fit=0.1)], 0) < confidence_in(
        [read_in_picture(0.999, 0.999)], 0
    )


def test_prose_of_further_pages_says_less_against_what_a_picture_shows_than_another_text_of_a_picture() -> None:
    best = read_in_picture(0.999, 0.999)
    prose = [finding(f"{at} EUR", 0.5, f"http://reef.example/{at}") for at in range(3)]
    rivals = [msgspec.structs.replace(one, pictured=best.pictured) for one in prose]
    assert confidence_in([best, *rivals], 0) < confidence_in([best, *prose], 0)
    assert confidence_in([best, *prose], 0) > SURE
