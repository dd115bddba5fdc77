"""What a search for a question without its picture may find, and what it must not."""

from __future__ import annotations

import pytest

from evaluation.building.visual.composing import PictureCandidate, compose
from evaluation.building.visual.examiner import PictureHits, why_not_examined
from evaluation.building.visual.graph import SiteGraph
from evaluation.building.visual.hops import level_one
from evaluation.building.visual.locate import Located
from evaluation.building.visual.verify import Verified
from tests.evaluation.building.visual.small_graph import thing, triple

SHIPS, BUILDERS = ("Alba", "Bora", "Cirra", "Dora"), ("Nils Hage", "Oda Renn", "Per Falk", "Ragna Moe")
SEEN = PictureHits(score=1.0, told=("The ship Alba",))


def graph_of(years: tuple[str, ...] = ("1851", "1860", "1872", "1880"), ships: tuple[str, ...] = SHIPS) -> SiteGraph:
    built = [triple(ship, "Builder", builder, target=True) for ship, builder in zip(ships, BUILDERS, strict=False)]
    born = [triple(builder, "Born", year) for builder, year in zip(BUILDERS, years, strict=True)]
    return SiteGraph(
        [*(thing(one, "ship") for one in ships), *(thing(one, "builder") for one in BUILDERS)], [*built, *born]
    )


def about_alba(graph: SiteGraph) -> PictureCandidate:
    """What year the builder of the ship in the picture was born in."""
    alba = graph.entities["Alba"]
    located = Located(url="http://sea.example/alba.png", page="Alba", digest="d")
    chain = next(one for one in level_one(graph, alba) if one.answer.relation.label == "Born")
    return compose(chain, Verified(located=located, entity=alba, by=("words", "search")), graph)


@pytest.mark.parametrize(
    ("found", "why"),
    [
        ((), ""),
        (("Home", "News"), ""),
        (("Alba",), "without the picture a search finds a source"),
        (("Alba", "Bora", "Cirra", "Home"), "without the picture a search finds a source"),
        ((*SHIPS, "Home"), ""),  # which of the four ships it is only the picture says
        ((*SHIPS, "Nils Hage"), "without the picture a search finds a source"),
        (("Home", "News", "Map", "Shop", "Jobs", "Alba"), ""),  # beyond the first five
    ],
)
def test_a_source_must_not_be_told_from_others_of_its_kind(found: tuple[str, ...], why: str) -> None:
    graph = graph_of()
    assert why_not_examined(about_alba(graph), SEEN, found, graph) == why


def test_a_guess_among_all_that_is_found_must_seldom_be_right() -> None:
    graph = graph_of(("1851", "1851", "1872", "1880"))
    why = why_not_examined(about_alba(graph), SEEN, SHIPS, graph)
    assert why == "without the picture a guess among what a search finds is too often right"


def test_things_of_which_it_is_not_said_are_none_to_choose_from() -> None:
    graph = graph_of(ships=(*SHIPS, "Elva"))  # no builder is known of the fifth
    found = ("Alba", "Bora", "Cirra", "Elva")
    assert why_not_examined(about_alba(graph), SEEN, found, graph) == "without the picture a search finds a source"


def test_the_picture_has_to_name_the_thing() -> None:
    graph = graph_of()
    unlike = PictureHits(score=1.0, told=("The ship Bora",))
    assert why_not_examined(about_alba(graph), unlike, (), graph) == "with the picture the thing cannot be named"
