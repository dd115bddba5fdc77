from __future__ import annotations

import pytest

from evaluation.dataset.question import Question
from evaluation.grading.error_classes import classify_error, facts_of, is_refusal
from evaluation.grading.granularity import is_coarser, read_date
from evaluation.grading.visited import Visited
from evaluation.sample import Sample

CUP = Question(
    id="cup",
    question="Which team won the FIBA Asia Cup 2025, and who was the TISSOT MVP?",
    answers=("Australia won the FIBA Asia Cup 2025, and Jaylin Galloway was named the TISSOT MVP.",),
    root="https://fiba.example/",
    sources=("history/asia-cup",),
)
PAGE = Visited(
    urls=frozenset(["https://fiba.example/", "https://fiba.example/history/asia-cup"]),
    text="FIBA Asia Cup 2025\n1st Australia 2nd China 3rd Iran\nTISSOT MVP Jaylin Galloway",
)


def said(answer: str, *items: str) -> Sample:
    return Sample(question_id="cup", variant="all", answer=answer, items=items)


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "  ",
        "I cannot find the information.",
        "The date was not found on this site.",
        "无法找到相关信息。",
        "I don't know",
    ],
)
def test_saying_nothing_is_a_refusal(answer: str) -> None:
    assert is_refusal(answer)
    found = classify_error(CUP, said(answer), PAGE)
    assert found is not None
    assert found.error_class == "refusal"


def test_an_answer_is_no_refusal() -> None:
    assert not is_refusal("The tide was not able to reach the wall" * 20)
    assert not is_refusal("256 KiB")


def test_what_stands_on_no_page_is_a_hallucination() -> None:
    found = classify_error(CUP, said("Japan won, and Yuki was MVP."), PAGE)
    assert found is not None
    assert (found.error_class, found.by) == ("hallucination", "trace")
    assert "Japan" in found.reason


def test_what_stands_there_and_is_not_it_is_totally_incorrect() -> None:
    found = classify_error(CUP, said("China won, and Iran."), PAGE)
    assert found is not None
    assert (found.error_class, found.by) == ("totally incorrect", "trace")


def test_a_walk_that_opened_no_source_has_not_reached_it() -> None:
    elsewhere = Visited(urls=frozenset(["https://fiba.example/"]), text="News: China meets Iran")
    found = classify_error(CUP, said("China"), elsewhere)
    assert found is not None
    assert (found.error_class, found.by) == ("not reached", "trace")
    declined = classify_error(CUP, said("I could not find it: not mentioned."), elsewhere)
    assert declined is not None
    assert (declined.error_class, declined.by) == ("refusal", "match")


def test_half_of_an_answer_is_missing_key_info() -> None:
    found = classify_error(CUP, said("Australia won the FIBA Asia Cup 2025."), PAGE)
    assert found is not None
    assert found.error_class == "missing key info"


def test_right_items_that_are_too_few_are_missing_key_info() -> None:
    quota = Question(
        id="q", question="Name 3.", root="https://a.example/", kind="quota", count=3, items=("a", "b", "c", "d")
    )
    few = classify_error(quota, said("a; b", "a", "b"), None)
    assert few is not None
    assert few.error_class == "missing key info"
    assert classify_error(quota, said("a; x; y", "a", "x", "y"), None) is None


TERNS = Question(
    id="t", question="How many terns?", answers=("3",), root="https://a.example/", kind="exhaustive", sources=("terns",),
    items=("arctic", "common", "little"),
)  # fmt: skip
TERN_PAGE = Visited(urls=frozenset(["https://a.example/terns"]), text="arctic, common, little; 0 gulls, 7 skuas")


@pytest.mark.parametrize(
    ("answer", "error_class"),
    [("2", "missing key info"), ("0", "totally incorrect"), ("There are 7.", "totally incorrect")],
)
def test_a_count_that_is_too_low_has_missed_some(answer: str, error_class: str) -> None:
    found = classify_error(TERNS, said(answer), TERN_PAGE)
    assert found is not None
    assert found.error_class == error_class
    assert "and there are 3" in found.reason


def test_one_item_that_was_named_in_words_is_of_too_few() -> None:
    quota = Question(
        id="q", question="Name 2 terns.", root="https://a.example/", kind="quota", count=2, items=TERNS.items
    )
    few, other = classify_error(quota, said("little"), TERN_PAGE), classify_error(quota, said("skuas"), TERN_PAGE)
    assert few is not None
    assert (few.error_class, few.reason) == ("missing key info", "1 of 2 items, all of them right")
    assert other is not None
    assert (other.error_class, other.by) == ("totally incorrect", "trace")
    assert classify_error(quota, said("some sort of bird"), TERN_PAGE) is None


def test_a_figure_that_was_worked_out_is_no_invention() -> None:
    asked = Question(id="c", question="How much more?", answers=("3",), root="https://a.example/", sources=("terns",))
    worked = classify_error(asked, said("7 (7 - 0)"), TERN_PAGE)
    assert worked is not None
    assert worked.error_class == "totally incorrect"
    page = Visited(urls=TERN_PAGE.urls, text="12 and 5")
    worked = classify_error(asked, said("7 (12 - 5)"), page)
    assert worked is not None
    assert worked.error_class == "totally incorrect"
    made_up = classify_error(asked, said("7"), page)
    assert made_up is not None
    assert made_up.error_class == "hallucination"


def test_a_question_of_two_pages_of_which_one_was_never_opened_was_not_reached() -> None:
    both = Question(
        id="b", question="?", answers=("x y",), root="https://a.example/", kind="multi", sources=("terns", "gulls")
    )
    found = classify_error(both, said("skuas"), TERN_PAGE)
    assert found is not None
    assert (found.error_class, found.reason) == ("not reached", "the needed source gulls was never opened")


def test_a_coarser_date_is_imprecise() -> None:
    dated = Question(
        id="d", question="When?", answers=("The last update was made on 21 Jul 2023.",), root="https://a.example/"
    )
    found = classify_error(dated, said("It was made in Jul 2023."), None)
    assert found is not None
    assert found.error_class == "imprecise"


def test_without_a_trace_a_model_has_to_say() -> None:
    assert classify_error(CUP, said("Japan won."), None) is None


def test_figures_and_names_are_facts_but_not_those_of_the_question() -> None:
    facts = facts_of(said("The FIBA Asia Cup 2025 was won by New Zealand with 98:95 in 成都体育馆."), CUP)
    assert "New Zealand" in facts
    assert "98:95" in facts
    assert "成都体育馆" in facts
    assert not {"The", "2025", "FIBA Asia Cup"} & set(facts)


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("21 Jul 2023", (2023, 7, 21)),
        ("July 21, 2023", (2023, 7, 21)),
        ("Jul 2023", (2023, 7)),
        ("2023-07-21", (2023, 7, 21)),
        ("2023年7月21日", (2023, 7, 21)),
        ("2023年7月", (2023, 7)),
        ("in 2023", (2023,)),
        ("no date", ()),
    ],
)
def test_dates_are_read_as_far_as_they_are_told(text: str, date: tuple[int, ...]) -> None:
    assert read_date(text) == date


@pytest.mark.parametrize(
    ("answer", "accepted", "coarser"),
    [
        ("Jul 2023", "21 Jul 2023", True),
        ("Aug 2023", "21 Jul 2023", False),
        ("21 Jul 2023", "Jul 2023", False),
        ("about 300", "312 people", True),
        ("400", "312", False),
        ("1.8", "1.83 m", True),
        ("312", "312", False),
        ("some", "312", False),
    ],
)
def test_a_number_or_date_may_be_told_coarser(answer: str, accepted: str, coarser: bool) -> None:
    assert is_coarser(answer, accepted) is coarser
