from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.building.candidate import difficulty_of
from evaluation.building.sampling import sample_targets
from evaluation.building.tree import HarvestedPage, SiteTree, Way, next_level
from evaluation.dataset.question import Click
from tests.evaluation.building.small_site import BASE, key, tree_of


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


def test_the_next_level_takes_a_link_of_each_page_in_turn() -> None:
    def harvested(name: str, *links: str) -> HarvestedPage:
        ways = tuple(Way(url=f"{BASE}{link}", label=link) for link in links)
        return HarvestedPage(key=name, url=f"{BASE}{name}", level=2, ways=ways)

    pages = [harvested("many", "a", "b", "c", "d"), harvested("few", "e"), harvested("known", "a")]
    chosen = next_level(pages, {key("/b")}, 3)
    assert [one.url.removeprefix(BASE) for one in chosen] == ["a", "e", "c"]
    assert {one.level for one in chosen} == {3}
    assert [one.parent for one in chosen] == ["many", "few", "many"]


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
