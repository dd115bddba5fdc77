"""The pages that a search found are read in its order, and so many."""

from __future__ import annotations

from memory.state import PageNote, WalkMemory
from memory.url_stack import Frame, UntriedLink, UrlStack
from perception.observation import Link, Observation
from walker.seams.actions import FollowLink, GiveAnswer, Jump, Refusal, Search
from walker.seams.searches import search_address
from walker.strategies.builtin.hit_order import FIRST_HITS, HITS_READ, find_by_search, is_walk_through_hits, next_hit
from walker.strategies.question.open_parts import OpenParts, Wanted
from walker.strategies.question.question import read_question

ROOT = search_address("page size")
HITS = tuple(f"https://a.example/{name}" for name in ("third", "first", "second"))
QUESTION = read_question("What is the page size?", "en")
PAGE_OF_HITS = Observation(
    url=ROOT, status=200, links=tuple(Link(id=at, url=url, label=url[-5:]) for at, url in enumerate(HITS, start=1))
)


def memory(*read: str, below: str = "") -> WalkMemory:
    untried = tuple(UntriedLink(url=url, key=url) for url in HITS if url not in read)
    stack = UrlStack(frames=(Frame(url=ROOT, key=ROOT, untried=untried),), entered=(ROOT, *read))
    if below:
        stack = stack.push(Frame(url=below, key=below))
    notes = tuple(PageNote(step=at, url=url, key=url) for at, url in enumerate((ROOT, *read), start=1))
    return WalkMemory(stack=stack, pages=notes)


def test_a_walk_through_hits_begins_with_a_search() -> None:
    assert is_walk_through_hits(memory())
    assert not is_walk_through_hits(WalkMemory())
    root = Frame(url="https://a.example/", key="https://a.example/")
    assert not is_walk_through_hits(WalkMemory(stack=UrlStack().push(root)))


def test_the_first_hit_is_followed_and_the_next_jumped_to() -> None:
    action = next_hit(QUESTION, PAGE_OF_HITS, memory(), ())
    assert isinstance(action, FollowLink)
    assert action.link_id == 1
    page = Observation(url=HITS[0], status=200)
    onward = next_hit(QUESTION, page, memory(HITS[0], below=HITS[0]), ())
    assert isinstance(onward, Jump)
    assert onward.url == HITS[1]


def test_what_was_refused_is_passed_over() -> None:
    refused = (Refusal(action=FollowLink(link_id=1), reason="no"), Refusal(action=Jump(url=HITS[1]), reason="no"))
    action = next_hit(QUESTION, PAGE_OF_HITS, memory(), refused)
    assert isinstance(action, FollowLink)
    assert action.link_id == 3


def test_it_ends_when_enough_or_all_were_read_unless_that_is_refused() -> None:
    assert isinstance(next_hit(QUESTION, PAGE_OF_HITS, memory(*HITS), ()), GiveAnswer)
    many = memory(*(f"https://b.example/{number}" for number in range(HITS_READ)))
    assert isinstance(next_hit(QUESTION, PAGE_OF_HITS, many, ()), GiveAnswer)
    refused = (Refusal(action=GiveAnswer(), reason="the count is open"),)
    assert isinstance(next_hit(QUESTION, PAGE_OF_HITS, many, refused), FollowLink)


SITE = "https://a.example/"


def walking(*read: str, searched: str = "") -> WalkMemory:
    """A walk from a root that has read some pages; with a search on its stack, the hits of it."""
    frames = [Frame(url=SITE, key=SITE)]
    if searched:
        untried = tuple(UntriedLink(url=url, key=url) for url in HITS if url not in read)
        frames.append(Frame(url=searched, key=searched, untried=untried))
    urls = (SITE, *((searched,) if searched else ()), *read)
    notes = tuple(PageNote(step=at, url=url, key=url) for at, url in enumerate(urls, start=1))
    return WalkMemory(stack=UrlStack(frames=tuple(frames), entered=urls), pages=notes)


def proposed(memory: WalkMemory, *refused: Refusal, page: Observation = PAGE_OF_HITS) -> object:
    return find_by_search(QUESTION, OpenParts(), page, memory, refused)


def test_a_site_is_searched_before_it_is_leafed_through_and_once_for_the_same_words() -> None:
    action = proposed(walking())
    assert isinstance(action, Search)
    assert action.query == QUESTION.text
    many = tuple(f"{SITE}{number}" for number in range(FIRST_HITS))
    assert proposed(walking(*many, searched=search_address("What is the page size?"))) is None
    assert proposed(walking(), Refusal(action=Search(query="x"), reason="no")) is None


def test_the_first_hits_are_read_in_their_order() -> None:
    action = proposed(walking(searched=ROOT))
    assert isinstance(action, FollowLink)
    assert action.link_id == 1
    onward = proposed(walking(HITS[0], searched=ROOT), Refusal(action=FollowLink(link_id=2), reason="off topic"))
    assert isinstance(onward, FollowLink)
    assert onward.link_id == 3


def test_each_open_part_is_searched_for_by_its_own_words() -> None:
    question = read_question("How many more boats has the Harbour Club than the Sailing School?", "en")
    parts = OpenParts(now=(Wanted(text="boats of the Harbour Club"), Wanted(text="boats of the Sailing School")))
    many = tuple(f"{SITE}{number}" for number in range(FIRST_HITS))
    memory = walking(*many, searched=search_address("boats of the Harbour Club"))
    action = find_by_search(question, parts, PAGE_OF_HITS, memory, ())
    assert len(question.parts) > 1
    assert isinstance(action, Search)
    assert "Sailing" in action.query
