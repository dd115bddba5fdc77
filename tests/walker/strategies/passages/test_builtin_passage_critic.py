"""The passage critic without a model: what it prefers, and that it reads letters as words are meant."""

from __future__ import annotations

import time

import numpy as np
import pytest

from memory.words import tokens
from walker.seams.passage_critic import OfferedPassage
from walker.strategies.passages.builtin_passage_critic import BuiltinPassageCritic, critic_weights, rows_of
from walker.strategies.passages.passage_signals import SIGNALS
from walker.strategies.passages.passage_words import JoinedTexts, terms_in
from walker.strategies.passages.yes_no import chance_of_yes, says_yes

FILLER = tuple(
    OfferedPassage(text=f"Entry {number} of the register speaks of other matters.", url=f"https://a.example/{number}")
    for number in range(30)
)


def _met(word: str, text: str) -> list[float]:
    (term,) = terms_in(word, tokens(word)[:1])
    return JoinedTexts([text]).meet(term).worth.tolist()  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("word", "text", "wanted"),
    [
        ("installed", "How to install: installing, INSTALLATION", [1.0, 1.0, 0.7]),
        ("ids", "an idea, his id", []),
        ("limit", "unlimited", [0.7]),
        ("Beitrag", "Der Monatsbeitrag und der Beitrag.", [0.7, 1.0]),
        ("游泳", "市游泳池", [1.0]),
        ("3.11", "3.11 and 3.119", [1.0]),
        ("Linux", "在Ｌｉｎｕｘ上", [1.0]),
        ("café", "the cafe\u0301s of the town", [1.0]),
    ],
)
def test_words_are_met_by_their_letters(word: str, text: str, wanted: list[float]) -> None:
    assert _met(word, text) == wanted


def test_a_word_is_not_met_across_two_texts() -> None:
    (term,) = terms_in("swimming", ["swim"])
    texts = JoinedTexts(["a swim", "ming vase"])
    met = texts.meet(term)
    assert texts.text_of(met.at).tolist() == [0]


async def test_the_form_of_the_answer_and_nearness_of_words_count() -> None:
    passages = (
        OfferedPassage(text="The diving pool is deep. Everybody likes the hall.", url="https://a.example/a"),
        OfferedPassage(text="The diving pool is 4.5 metres deep.", url="https://a.example/b"),
        OfferedPassage(
            text="The pool. " + "We write much. " * 20 + "Diving is fun; deep sea, 12 m.", url="https://a.example/c"
        ),
        *FILLER,
    )
    first, formed, apart, *others = await BuiltinPassageCritic().weigh(
        "How many metres deep is the diving pool?", passages
    )
    assert formed.chance > first.chance
    assert formed.chance > apart.chance
    assert max(one.chance for one in others) < min(first.chance, apart.chance)


async def test_each_part_of_a_question_keeps_its_own_passage() -> None:
    passages = (
        OfferedPassage(text="The tower of Aachen was built in 1350.", url="https://a.example/a"),
        OfferedPassage(text="The bridge of Lübeck was built in 1402.", url="https://a.example/b"),
        *FILLER,
    )
    question = "Which was built earlier, the tower of Aachen or the bridge of Lübeck?"
    assert len(rows_of(question, passages, "en")) > 1
    weights = await BuiltinPassageCritic().weigh(question, passages)
    assert sorted(range(len(weights)), key=lambda place: -weights[place].chance)[:2] in ([0, 1], [1, 0])


def test_the_shipped_weights_name_signals_that_there_are() -> None:
    weights = critic_weights()
    assert weights.passage.weights.keys() <= set(SIGNALS)
    assert weights.fitted_on


@pytest.mark.parametrize("count", [0, 1, 2])
@pytest.mark.parametrize("question", ["", "?", "How many doors are there?", "Name 3 doors."])
def test_signals_are_finite_whatever_is_offered(question: str, count: int) -> None:
    for passages in (FILLER[:count], (OfferedPassage(text=""),) * count, (OfferedPassage(text="\ud800 x"),) * count):
        for rows in rows_of(question, passages, "en"):
            assert rows.shape == (count, len(SIGNALS))
            assert np.isfinite(rows).all()


async def test_more_than_a_thousand_passages_take_a_moment() -> None:
    """At most 60 ms of processor time for 1,240 passages; a slow machine gets three times as much."""
    sentence = (
        "The hall of the town has a pool number {number} and a sauna, and it opens at {hour} on all days of the week. "
    )
    passages = tuple(
        OfferedPassage(
            text=sentence.format(number=number, hour=number % 24) * 6,
            title=f"Hall {number // 60}",
            url=f"https://a.example/{number // 60}",
            place=number % 60,
        )
        for number in range(1240)
    )
    question = "At which time does the sauna of the hall with the diving pool open on days of the week?"
    critic, times = BuiltinPassageCritic(), []
    for _ in range(4):
        began = time.process_time()
        await critic.weigh(question, passages)
        times.append(time.process_time() - began)
    assert min(times[1:]) <= 0.18


def test_yes_and_no_are_read_in_any_spelling() -> None:
    assert chance_of_yes({"▁Yes": 0.3, "yes,": 0.1, "Ġno": 0.1, "Perhaps": 0.5}) == pytest.approx(0.8)
    assert chance_of_yes({"是": 0.3, "不": 0.1}) == pytest.approx(0.75)
    assert chance_of_yes({"Perhaps": 1.0}) is None
    assert chance_of_yes({"Yes": 0.0, "No": 0.0}) is None
    assert [says_yes(text) for text in ("YES", "no.", "Nothing", "不是", "是的，有", "", "1")] == [
        True, False, None, False, True, None, None,
    ]  # fmt: skip
