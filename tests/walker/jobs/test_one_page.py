"""What of a long page is given to whoever asks something of it."""

from __future__ import annotations

from tests.fixtures.paper import ranker
from walker.jobs.one_page import best_parts

COMMITTEE = "\n\n".join(
    (
        "# Committee",
        "#### General Chairs",
        "* [Ana Ruiz](/a) University of Norham",
        "#### Papers Chairs",
        "* [Cem Ok](/c) NVIDIA\n* [Dee Poe](/d) McGill",
        "#### Posters Chair",
        "* [Eve Fu](/e) Unity",
        "**Paper submission deadline:** 19 December 2018",
        "**Paper notifications:** 15 February 2019",
    )
)


def test_a_heading_that_the_question_names_brings_what_stands_below_it() -> None:
    told = best_parts(COMMITTEE, "papers chairs", 150, ranker())
    assert "#### Papers Chairs\n\n* [Cem Ok](/c) NVIDIA\n* [Dee Poe](/d) McGill" in told
    assert len(told) <= 150


def test_no_heading_stands_alone() -> None:
    told = best_parts(COMMITTEE, "papers chairs", 400, ranker())
    lines = told.split("\n\n")
    assert [one for one, below in zip(lines, [*lines[1:], "#"], strict=True) if one[0] == below[0] == "#"] == []


def test_what_has_no_heading_is_kept_too() -> None:
    told = best_parts(
        "The flume is 40 m long.\n\nThe cafe sells soup.\n\nOpen daily.", "How long is the flume?", 45, ranker()
    )
    assert told == "The flume is 40 m long."
