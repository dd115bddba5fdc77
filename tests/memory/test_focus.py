from __future__ import annotations

from memory.findings import Finding
from memory.focus import LINES_AT_MOST, MOVES_AT_MOST, defocus, place_of, refocus
from memory.state import NOTHING_CHANGED, MoveNote, PageNote, WalkMemory


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
    assert defocus(walked(4)) == "1. Page 1 (/1): nothing\n2. Page 2 (/2): 2.4 m\n3. Page 3 (/3): nothing"


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
    assert lines[:2] == [f"({29 - LINES_AT_MOST - 1})", "2. Page 2 (/2): 2.4 m"]
    assert lines[-1] == "29. Page 29 (/29): nothing"
    assert len(lines) == LINES_AT_MOST + 2


def test_a_step_is_seen_again_whole() -> None:
    assert refocus(walked(4), 2) == "2. Page 2 http://a/2\n- 2.4 m: “is 2.4 m deep”\ngist 2"


def test_there_is_nothing_to_see_of_a_step_that_never_was() -> None:
    assert refocus(walked(4), 9) == ""


def moved(step: int, what: str, outcome: str = "") -> MoveNote:
    return MoveNote(step=step, page=str(step), what=what, outcome=outcome)


def test_a_line_says_what_was_done_there_and_what_came_of_it() -> None:
    moves = (
        moved(1, "back", "this is the root page"),
        moved(1, "follow [3] “Boats”"),
        moved(2, "scroll", NOTHING_CHANGED),
        moved(2, "read part 4"),
        moved(2, "read part 4"),
    )
    memory = WalkMemory(step=2, pages=walked(2).pages, moves=moves)
    assert defocus(memory) == (
        "1. Page 1 (/1): nothing → back (this is the root page); follow [3] “Boats”\n"
        "here: scroll (nothing changed); read part 4 x2"
    )


def test_what_was_done_after_going_back_counts_for_the_page_before() -> None:
    """Operations and ways back have steps of their own but read no new page."""
    first, third = walked(3).pages[0], walked(3).pages[2]
    moves = (moved(1, "scroll"), moved(2, "back"), moved(3, "follow [1] “A”"))
    memory = WalkMemory(step=3, pages=(first, third), moves=moves)
    assert defocus(memory) == "1. Page 1 (/1): nothing → scroll; back\nhere: follow [1] “A”"


def test_of_many_moves_at_one_step_the_last_are_told() -> None:
    moves = tuple(moved(1, f"read part {part}") for part in range(1, 30))
    line = defocus(WalkMemory(step=1, pages=walked(1).pages, moves=moves))
    assert line.startswith("here: ")
    assert line.count("read part") == MOVES_AT_MOST
    assert line.endswith("read part 29")


def test_pages_of_an_application_are_told_apart_by_heading_and_route() -> None:
    notes = tuple(
        PageNote(
            step=n,
            url=f"http://a/#/{name}",
            key=f"http://a/#/{name}",
            title="App",
            heading=name.title(),
            outcome="read",
        )
        for n, name in enumerate(("boats", "crew", "map"), start=1)
    )
    lines = defocus(WalkMemory(step=3, pages=notes)).splitlines()
    assert lines == ["1. Boats (/#/boats): nothing", "2. Crew (/#/crew): nothing"]


def test_a_place_is_written_as_people_read_it() -> None:
    assert place_of("http://a/%E6%B4%BB?d=e#f") == "/活?d=e"


def test_what_was_refused_of_a_reply_is_told_in_the_next_step_only() -> None:
    why = ("item “Kraken”: its quote is not on the page", "list 7: this page has no list of this number")
    refused = MoveNote(step=1, page="1", what="findings", outcome="2 not taken", told=why)
    told = ["1. Page 1 (/1): nothing → findings (2 not taken)", f"  {why[0]}", f"  {why[1]}"]
    assert defocus(WalkMemory(step=1, pages=walked(1).pages, moves=(refused,))).splitlines() == [
        "here: findings (2 not taken)",
        *told[1:],
    ]
    assert defocus(WalkMemory(step=2, pages=walked(2).pages, moves=(refused,))).splitlines() == told
    later = defocus(WalkMemory(step=3, pages=walked(3).pages, moves=(refused,)))
    assert later.splitlines()[0] == told[0]
    assert "Kraken" not in later
