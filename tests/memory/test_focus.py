from __future__ import annotations

from memory.findings import Finding
from memory.focus import LINES_AT_MOST, defocus, refocus
from memory.state import PageNote, WalkMemory


def walked(steps: int) -> WalkMemory:
    pages = tuple(
        PageNote(
            step=step, url=f"http://a/{step}", key=str(step), title=f"Page {step}", outcome="read", gist=f"gist {step}"
        )
        for step in range(1, steps + 1)
    )
    depth = Finding(text="2.4 m", quote="is 2.4 m deep", url="http://a/2", step=2, score=0.8)
    return WalkMemory(step=steps, pages=pages, findings=(depth,))


def test_a_step_is_a_line_with_what_was_found_there() -> None:
    assert defocus(walked(4)) == "1. Page 1: -\n2. Page 2: 2.4 m\n3. Page 3: -"


def test_a_page_that_was_left_says_why() -> None:
    memory = WalkMemory(
        step=2,
        pages=(
            PageNote(step=1, url="http://a/", key="a", outcome="soft 404"),
            PageNote(step=2, url="http://b/", key="b"),
        ),
    )
    assert defocus(memory) == "1. http://a/: soft 404"


def test_of_a_long_walk_only_older_steps_that_told_something_keep_their_line() -> None:
    lines = defocus(walked(30)).splitlines()
    assert lines[:2] == [f"({29 - LINES_AT_MOST - 1})", "2. Page 2: 2.4 m"]
    assert lines[-1] == "29. Page 29: -"
    assert len(lines) == LINES_AT_MOST + 2


def test_a_step_is_seen_again_whole() -> None:
    assert refocus(walked(4), 2) == "2. Page 2 http://a/2\n- 2.4 m: “is 2.4 m deep”\ngist 2"


def test_there_is_nothing_to_see_of_a_step_that_never_was() -> None:
    assert refocus(walked(4), 9) == ""
