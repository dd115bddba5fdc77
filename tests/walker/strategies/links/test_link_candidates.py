"""The order in which the links of a walk's stack are tried."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from memory.state import WalkMemory
from memory.url_stack import Frame, UntriedLink, UrlStack
from perception.observation import Block, Link, Observation
from tests.fixtures.paper import ranker
from walker.strategies.links.link_candidates import (
    A_PLACE,
    CANDIDATES_AT_LEAST,
    Barred,
    LinkCandidate,
    LinkCandidateFinder,
)
from walker.strategies.links.link_position_score import HERE_BONUS
from walker.strategies.question.open_parts import OpenParts, Wanted

HOST = "http://reef.example/"
BOATS = OpenParts(now=(Wanted(pages=("Boats",), terms=("Mantis",), text="the boat Mantis"),), language="en")
NOTHING = Observation(url=HOST, status=200)


def link(path: str, label: str = "", context: str = "") -> UntriedLink:
    key = f"reef.example/{path.partition('#')[0]}"
    return UntriedLink(url=HOST + path, key=key, label=label or path, context=context)


def memory_of(*pages: tuple[UntriedLink, ...]) -> WalkMemory:
    frames = tuple(
        Frame(url=f"{HOST}page-{depth}", key=f"reef.example/page-{depth}", untried=links)
        for depth, links in enumerate(pages, start=1)
    )
    return WalkMemory(step=len(pages), stack=UrlStack(frames=frames, entered=tuple(one.key for one in frames)))


def found(
    memory: WalkMemory, observation: Observation = NOTHING, barred: Barred | None = None, asked: OpenParts = BOATS
) -> tuple[LinkCandidate, ...]:
    return LinkCandidateFinder(ranker()).find_candidates(asked, observation, memory, barred)


def shown(*links: Link, blocks: tuple[Block, ...] = ()) -> Observation:
    return Observation(url=f"{HOST}page-1", status=200, links=links, blocks=blocks)


def test_the_page_that_is_named_comes_first_and_every_page_once() -> None:
    memory = memory_of((link("news.html", "News"), link("boats.html", "Boats")), (link("boats.html", "More"),))
    candidates = found(memory)
    assert candidates[0].url == HOST + "boats.html"
    assert sorted(one.key for one in candidates) == ["reef.example/boats.html", "reef.example/news.html"]
    assert (candidates[0].label, candidates[0].depth) == ("Boats", 1), (
        "by the label that says more, though it is further up"
    )


def test_of_equal_links_the_nearer_one_counts() -> None:
    same = link("boats.html", "Boats")
    (near,) = found(memory_of((same,), (same,)))
    (far,) = found(memory_of((same,), ()))
    assert (near.depth, far.depth) == (2, 1)
    assert near.score > far.score
    assert near.score - far.score >= HERE_BONUS


def test_a_walk_without_links_or_pages_has_no_candidates() -> None:
    assert found(memory_of(())) == ()
    assert found(WalkMemory()) == ()


def test_what_is_barred_is_left_out_and_changes_no_other_score() -> None:
    links = tuple(link(f"page-{number}.html", f"Boat {number}") for number in range(8))
    memory = memory_of(links[:4], links[4:])
    everything = {one.key: one for one in found(memory)}
    assert len(everything) == 8
    for kept in links:
        (one,) = found(memory, barred=lambda url, _, kept=kept: url != kept.url)  # type: ignore[misc]
        assert one == everything[kept.key]


def test_links_of_the_page_are_barred_by_their_number() -> None:
    memory = memory_of((link("boats.html", "Boats"), link("news.html", "News")))
    page = shown(Link(id=1, url=HOST + "boats.html", label="Boats"), Link(id=2, url=HOST + "news.html", label="News"))
    asked: list[tuple[str, int]] = []

    def bar(url: str, number: int) -> bool:
        asked.append((url, number))
        return number == 1

    (left,) = found(memory, page, bar)
    assert (left.url, left.link_id) == (HOST + "news.html", 2)
    assert (HOST + "boats.html", 1) in asked


def test_a_link_of_the_page_that_was_tried_is_no_candidate() -> None:
    memory = memory_of((link("news.html", "News"),))
    page = shown(Link(id=1, url=HOST + "boats.html", label="Boats"), Link(id=2, url=HOST + "news.html", label="News"))
    assert [one.key for one in found(memory, page)] == ["reef.example/news.html"]


def test_of_a_page_with_two_labels_the_better_one_counts() -> None:
    memory = memory_of((link("boats.html", "here"),))
    page = shown(
        Link(id=1, url=HOST + "boats.html", label="here"), Link(id=2, url=HOST + "boats.html#mantis", label="Boats")
    )
    (one,) = found(memory, page)
    assert (one.link_id, one.label) == (2, "Boats")


def test_what_stands_below_a_heading_that_is_a_link_speaks_for_it() -> None:
    memory = memory_of((link("a.html", "Fleet"), link("b.html", "Harbour")))
    links = (Link(id=1, url=HOST + "a.html", label="Fleet"), Link(id=2, url=HOST + "b.html", label="Harbour"))
    told = Block(id=3, kind="paragraph", text="The Mantis and her sister lie here.", headings=("Harbour",))
    before = {one.link_id: one.score for one in found(memory, shown(*links))}
    after = {one.link_id: one.score for one in found(memory, shown(*links, blocks=(told,)))}
    assert after[2] > before[2]
    assert after[1] == before[1]


def test_the_order_is_the_same_each_time_and_with_used_caches() -> None:
    memory = memory_of(tuple(link(f"{name}.html", name) for name in ("Boats", "Crew", "Mantis", "Tides")))
    finder = LinkCandidateFinder(ranker())
    first = finder.find_candidates(BOATS, NOTHING, memory)
    finder.find_candidates(OpenParts(now=(Wanted(pages=("Crew",), text="crew"),)), NOTHING, memory)
    assert finder.find_candidates(BOATS, NOTHING, memory) == first == found(memory)
    assert [one.score for one in first] == sorted((one.score for one in first), reverse=True)


def test_a_great_stack_loses_none_of_its_best_links() -> None:
    links = [
        link(f"section-{number}/page.html", f"Boats {number}" if number % 9 == 0 else "x") for number in range(240)
    ]
    memory = memory_of(tuple(links[:80]), tuple(links[80:160]), tuple(links[160:]))
    candidates = found(memory)
    assert len(candidates) >= CANDIDATES_AT_LEAST
    # Asked one by one, so that nothing is left out for others, each link has the same score.
    alone = {
        one.key: found(memory, barred=lambda url, _, one=one: url != one.url)[0].score  # type: ignore[misc]
        for one in links[::9]
    }
    ours = {one.key: one.score for one in candidates}
    assert {key: ours.get(key) for key in alone} == alone


def route(path: str, label: str) -> UntriedLink:
    return UntriedLink(url=f"{HOST}#/{path}", key=f"reef.example/#/{path}", label=label)


def test_places_on_a_route_that_was_read_come_after_pages_that_were_not() -> None:
    links = (
        route("boats?id=mantis", "Mantis of the boats"),
        route("crew", "Crew"),
        route("boats?page=2", "Boats, page 2"),
    )
    memory = memory_of(links)
    before = {one.key: one.score for one in found(memory)}
    for read in ("boats", "boats?id=heron"):
        entered = replace(memory, stack=memory.stack.enter(f"reef.example/#/{read}"))
        after = {one.key: before[one.key] - one.score for one in found(entered)}
        assert {key for key, less in after.items() if less} == {links[0].key}, "a number may be that of a further page"
        assert after[links[0].key] == pytest.approx(A_PLACE)
    other = replace(memory, stack=memory.stack.enter("reef.example/#/boats-of-old"))
    assert {one.key: one.score for one in found(other)} == before
