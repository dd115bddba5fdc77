"""Lists weighed again, with a reader and without."""

from __future__ import annotations

from collections.abc import Sequence

from tests.fixtures.paper import observed, page, ranker
from walker.strategies.answers.list_signals import LIST_SIGNALS, ListCandidate, list_candidates
from walker.strategies.answers.lists import PageLists
from walker.strategies.builtin.list_reading import (
    LISTS_READ,
    NEAR_LIST_SIGNALS,
    READ_LIST_SIGNALS,
    as_text,
    meant_by,
    weighed_again,
)
from walker.strategies.question.question import read_question
from walker.strategies.reader.passage_reader import NetReader, ReaderText, Reading

QUESTION = "Name 2 shops that sell rope."
BODY = (
    "<h2>Shops</h2><p>Rope is sold by the following shops:</p><ul><li>Acme</li><li>Nordic Rope</li></ul>"
    "<h2>Partners</h2><p>These help us with the boats:</p><ul><li>Blue Sail</li><li>Quay Inn</li></ul>"
)


class OneWord:
    """A reader by a rule: texts with a word answer."""

    def __init__(self, word: str) -> None:
        self.word, self.texts = word, list[ReaderText]()

    def reads(self, language: str) -> bool:
        return True

    def read(self, question: str, texts: Sequence[ReaderText]) -> list[Reading]:
        self.texts += texts
        return [Reading(log_odds=9.0 if self.word in text.text else -9.0) for text in texts]


def candidates(body: str = BODY) -> list[ListCandidate]:
    part = read_question(QUESTION).parts[0]
    return list_candidates(PageLists(observed(page("Reef", body))), part, "shops", 2, frozenset(), ranker())


def test_each_list_is_read_with_its_headings_and_the_words_before_it() -> None:
    texts = [as_text(one) for one in candidates()]
    assert ReaderText("Reef Shops", "Rope is sold by the following shops: Acme; Nordic Rope") in texts


def test_the_list_that_the_reader_takes_for_the_answer_is_likelier_than_without_it() -> None:
    known = candidates()
    chances = {
        word: {
            one.counted.names: one.chance
            for one in weighed_again(known, QUESTION, ranker(), OneWord(word), is_quota=True)
        }
        for word in ("Acme", "Quay Inn")
    }
    for names, other in ((("Acme", "Nordic Rope"), "Quay Inn"), (("Blue Sail", "Quay Inn"), "Acme")):
        assert chances[names[0] if names[0] == "Acme" else names[1]][names] > chances[other][names]


def test_lists_have_the_signals_of_what_weighed_them_and_stand_likeliest_first() -> None:
    known = candidates()
    for reader, names in ((None, NEAR_LIST_SIGNALS), (OneWord("Acme"), READ_LIST_SIGNALS)):
        told = weighed_again(known, QUESTION, ranker(), reader, is_quota=True)
        assert [len(one.signals) for one in told] == [len(names)] * len(told)
        assert [one.signals[: len(LIST_SIGNALS)] for one in told] != []
        assert [one.chance for one in told] == sorted((one.chance for one in told), reverse=True)


def test_no_more_lists_are_read_than_the_likeliest() -> None:
    many = "".join(
        f"<h2>Part {place}</h2><ul><li>A{place}</li><li>B{place}</li></ul>" for place in range(2 * LISTS_READ)
    )
    reader = OneWord("A")
    assert (
        len(weighed_again(candidates(many), QUESTION, ranker(), reader, is_quota=True))
        == len(reader.texts)
        == LISTS_READ
    )


def test_lists_of_a_page_share_the_chance_where_some_names_are_asked_for() -> None:
    quota, count = (weighed_again(candidates(), QUESTION, ranker(), OneWord(""), is_quota=one) for one in (True, False))
    assert sum(one.chance for one in quota) < 1 < sum(one.chance for one in count)
    assert [one.counted.names for one in quota] == [one.counted.names for one in count]
    for told, alone in zip(quota, count, strict=True):
        assert told.chance < alone.chance


def test_a_page_without_lists_reads_nothing() -> None:
    assert weighed_again([], QUESTION, ranker(), OneWord("A"), is_quota=True) == []
    assert meant_by([], QUESTION, ranker(), None) == []


def test_the_reader_of_the_package_takes_the_list_that_is_asked_for() -> None:
    known = candidates()
    read = dict(
        zip((one.counted.names for one in known), meant_by(known, QUESTION, ranker(), NetReader()), strict=True)
    )
    assert read[("Acme", "Nordic Rope")][1] > read[("Blue Sail", "Quay Inn")][1]
