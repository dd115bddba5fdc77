"""Passages hold every line, in order, and stay about as long as they should."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from memory.library.passages import LONGEST_LINE, PASSAGE_CHARS, cut_passages
from memory.library.protocol import PageLine

LINES = st.lists(
    st.builds(
        PageLine,
        text=st.text(st.sampled_from("ab .。\n"), max_size=1600),
        is_heading=st.booleans(),
        headings=st.lists(st.sampled_from(("One", "Two")), max_size=2).map(tuple),
    ),
    max_size=12,
)


@settings(max_examples=40)
@given(LINES)
def test_nothing_is_lost_and_nothing_is_there_twice(lines: list[PageLine]) -> None:
    passages = cut_passages(lines)
    assert "".join("".join(passage.text.split()) for passage in passages) == "".join(
        "".join(line.text.split()) for line in lines
    )
    assert [passage.place for passage in passages] == list(range(len(passages)))
    assert all(len(passage.text) <= LONGEST_LINE + PASSAGE_CHARS for passage in passages)
    assert all(passage.text.strip() for passage in passages)


def test_short_lines_are_joined_up_to_the_length_of_a_passage() -> None:
    passages = cut_passages([PageLine(text="word " * 20, headings=("A",))] * 20)
    assert [len(passage.text) // 100 for passage in passages] == [7, 7, 6]
    assert passages[0].headings == ("A",)


def test_a_heading_begins_a_passage_where_the_one_before_is_long_enough() -> None:
    long, short = PageLine(text="word " * 80), PageLine(text="word " * 8)
    heading = PageLine(text="Next", is_heading=True)
    assert [passage.text.startswith("Next") for passage in cut_passages([long, heading, short])] == [False, True]
    assert len(cut_passages([short, heading, short])) == 1


def test_a_long_line_is_cut_at_its_sentences() -> None:
    sentence = "This is one sentence of some words. "
    passages = cut_passages([PageLine(text=sentence * 60, anchor="here")])
    assert len(passages) == 4
    assert all(passage.text.endswith("words.") and passage.anchor == "here" for passage in passages)


def test_a_long_line_without_any_end_is_cut_all_the_same() -> None:
    assert [len(passage.text) for passage in cut_passages([PageLine(text="x" * 3000)])] == [700, 700, 700, 900]
