"""What raises a page above another whose best passage fits as well."""

from __future__ import annotations

import pytest

from memory.library.page_ranking import FoundPassage, address_words, page_scores, signals_of, weight_of

QUERY = ("tide", "gate")
WEIGHTS = {"tide": 2.0, "gate": 2.0}
PLAIN = FoundPassage(1, "http://a.example/x", "handbook", "gate north tide", 3.0)


def scores(*others: FoundPassage, passages: dict[int, int] | None = None) -> list[float]:
    found = (PLAIN, *others)
    return page_scores(found, signals_of(QUERY, WEIGHTS, found, passages or {}))


@pytest.mark.parametrize(
    "better",
    [
        FoundPassage(2, "http://a.example/y", "handbook", "north tide gate", 3.0),
        FoundPassage(2, "http://a.example/y", "tide gate", "gate north tide", 3.0),
        FoundPassage(2, "http://a.example/tide-gate", "handbook", "gate north tide", 3.0),
    ],
    ids=["words side by side", "title", "address"],
)
def test_what_fits_besides_the_keywords_of_a_passage_counts(better: FoundPassage) -> None:
    plain, other = scores(better)
    assert 0 < plain < other == 3.0


def test_words_for_what_every_address_is_are_no_reason_for_it() -> None:
    found = (PLAIN, FoundPassage(2, "http://a.example/page-3.html", "handbook page", "gate north tide", 3.0))
    asked = {"page": 2.0, **WEIGHTS}
    plain, other = signals_of(("page", *QUERY), asked, found, {})
    assert (other.address, other.title) == (plain.address, plain.title) == (0.0, 0.0)


def test_a_page_with_two_passages_that_fit_is_before_one_with_one() -> None:
    first, second, third = scores(
        FoundPassage(2, "http://a.example/y", "handbook", "gate north tide", 3.0),
        FoundPassage(2, "http://a.example/y", "handbook", "tide", 2.0),
    )
    assert first < second
    assert third > 0


def test_of_pages_that_fit_alike_the_short_one_is_first() -> None:
    long, short = scores(
        FoundPassage(2, "http://a.example/y", "handbook", "gate north tide", 3.0), passages={1: 90, 2: 1}
    )
    assert long < short


def test_nothing_found_has_no_scores() -> None:
    assert page_scores((), signals_of(QUERY, WEIGHTS, (), {})) == []


def test_rare_words_weigh_more_also_where_the_count_of_passages_is_behind() -> None:
    assert weight_of(1, 1000) > weight_of(500, 1000) > weight_of(1200, 1000) > 0


def test_words_of_an_address_are_those_behind_its_host() -> None:
    assert address_words("http://tide.example/north/sea%20gates.html") == {"north", "sea", "gate", "html"}
