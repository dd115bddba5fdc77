from __future__ import annotations

from typing import Any

import pytest
from answers.checks import corrected, failures_of, failures_of_set, nearer
from answers.question_set import Site, SiteQuestions
from answers.site_map import SiteMap

from tests.bench.answers.conftest import made_question


class Files:
    """The site's only picture, and a style sheet that hides nothing but the fares."""

    def file_kind(self, path: str) -> str:
        return "image/png" if path == "boats/deck.png" else ""

    def text_seen(self, path: str) -> str:
        return "Fares" if path == "fares.html" else "Crossing since\nlong ago."


def failures(site: Site, ferry: SiteMap, **given: Any) -> tuple[str, ...]:
    return failures_of(made_question(**given), site, ferry, Files())


QUOTA = {
    "kind": "quota",
    "question": "Name 2 boats of the line.",
    "answer": "Alma; Berta; Cora",
    "items": ["Alma", "Berta", "Cora"],
    "n": 2,
    "sources": ["boats/"],
    "evidence": ["Alma Berta Cora"],
    "depth": [1],
}
COUNT = {**QUOTA, "kind": "exhaustive", "question": "How many boats does the line have?", "answer": "3", "n": 0}
VISUAL = {
    "kind": "visual",
    "question": "How many lifeboats does the deck plan show?",
    "answer": "seven",
    "sources": ["boats/deck.html"],
    "evidence": [""],
    "picture": "boats/deck.png",
}
NONE = {"kind": "none", "answer": "", "sources": [], "evidence": [], "depth": [], "difficulty": ""}
MULTI = {
    "kind": "multi",
    "question": "Which year of building does the boat with 120 seats have?",
    "sources": ["boats/index.html", "boats/alma.html"],
    "evidence": ["Ferry Alma 120", "built in 1931"],
    "depth": [1, 2],
    "difficulty": "medium",
}


@pytest.mark.parametrize("right", [{}, QUOTA, COUNT, VISUAL, NONE, MULTI], ids=lambda one: one.get("kind", "single"))
def test_a_right_question_passes(site: Site, ferry: SiteMap, right: dict[str, Any]) -> None:
    assert failures(site, ferry, **right) == ()


@pytest.mark.parametrize(
    ("wrong", "failure"),
    [
        ({"evidence": ["The Alma was built in 1932"]}, "evidence is not there"),
        ({"evidence": ["sleeps in the old dock"], "answer": "old dock"}, "is hidden and not marked as closed"),
        ({"sources": ["boats/berta.html"]}, "no clicks lead there"),
        ({"depth": [3]}, "2 clicks away, not 3"),
        ({"difficulty": "hard"}, "difficulty is hard, not easy"),
        ({"answer": "Rostock"}, "no form of the answer stands in the evidence"),
        ({"question": "Was the Alma built in 1931?"}, "the question contains the answer '1931'"),
        ({"sources": ["boats/alma.html", "fares"]}, "not equally many"),
        ({"evidence": ["The “Alma”  was built in 1931"]}, "white space is not collapsed"),
        ({**MULTI, "sources": ["boats/alma.html"], "evidence": ["built in 1931"], "depth": [2]}, "one source only"),
        (
            {"sources": ["history.html"], "evidence": ["Crossing since long ago."], "answer": "long ago", "depth": [1]},
            "also stands nearer to the root, on index.html",
        ),
        ({**QUOTA, "items": ["Alma", "Berta", "Dora"]}, "an item is on none of the sources: 'Dora'"),
        ({**QUOTA, "n": 3}, "3 of 3 items are asked for"),
        ({**QUOTA, "answer": "Alma"}, "not all items, joined"),
        ({**COUNT, "answer": "4"}, "3 items, and the answer is 4"),
        ({**VISUAL, "picture": "boats/plan.png"}, "there is no picture"),
        ({**VISUAL, "answer": "the plan"}, "the text says 'the plan' too"),
        ({**NONE, "answer": "1931"}, "the site does not answer it, and it has answer"),
        ({"root": "home.html"}, "site and root are"),
    ],
)
def test_what_is_wrong_is_named(site: Site, ferry: SiteMap, wrong: dict[str, Any], failure: str) -> None:
    assert failure in "\n".join(failures(site, ferry, **wrong))


def test_hidden_text_counts_where_the_question_says_so(site: Site, ferry: SiteMap) -> None:
    hidden = {"where": "closed", "evidence": ["She sleeps in the old dock."], "answer": "old dock"}
    assert failures(site, ferry, question="Where does the Alma sleep?", **hidden) == ()


def test_what_a_style_sheet_hides_nearer_to_the_root_does_no_harm(ferry: SiteMap) -> None:
    assert nearer("long ago", "history.html", ferry, Files()) == ["index.html"]
    assert nearer("Fares", "boats/alma.html", ferry, Files()) == ["fares.html"]
    assert nearer("A crossing costs 4.50", "boats/alma.html", ferry, Files()) == []


def test_depth_and_difficulty_follow_from_the_pages(ferry: SiteMap) -> None:
    right = corrected(made_question(depth=(9,), difficulty="hard"), ferry)
    assert (right.depth, right.difficulty) == ((2,), "easy")


def test_a_set_has_unique_questions_and_enough_of_them(site: Site) -> None:
    twice = (made_question(), made_question())
    assert list(failures_of_set([SiteQuestions(site=site, questions=twice)])) == [
        "id occurs 2 times: ferry-001",
        "question occurs 2 times: In which year was the ferry Alma built?",
        "ferry: 2 questions, 15 are the least",
    ]
