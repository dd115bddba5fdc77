from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest
from lxml import html

from walker.demo.questions import DemoQuestion, bundled_questions, is_right, read_questions
from walker.seams.outcome import Outcome, StopReason

SITE = resources.files("walker.demo") / "institute"
MORE = read_questions((Path(__file__).parent / "questions_more.json").read_bytes())
ALL = bundled_questions() + MORE


def outcome(answer: str, items: tuple[str, ...] = ()) -> Outcome:
    return Outcome(
        question="", answer=answer, items=items, confidence=1.0, citations=(), stop_reason=StopReason.ANSWERED,
        pages=1, steps=1, count={},
    )  # fmt: skip


def source_text(question: DemoQuestion) -> str:
    pages = (html.fromstring(SITE.joinpath(*source.split("/")).read_bytes()) for source in question.sources)
    return " ".join(" ".join(page.text_content().split()) for page in pages)


def test_the_demo_asks_five_questions_of_four_kinds_in_two_languages() -> None:
    questions = bundled_questions()
    assert len(questions) == 5
    assert {question.kind for question in questions} == {"single", "multi", "quota", "exhaustive"}
    assert {question.lang for question in questions} == {"en", "zh"}
    assert len({question.id for question in ALL}) == len(ALL)


COUNTED_OR_COMPUTED = {"all-people", "boat-difference", "four-crews", "modules"}


@pytest.mark.parametrize("question", ALL, ids=lambda question: question.id)
def test_answers_stand_on_their_sources(question: DemoQuestion) -> None:
    text = source_text(question).casefold()
    if question.kind == "picture":
        assert question.answer not in text
    elif question.kind == "quota":
        assert all(item.casefold() in text for item in question.items)
    elif question.id not in COUNTED_OR_COMPUTED:
        assert any(wanted.casefold() in text for wanted in (question.answer, *question.accept))


@pytest.mark.parametrize(
    ("answer", "right"),
    [("The greatest depth is 1.8 m.", True), ("1.8", True), ("11.8 m", False), ("1.85 m", False), ("", False)],
)
def test_a_number_is_not_right_inside_another(answer: str, right: bool) -> None:
    assert is_right(bundled_questions()[0], outcome(answer)) is right


@pytest.mark.parametrize(("answer", "right"), [("23", True), ("23 people", True), ("123", False), ("2023", False)])
def test_a_count_is_right_only_as_a_whole(answer: str, right: bool) -> None:
    assert is_right(bundled_questions()[3], outcome(answer)) is right


def test_a_quota_wants_enough_items_and_no_others() -> None:
    quota = bundled_questions()[2]
    enough = quota.items[:3]
    assert is_right(quota, outcome("", enough))
    assert is_right(quota, outcome("", tuple(item.upper() for item in enough)))
    assert not is_right(quota, outcome("", enough[:2]))
    assert not is_right(quota, outcome("", (*enough, "Bores without a funnel")))


@pytest.mark.parametrize("answer", ["每年3900欧元", "学费为3,900欧元", "３９００欧元"])
def test_chinese_answers_may_be_written_in_several_ways(answer: str) -> None:
    assert is_right(bundled_questions()[4], outcome(answer))
