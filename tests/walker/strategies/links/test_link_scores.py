"""Scores of links by their text and their place."""

from __future__ import annotations

from memory.url_stack import UntriedLink
from walker.strategies.links.link_text_score import score_link, score_plain_link
from walker.strategies.question.open_parts import OpenParts, Wanted

NOBODY = frozenset[str]()
BOATS = OpenParts(now=(Wanted(pages=("Boats",), terms=("Mantis",), text="Mantis boats"),), language="en")


def link(label: str, path: str, region: str = "main") -> UntriedLink:
    return UntriedLink(key=f"reef.example/{path}", url=f"http://reef.example/{path}", label=label, region=region)


def test_the_page_that_is_named_scores_above_others() -> None:
    assert (
        score_link(link("Boats", "boats.html"), BOATS, NOBODY).score
        > score_link(link("People", "people.html"), BOATS, NOBODY).score
    )


def test_furniture_scores_little() -> None:
    assert score_link(link("Log in", "login"), BOATS, NOBODY).score < 0.2


def test_a_link_has_the_same_score_each_time() -> None:
    one = link("Mantis, a research vessel", "mantis.html")
    assert score_link(one, BOATS, NOBODY) == score_link(one, BOATS, NOBODY)
    assert score_plain_link(one, BOATS) == score_plain_link(one, BOATS)


def test_nothing_wanted_scores_nothing() -> None:
    assert score_link(link("Boats", "boats.html"), OpenParts(), NOBODY).score <= 0.5
