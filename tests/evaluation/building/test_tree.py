from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.building.candidate import difficulty_of
from evaluation.building.sampling import sample_targets
from evaluation.building.tree import HarvestedPage, SiteLink, SiteTree, build_tree, read_site_links
from evaluation.dataset.question import Click
from perception.document.reading import observe
from perception.snapshot import Snapshot
from tests.evaluation.building.small_site import BASE, key, tree_of
from walker.rules.scope import WalkScope


def test_a_click_path_leads_from_the_root_and_walks() -> None:
    tree = tree_of()
    path = tree.click_path(key("/oak/prices"))
    assert [click.label for click in path] == ["Oak", "Prices"]
    walked = tree.walks(path)
    assert walked is not None
    assert walked.key == key("/oak/prices")
    assert tree.walks(()) is tree.root


def test_a_click_that_is_not_on_the_page_does_not_walk() -> None:
    tree = tree_of()
    assert tree.walks((Click(label="Prices", url=f"{BASE}oak/prices"),)) is None
    assert tree.walks((Click(label="Elm", url=f"{BASE}elm"),)) is None
    with pytest.raises(KeyError):
        tree.click_path(key("/elm"))


def test_a_tree_has_a_root() -> None:
    with pytest.raises(ValueError, match="root"):
        SiteTree([])


def harvested(name: str, *links: str, place: str = "") -> HarvestedPage:
    ways = tuple(SiteLink(url=f"{BASE}{link}", label=f"to {link}") for link in links)
    return HarvestedPage(key=key(f"/{name}"), url=f"{BASE}{name}", place=f"{BASE}{place or name}", ways=ways)


def test_a_page_stands_where_the_fewest_clicks_lead() -> None:
    pages = [
        harvested("deep"),
        harvested("near", "deep"),
        harvested("far", "deep", "near"),
        harvested("", "far", "near", "gone"),
        harvested("lost", "deep"),
    ]
    tree = build_tree(BASE, pages)
    assert [(page.level, page.label) for page in tree.pages] == [(1, ""), (2, "to far"), (2, "to near"), (3, "to deep")]
    assert tree.page(key("/lost")) is None
    assert all(tree.walks(tree.click_path(page.key)) is page for page in tree.pages)
    with pytest.raises(ValueError, match="root"):
        build_tree(f"{BASE}other", pages)


def test_a_route_of_an_application_is_a_page_and_a_place_on_a_page_is_none() -> None:
    html = '<main><a href="#/oak">Oak</a> <a href="#top">Top</a> <a href="elm#price">Elm</a></main>'
    seen = observe(Snapshot(url=BASE, final_url=BASE, status=200, html=html, fetched_at=0.0))
    ways = read_site_links(seen, WalkScope(root_url=BASE))
    assert [way.url for way in ways] == [f"{BASE}#/oak", f"{BASE}elm"]
    oak = HarvestedPage(key=key("/#/oak"), url=f"{BASE}#/oak", place=f"{BASE}#/oak")
    tree = build_tree(BASE, [HarvestedPage(key=key("/"), url=BASE, place=BASE, ways=ways), oak])
    assert [page.url for page in tree.pages] == [BASE, f"{BASE}#/oak"]


def test_a_page_that_was_led_to_stands_under_the_address_that_is_linked() -> None:
    tree = build_tree(BASE, [harvested("", "new", "old"), harvested("old", place="new")])
    (page,) = (page for page in tree.pages if page.level == 2)
    assert (page.key, page.label) == (key("/new"), "to new")
    assert tree.walks(tree.click_path(page.key)) is page


@st.composite
def sites(draw: st.DrawFn) -> list[HarvestedPage]:
    names = ["", *(f"p{number}" for number in range(draw(st.integers(0, 8))))]
    return [harvested(name, *draw(st.lists(st.sampled_from(names), max_size=4))) for name in names]


@settings(max_examples=40)
@given(sites(), st.randoms(use_true_random=False))
def test_a_tree_is_walkable_and_does_not_hang_on_the_order_of_pages(pages: list[HarvestedPage], chance: Random) -> None:
    tree = build_tree(BASE, pages)
    assert all(tree.walks(tree.click_path(page.key)) is page for page in tree.pages)
    assert all(len(tree.click_path(page.key)) == page.level - 1 for page in tree.pages)
    shuffled = list(pages)
    chance.shuffle(shuffled)
    assert build_tree(BASE, shuffled).pages == tree.pages


@pytest.mark.parametrize(
    ("levels", "difficulty"),
    [
        ((2,), "easy"), ((3,), "medium"), ((4,), "hard"),
        ((2, 2), "easy"), ((2, 3), "medium"), ((3, 3), "medium"), ((2, 4), "hard"), ((3, 4), "hard"), ((4, 4), "hard"),
    ],
)  # fmt: skip
def test_difficulty_is_by_depth_and_ties_have_a_rule(levels: tuple[int, ...], difficulty: str) -> None:
    assert difficulty_of(levels) == difficulty
    assert difficulty_of(levels[::-1]) == difficulty


@given(st.integers(1, 4), st.integers(1, 4))
def test_a_pair_is_in_a_class_that_the_paper_allows(one: int, other: int) -> None:
    allowed = {"easy": (2, 4), "medium": (4, 6), "hard": (6, 8)}
    low, high = allowed[difficulty_of((one, other))]
    assert low <= one + other <= high


def test_targets_come_in_turn_by_difficulty_and_never_the_root() -> None:
    tree = tree_of()
    singles = [target[0].level for target in sample_targets(tree, 1)]
    assert sorted(singles) == [2, 2, 3, 4]
    assert singles[:3] == [2, 3, 4]
    pairs = list(sample_targets(tree, 2, seed=3))
    assert len(pairs) == 6
    assert pairs == list(sample_targets(tree, 2, seed=3))
