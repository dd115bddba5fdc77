from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from traces.compare.alignment import _by_page, align
from traces.reading.steps import Step


def steps(*names: str) -> list[Step]:
    """Each name is a path such as "a/b": page b, entered from a."""
    return [
        Step(number=number, key=name.split("/")[-1], path=tuple(name.split("/"))) for number, name in enumerate(names)
    ]


def test_one_extra_step_shifts_nothing() -> None:
    one = steps("h", "h/a", "h/b", "h/c")
    other = steps("h", "h/a", "h/x", "h/b", "h/c")
    assert align(one, other) == ((0, 0), (1, 1), (None, 2), (2, 3), (3, 4))


def test_another_order_pairs_what_keeps_it() -> None:
    assert align(steps("h", "h/a", "h/b"), steps("h", "h/b", "h/a")) == ((0, 0), (1, None), (2, 1), (None, 2))


def test_a_page_is_paired_at_the_same_place_first() -> None:
    one, other = steps("h", "h/a"), steps("h", "h/x/a", "h/a")
    assert align(one, other) == ((0, 0), (None, 1), (1, 2))


def test_walks_of_nothing() -> None:
    assert align([], []) == ()
    assert align(steps("h"), []) == ((0, None),)


walks = st.lists(st.sampled_from(["h", "h/a", "h/b", "h/a/b", "h/c"]), max_size=12).map(lambda names: steps(*names))


@given(walks, walks)
def test_every_step_is_in_one_pair_in_order_and_pairs_are_of_one_page(one: list[Step], other: list[Step]) -> None:
    for pairs in (align(one, other), _by_page(one, other)):
        assert [left for left, _ in pairs if left is not None] == list(range(len(one)))
        assert [right for _, right in pairs if right is not None] == list(range(len(other)))
        assert all(one[left].key == other[right].key for left, right in pairs if left is not None and right is not None)


@given(walks)
def test_a_walk_aligns_with_itself(one: list[Step]) -> None:
    assert align(one, one) == tuple((place, place) for place in range(len(one)))
