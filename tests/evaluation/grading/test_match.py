from __future__ import annotations

import pytest

from evaluation.dataset.question import Question
from evaluation.grading.match import distinct, is_cited, is_source, match_answer, says
from evaluation.sample import Sample
from memory.findings import Citation


def question(**more: object) -> Question:
    said = {
        "id": "q",
        "question": "?",
        "answers": ("256 KiB",),
        "root": "https://a.example/",
        "sources": ("c-api/memory.html",),
    }
    return Question(**(said | more))  # type: ignore[arg-type]


def sample(answer: str = "", *items: str, **more: object) -> Sample:
    return Sample(question_id="q", variant="all", answer=answer, items=items, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "wanted", "stands"),
    [
        ("The arenas have 256 KiB.", "256 kib", True),
        ("2256 KiB", "256 KiB", False),
        ("version 3.8.6 and later", "3.8.6", True),
        ("version 3.8.61", "3.8.6", False),
        ("13.8.6", "3.8.6", False),
        ("it is 1,000 changes", "1000", True),
        ("学费为每年3900欧元。", "3900欧元", True),
        ("学费为每年13900欧元。", "3900欧元", False),
        ("anything", "", False),
        ("about 5.25 m", "5", False),
    ],
)
def test_an_answer_stands_as_whole_words(text: str, wanted: str, stands: bool) -> None:
    assert says(text, wanted) is stands


def test_a_single_answer_has_to_come_early() -> None:
    assert match_answer(question(), sample("It is 256 KiB.")).right
    assert not match_answer(question(), sample("x " * 100 + "256 KiB")).right
    other = match_answer(question(), sample("256 bytes"))
    assert (other.right, other.f1) == (False, 0.5)


def test_any_accepted_form_will_do() -> None:
    found = match_answer(question(answers=("ten", "10")), sample("10 words"))
    assert found.right
    assert "“10”" in found.reason


QUOTA = {"kind": "quota", "answers": (), "items": ("red", "green", "blue", "white"), "count": 2}


@pytest.mark.parametrize(
    ("items", "right"),
    [
        (("red", "green"), True),
        (("Red", "“red”"), False),
        (("red", "green", "Colours"), True),
        (("red", "green", "Colours", "Shapes"), False),
        (("the colour red", "green"), True),
        ((), False),
    ],
)
def test_a_quota_wants_enough_right_items_and_few_others(items: tuple[str, ...], right: bool) -> None:
    assert match_answer(question(**QUOTA), sample("", *items)).right is right


def test_an_exhaustive_answer_has_the_number_and_as_many_items() -> None:
    asked = question(kind="exhaustive", answers=("3", "three"), items=("a", "b", "c"))
    assert match_answer(asked, sample("3 (a; b; c)", "a", "b", "c")).right
    assert not match_answer(asked, sample("3 (a; b)", "a", "b")).right
    assert not match_answer(asked, sample("at least 2 (a; b; x)", "a", "b", "x")).right
    assert match_answer(question(kind="exhaustive", answers=("23",)), sample("23 (...)", "one")).right


def test_items_are_distinct_in_their_order() -> None:
    assert distinct(["b", "A", "B ", "a"]) == ("b", "A")


def test_a_citation_leads_to_a_source() -> None:
    cited = sample("x", citations=(Citation(url="http://h/c-api/memory.html#arenas", quote="q"),))
    assert is_cited(question(), cited)
    assert not is_cited(question(), sample("x", citations=(Citation(url="http://h/xc-api/memory.html", quote="q"),)))
    whole = question(sources=("http://h/c-api/memory.html",))
    assert is_cited(whole, cited)


def test_an_answer_in_two_parts_needs_both() -> None:
    asked = question(kind="multi", answers=("7.5 m; Ines Vale",), items=("7.5 m", "Ines Vale"))
    assert match_answer(asked, sample("Ines Vale, and it is 7.5 m high")).right
    half = match_answer(asked, sample("7.5 m"))
    assert (half.right, "“Ines Vale” is missing" in half.reason) == (False, True)


def test_items_in_other_words_count_for_f1() -> None:
    asked = question(
        kind="exhaustive", answers=("3",), items=("row_number()", "include pat1", "recursive-include pat1")
    )
    said = sample("3", "row_number", "include pat1 ...", "recursive-include pat1 ...")
    match = match_answer(asked, said)
    assert (match.right, match.f1) == (True, 1.0)
    assert match_answer(asked, sample("3", "row_number", "rank", "lag")).f1 == pytest.approx(1 / 3)


def test_a_route_of_an_application_is_another_source_than_its_neighbour() -> None:
    assert is_source("http://h/app#/oak", "#/oak") is False
    assert is_source("http://h/#/oak", "#/oak")
    assert not is_source("http://h/#/elm", "#/oak")
    assert not is_source("http://h/#/elm", "http://h/#/oak")
    assert is_source("http://h/oak#price", "http://h/oak#age")
