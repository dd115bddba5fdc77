"""The explorer of a walk about a picture: pages that show it, then the roots, then as ever."""

from __future__ import annotations

from memory.state import PageNote, WalkMemory
from memory.url_key import key_of
from memory.url_stack import Frame, UntriedLink, UrlStack
from perception.observation import Link, Observation
from walker.seams.actions import FollowLink, Jump, Refusal
from walker.seams.picture_pages import GOOD_HITS, OTHER_HITS, ROOTS
from walker.seams.searches import start_address
from walker.strategies.builtin.picture_start import HITS_READ, next_of_start

HOME = "http://site.example/"
START = start_address((HOME,), "ab" * 32)
LISTED = (("a", GOOD_HITS), ("b", GOOD_HITS), ("", ROOTS), ("c", OTHER_HITS))
PAGE = Observation(
    url=START,
    status=200,
    links=tuple(
        Link(id=number, url=HOME + path, label=path, heading=heading)
        for number, (path, heading) in enumerate(LISTED, start=1)
    ),
)


def memory(*opened: str, deep: bool = False, first: str = START) -> WalkMemory:
    """After these pages, standing on the first page, or on one above it."""
    tried = {HOME + path for path in opened}
    untried = tuple(
        UntriedLink(url=link.url, key=key_of(link.url), label=link.label, heading=link.heading)
        for link in PAGE.links
        if link.url not in tried
    )
    stack = UrlStack(frames=(Frame(url=first, key=key_of(first), untried=untried),))
    if deep:
        stack = stack.push(Frame(url=HOME + opened[-1], key=key_of(HOME + opened[-1])))
    notes = [PageNote(step=1, url=first, key=key_of(first))]
    notes += [PageNote(step=n, url=HOME + path, key=key_of(HOME + path)) for n, path in enumerate(opened, start=2)]
    return WalkMemory(step=len(notes), stack=stack, pages=tuple(notes))


def test_the_best_page_that_shows_the_picture_comes_first() -> None:
    assert next_of_start(PAGE, memory(), ()) == FollowLink(link_id=1, reason="it shows the picture: a")


def test_one_that_was_refused_is_passed_over() -> None:
    refused = (Refusal(action=FollowLink(link_id=1), reason="already visited"),)
    assert next_of_start(PAGE, memory(), refused) == FollowLink(link_id=2, reason="it shows the picture: b")


def test_from_such_a_page_the_next_is_jumped_to_and_then_the_root() -> None:
    here = Observation(url=HOME + "a", status=200)
    assert next_of_start(here, memory("a", deep=True), ()) == Jump(url=HOME + "b", reason="it shows the picture: b")
    assert next_of_start(here, memory("a", "b", deep=True), ()) == Jump(url=HOME, reason="a root of the walk: ")


def test_once_a_root_was_opened_links_are_followed_as_ever() -> None:
    assert next_of_start(Observation(url=HOME, status=200), memory("a", "b", "", deep=True), ()) is None


def test_after_some_hits_the_root_comes_though_there_are_more() -> None:
    many = memory(*(f"x{number}" for number in range(HITS_READ)), deep=True)
    assert next_of_start(PAGE, many, ()) == Jump(url=HOME, reason="a root of the walk: ")


def test_any_other_walk_begins_as_it_did() -> None:
    for first in (HOME, start_address((HOME, HOME + "b"))):
        assert next_of_start(PAGE, memory(first=first), ()) is None
