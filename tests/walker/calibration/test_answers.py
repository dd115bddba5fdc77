"""What the confidence of answers is worth."""

from __future__ import annotations

import math
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.recordings.make import FOLDER
from walker.calibration.answers import KnownAnswer, SaidAnswer, is_right, read_lines, weigh_answers
from walker.calibration.logistic_fit import SignalExample, fit_choice, fit_logistic, held_out, reliability
from walker.errors import UsageError

NAMES = ("good", "noise")


def examples(count: int = 300) -> list[SignalExample]:
    chance = random.Random(3)
    made = []
    for number in range(count):
        good = chance.gauss(0, 1)
        right = chance.random() < 1 / (1 + 2.718 ** (-2 * good))
        made.append(SignalExample(signals=(good, chance.gauss(0, 1)), right=right, group=f"site-{number % 5}"))
    return made


def test_a_fit_finds_the_signal_and_not_the_noise() -> None:
    fitted = fit_logistic(NAMES, examples(), ridge=1.0)
    assert 1.2 < fitted.weights["good"] < 2.5
    assert abs(fitted.weights.get("noise", 0)) < 0.4
    assert fit_logistic(NAMES, examples(), ridge=1.0) == fitted


def test_chances_of_held_out_sites_are_reliable() -> None:
    made = examples(2000)
    lines = reliability(held_out(NAMES, made, ridge=1.0), [one.right for one in made])
    for line in lines:
        said, right = (float(line.split(word)[1].split()[0]) for word in ("said", "right"))
        assert said == pytest.approx(right, abs=0.12), line


def test_examples_of_one_kind_fit_nothing() -> None:
    with pytest.raises(ValueError, match="both kinds"):
        fit_logistic(NAMES, [SignalExample(signals=(1.0, 0.0), right=True)], ridge=1.0)


def choices(questions: int = 200) -> list[SignalExample]:
    """Of four examples a question has, the one with most of `good` is right mostly; every fifth question has none."""
    chance = random.Random(5)
    made = []
    for number in range(questions):
        goods = [chance.gauss(0, 1) for _ in range(4)]
        best = -1 if number % 5 == 0 else goods.index(max(goods))
        made += [
            SignalExample(
                signals=(good - 2.0 * (best < 0), chance.gauss(0, 1)), right=place == best, among=f"question-{number}"
            )
            for place, good in enumerate(goods)
        ]
    return made


def test_one_of_the_examples_of_a_question_is_chosen_or_none() -> None:
    made = choices()
    fitted = fit_choice(NAMES, made, ridge=1.0)
    assert fitted == fit_choice(NAMES, made, ridge=1.0)
    assert fitted.weights["good"] > 5 * abs(fitted.weights.get("noise", 0))
    left = {one.among: 1.0 for one in made}
    for one in made:
        left[one.among] += math.exp(fitted.log_odds(NAMES, one.signals))
    said = [math.exp(fitted.log_odds(NAMES, one.signals)) / left[one.among] for one in made]
    assert sum(said) == pytest.approx(sum(one.right for one in made), rel=0.1), (
        "the chances of all are as many as are right"
    )
    with pytest.raises(ValueError, match="both kinds"):
        fit_choice(NAMES, made[:4], ridge=1.0)


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=60))
def test_every_answer_is_in_one_band(said: list[tuple[float, bool]]) -> None:
    lines = reliability([chance for chance, _ in said], [right for _, right in said])
    assert sum(int(line.split()[1]) for line in lines) == len(said)


def test_answers_are_right_by_whole_words() -> None:
    known = KnownAnswer(id="a", answer="16", accept=("sixteen",))
    assert is_right(known, "It has 16 rooms.")
    assert is_right(known, "Sixteen")
    assert not is_right(known, "160")
    assert is_right(KnownAnswer(id="b", answer="张盛宇"), "一等奖：张盛宇")
    quota = KnownAnswer(id="c", answer="", items=("Ana", "Bo", "Cem"), n=2)
    assert is_right(quota, "Ana; Cem")
    assert not is_right(quota, "Ana; Dora")


def test_predictions_are_compared_by_confidence() -> None:
    known = [KnownAnswer(id=str(number), answer="six" if number < 8 else "") for number in range(10)]
    said = [
        *(SaidAnswer(id=str(number), answer="six", confidence=0.9) for number in range(4)),
        *(SaidAnswer(id=str(number), nearest="nine", confidence=0.3) for number in range(4, 8)),
        SaidAnswer(id="8", nearest="six", confidence=0.2),
        SaidAnswer(id="9", answer="six", confidence=0.9),
        SaidAnswer(id="9", nearest="five", confidence=0.9, error="stopped before it was over; the next run asks again"),
    ]
    found = weigh_answers(known, said, sure=0.5)
    assert (found.questions, found.right) == (10, 4)
    assert (found.surely, found.surely_right) == (5, 4)
    assert (found.unanswerable, found.declined) == (2, 1)
    assert found.fitted is None
    with pytest.raises(UsageError, match="no prediction"):
        weigh_answers(known, [SaidAnswer(id="x")], sure=0.5)


def test_weights_are_fitted_to_recorded_walks() -> None:
    trace = str(FOLDER / "single")
    known = [
        KnownAnswer(id=str(number), answer="18.4 metres" if number % 3 else "nine", site=str(number % 4))
        for number in range(24)
    ]
    said = [SaidAnswer(id=str(number), answer="18.4 metres", confidence=0.6, trace=trace) for number in range(24)]
    found = weigh_answers(known, said, sure=0.5)
    assert found.walks == 24
    assert found.fitted is not None
    assert found.fitted_table


def test_a_line_that_is_none_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"id": "1", "answer": "six"}\n{"answer": 3}\n')
    with pytest.raises(UsageError) as raised:
        read_lines(tmp_path / "a.jsonl", KnownAnswer)
    assert str(raised.value.where).endswith("a.jsonl:2")
    with pytest.raises(UsageError):
        read_lines(tmp_path / "none.jsonl", SaidAnswer)
