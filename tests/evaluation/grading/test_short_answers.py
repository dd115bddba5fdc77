from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.dataset.question import Question
from evaluation.grading.grader import Graders, grade_one
from evaluation.grading.short_answers import Span, is_figure, normal, read_span, score_exact, score_items, score_number
from evaluation.sample import Sample


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("256 KiB", Span(256, 256)),
        ("10-20", Span(10, 20)),
        ("10 – 20 m", Span(10, 20)),
        ("between 4 m and 6 m", Span(4, 6)),
        ("[3.5, 5]", Span(3.5, 5)),
        ("-3 to 4", Span(-3, 4)),
        ("1,234,567", Span(1234567, 1234567)),
        ("5至8人", Span(5, 8)),
        ("nothing", None),
    ],
)
def test_numbers_and_intervals_are_read(text: str, span: Span | None) -> None:
    assert read_span(text) == span


@pytest.mark.parametrize(
    ("answer", "accepted", "right"),
    [
        ("1.85 m", "1.8", True),
        ("1.91", "1.8", False),
        ("15", "10-20", True),
        ("21", "10-20", False),
        ("10-20", "12-20", True),
        ("10-20", "18-30", False),
        ("10-20", "15", False),
        ("many", "15", False),
    ],
)
def test_a_number_fits_within_its_tolerance_or_interval(answer: str, accepted: str, right: bool) -> None:
    assert score_number(answer, ["no number", accepted]) is right


def test_the_tolerance_can_be_set() -> None:
    assert score_number("100", ["104"], tolerance=5)


def test_items_overlap_by_half_of_all() -> None:
    assert score_items(["Red", "the green"], ["red", "green", "blue"])
    assert not score_items(["red"], ["red", "green", "blue"])
    assert not score_items([], [])


def test_exact_match_is_normalised() -> None:
    assert normal("The “Isn't” it, here!") == "is not it here"
    assert score_exact("The Tidal Flume.", ["wave basin", "tidal flume"])
    assert not score_exact("the tidal flume is longer", ["tidal flume"])


@pytest.mark.parametrize(
    ("text", "figure"),
    [
        ("1.8 m", True),
        ("10-20 square metres", True),
        ("[3, 5] km", True),
        ("80 marks", True),
        ("3 m 20 cm", False),
        ("about 30 of the many seals", False),
        ("Lundh", False),
    ],
)
def test_a_figure_is_a_number_and_its_unit(text: str, figure: bool) -> None:
    assert is_figure(text) is figure


@pytest.mark.parametrize(
    ("answers", "items", "answer", "right"),
    [
        (("1.8 m",), (), "1.75 metres", True),
        (("1.8 m",), (), "2 m", False),
        (("Lundh", "Fredrik Lundh"), (), "fredrik lundh.", True),
        (("Lundh",), (), "It was Lundh", False),
        (("21 Jul 2023",), (), "21 May 1999", False),
        (("21 Jul 2023",), (), "21 jul, 2023", True),
        (("March 5, 2024",), (), "March 5, 1999", False),
        (("2024-03-05",), (), "2024-01-09", False),
        (("5 March",), (), "5 April", False),
        (("2024年3月5日",), (), "2024年1月9日", False),
        (("10:30",), (), "10:45", False),
        (("3.11.4",), (), "3.11.5", False),
        (("2023",), (), "in 2023", True),
        ((), ("red", "green", "blue"), "red and blue", True),
        ((), ("red", "green", "blue"), "red; white; black", False),
    ],
)
async def test_short_scoring_takes_the_place_of_the_match(
    answers: tuple[str, ...], items: tuple[str, ...], answer: str, right: bool
) -> None:
    asked = Question(id="q", question="?", answers=answers, items=items, root="https://a.example/")
    said = Sample(question_id="q", variant="all", answer=answer)
    grade = await grade_one(asked, said, Graders(scoring="short"))
    assert (grade.right, grade.by) == (right, "short")


ENDS = st.tuples(st.integers(0, 30), st.integers(0, 30)).filter(lambda ends: ends[0] < ends[1])


@given(ENDS, ENDS)
def test_intervals_fit_where_half_of_their_union_is_shared(one: tuple[int, int], other: tuple[int, int]) -> None:
    shared = len(set(range(*one)) & set(range(*other)))
    union = max(one[1], other[1]) - min(one[0], other[0])
    fits = score_number(f"{one[0]}-{one[1]}", [f"{other[0]} to {other[1]}"])
    assert fits is (2 * shared >= union)
    assert fits is score_number(f"{other[0]}-{other[1]}", [f"{one[0]} to {one[1]}"])


@given(st.sets(st.integers(10, 20)), st.sets(st.integers(10, 20)))
def test_sets_overlap_by_half_of_their_union(one: set[int], other: set[int]) -> None:
    fits = score_items([str(n) for n in one], [str(n) for n in other])
    assert fits is (bool(one | other) and 2 * len(one & other) >= len(one | other))


@given(st.sets(st.integers(10, 20)), st.integers(1, 8))
def test_of_several_that_would_do_the_union_has_as_many_as_were_asked_for(named: set[int], enough: int) -> None:
    wanted, right = set(range(10, 18)), len(named & set(range(10, 18)))
    others = len(named) - right
    fits = score_items([str(n) for n in named], [str(n) for n in wanted], enough)
    assert fits is (bool(right) and 2 * right >= others + max(right, enough))


async def test_a_quota_is_met_by_as_many_as_were_asked_for() -> None:
    items = tuple("red green blue white black brown grey pink".split())
    asked = Question(id="q", kind="quota", count=3, question="?", items=items, root="https://a.example/")
    answers = {"red; pink; grey": True, "red; pink; mauve": True, "red; mauve; beige": False, "red": False}
    for answer, right in answers.items():
        grade = await grade_one(asked, Sample(question_id="q", variant="all", answer=answer), Graders(scoring="short"))
        assert grade.right is right, answer


@given(st.integers(-300, 300), st.integers(-20, 20))
def test_a_number_is_right_up_to_its_tolerance(hundredths: int, off: int) -> None:
    answer, wanted = (f"{(hundredths + more) / 100:.2f}" for more in (off, 0))
    assert score_number(answer, [wanted]) is (abs(off) <= 10)
