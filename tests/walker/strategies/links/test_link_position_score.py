"""What the place of a link adds to its score, whatever its text."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.findings import Finding
from memory.state import PageNote, WalkMemory
from memory.url_stack import Frame, UntriedLink, UrlStack
from walker.strategies.links.link_position_score import (
    BREADTH_NAMED,
    FEW_LINKS,
    HERE_BONUS,
    IN_MANUAL,
    LAST_CHANCE,
    NEW_FOLDER,
    OTHER_SCRIPT_LESS,
    SAME_SHAPE,
    SECTION_FRONT,
    SEEN_AT_MOST,
    LinkPosition,
    link_position,
)
from walker.strategies.question.open_parts import OpenParts, Wanted

HOST = "http://reef.example/"
NOBODY = frozenset[str]()
ANY = OpenParts(now=(Wanted(terms=("Mantis",), text="the Mantis"),), language="en")
NAMED = OpenParts(now=(Wanted(pages=("Boats",), text="the Mantis"),), language="en")


def link(path: str, label: str = "Tides", region: str = "main") -> UntriedLink:
    return UntriedLink(url=HOST + path, key=f"reef.example/{path}", label=label, region=region)


def frame(path: str, *links: UntriedLink, title: str = "") -> Frame:
    return Frame(url=HOST + path, key=f"reef.example/{path}", title=title, untried=links)


def note(step: int, path: str) -> PageNote:
    return PageNote(step=step, url=HOST + path, key=f"reef.example/{path}")


def memory_of(*frames: Frame, pages: tuple[PageNote, ...] = (), findings: tuple[Finding, ...] = ()) -> WalkMemory:
    keys = tuple(one.key for one in frames)
    return WalkMemory(step=len(frames), stack=UrlStack(frames=frames, entered=keys), pages=pages, findings=findings)


def bonus(link_: UntriedLink, memory: WalkMemory, depth: int = 0, open_parts: OpenParts = ANY) -> float:
    return link_position(depth or memory.stack.depth, open_parts, memory, NOBODY).bonus(link_, open_parts)


def many(*more: UntriedLink) -> tuple[UntriedLink, ...]:
    """So many links that none is one of the last of its page."""
    return (*more, *(link(f"other-{name}") for name in "abcd"))


def test_a_link_of_the_current_page_comes_before_an_equal_one_further_up() -> None:
    memory = memory_of(frame("", *many()), frame("boats.html", *many()))
    assert bonus(link("a"), memory, 2) - bonus(link("a"), memory, 1) == pytest.approx(HERE_BONUS)


def test_what_only_the_current_page_links_to_is_its_last_chance_unless_it_is_furniture() -> None:
    own, shared = link("own"), link("shared")
    memory = memory_of(frame("", shared), frame("boats.html", own, shared))
    assert bonus(own, memory) - bonus(shared, memory) == pytest.approx(LAST_CHANCE)
    furniture = link("login", "Log in")
    assert bonus(furniture, memory_of(frame("", shared), frame("boats.html", furniture))) == pytest.approx(HERE_BONUS)


def test_many_own_links_are_no_last_chance() -> None:
    links = tuple(link(f"own-{name}") for name in "abcdefgh"[: FEW_LINKS + 1])
    assert bonus(links[0], memory_of(frame(""), frame("boats.html", *links))) == pytest.approx(HERE_BONUS)


def test_a_new_part_of_the_site_comes_before_one_that_was_read() -> None:
    memory = memory_of(frame("", *many()), pages=(note(1, ""), note(2, "news/a.html"), note(3, "news/b.html")))
    scores = [bonus(link(path), memory) for path in ("people/x.html", "x.html", "news/x.html")]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] - scores[1] == pytest.approx(NEW_FOLDER)
    assert bonus(link("people/"), memory) - scores[0] == pytest.approx(SECTION_FRONT), "its front page tells of it"


def test_a_question_that_names_its_page_is_not_led_into_the_breadth() -> None:
    memory = memory_of(frame("", *many()))
    gained = bonus(link("people/x.html"), memory) - HERE_BONUS
    assert bonus(link("people/x.html"), memory, open_parts=NAMED) - HERE_BONUS == pytest.approx(BREADTH_NAMED * gained)


def test_a_series_without_findings_loses_from_its_second_page_on_and_not_for_ever() -> None:
    def after(count: int, findings: tuple[Finding, ...] = ()) -> float:
        read = tuple(note(step, f"volume-{step}.html") for step in range(1, count + 1))
        return bonus(link("volume-99.html"), memory_of(frame("", *many()), pages=read, findings=findings))

    assert after(0) == after(1)
    assert after(1) - after(2) == pytest.approx(SAME_SHAPE)
    assert after(SEEN_AT_MOST + 1) == after(SEEN_AT_MOST + 5)
    found = tuple(Finding(text="six", quote="six", url=HOST, step=step, score=0.5) for step in (1, 2))
    assert after(2, found) == after(0), "pages that told something do not count"


def test_pages_of_the_manual_that_is_named_come_first() -> None:
    asked = OpenParts(now=(Wanted(containers=("Seamanship Handbook",), text="knots"),), language="en")
    front = frame("handbook/index.html", *many(), title="Seamanship Handbook")
    memory = memory_of(frame("", *many()), front)
    beside, elsewhere = link("handbook/knots.html"), link("knots.html")
    assert bonus(beside, memory, open_parts=asked) - bonus(elsewhere, memory, open_parts=asked) > IN_MANUAL / 2
    for other in (link("handbook/knots.html", region="nav"), link("handbook/knots.html#bowline")):
        assert bonus(other, memory, open_parts=asked) < IN_MANUAL / 2


def test_a_label_in_another_script_is_less_likely_in_the_questions_language() -> None:
    memory = memory_of(frame("", *many()))
    assert bonus(link("zh.html", "中文版"), memory) == pytest.approx(HERE_BONUS + OTHER_SCRIPT_LESS)
    chinese = OpenParts(now=(Wanted(text="船"),), language="zh")
    assert bonus(link("zh.html", "船"), memory, open_parts=chinese) == pytest.approx(HERE_BONUS)


PATHS = st.sampled_from(("", "a.html", "people/", "people/a.html", "news/1.html", "news/2.html", "handbook/k.html"))
LINKS = st.builds(
    link, PATHS, st.sampled_from(("Tides", "Log in", "中文版", "Handbook")), st.sampled_from(("main", "nav"))
)


@settings(max_examples=80, deadline=None)
@given(
    frames=st.lists(
        st.tuples(PATHS, st.lists(LINKS, max_size=5)), min_size=1, max_size=3, unique_by=lambda one: one[0]
    ),
    read=st.lists(PATHS, max_size=6),
    one=LINKS,
    open_parts=st.sampled_from((ANY, NAMED, OpenParts(now=(Wanted(containers=("Handbook",)),), language="en"))),
)
def test_no_bonus_is_above_its_bound(
    frames: list[tuple[str, list[UntriedLink]]], read: list[str], one: UntriedLink, open_parts: OpenParts
) -> None:
    """The finder of candidates leaves out links by this bound."""
    stack = tuple(frame(path, *links, title="Handbook") for path, links in frames)
    memory = memory_of(*stack, pages=tuple(note(step, path) for step, path in enumerate(read, start=1)))
    for depth in range(1, len(stack) + 1):
        position = link_position(depth, open_parts, memory, NOBODY)
        assert position.bonus(one, open_parts) <= position.most + 1e-9
        assert position.bonus(one, open_parts) == position.bonus(one, open_parts)


def test_the_bound_counts_only_what_can_be_had() -> None:
    plain = LinkPosition(
        frame=frame("", link("a")), here=False, manual=0.0, own=frozenset(), breadth=0.0, folders={}, shapes={}
    )
    assert plain.most == 0
    assert msgspec.structs.replace(plain, here=True).most == HERE_BONUS
