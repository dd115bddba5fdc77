"""Lists that a page writes as lines."""

from __future__ import annotations

from tests.fixtures.paper import observed, page
from walker.strategies.answers.enumerations import written_lists_on


def lists(body: str) -> list[tuple[str, ...]]:
    return [tuple(one.name for one in found.records) for found in written_lists_on(observed(page("Reef", body)))]


def test_lines_of_code_that_explain_a_name_each_are_a_list() -> None:
    code = "  hop       - over a wall\n  tack or jibe  - with the wind\n  moor      - at the quay\n"
    observation = observed(page("Reef", f"<p>Moves are as follows:</p><pre>{code}</pre>"))
    (found,) = written_lists_on(observation)
    assert [one.name for one in found.records] == ["hop", "tack or jibe", "moor"]
    assert found.caption == "Moves are as follows:"


def test_code_that_explains_nothing_is_no_list() -> None:
    assert lists("<p>Run this:</p><pre>a = b - c\nprint(a)\nfor x in y:\n  stop(x)\n</pre>") == []
    assert lists("<p>Two:</p><pre>hop - over\nmoor - at\n</pre>") == [], "two lines are too few"


def test_short_lines_below_a_sentence_are_a_list() -> None:
    lines = "".join(f"<p>{name}</p>" for name in ("anchor", "buoy", "mooring line"))
    assert lists(f"<p>A berth may not have the following.</p>{lines}<p>All else is allowed there.</p>") == [
        ("anchor", "buoy", "mooring line")
    ]


def test_short_lines_without_a_sentence_before_them_or_of_two_sections_are_none() -> None:
    assert lists("<p>Home</p><p>Boats</p><p>Tides</p>") == []
    three = "<p>one</p><p>two</p><p>three</p>"
    assert lists(f"<p>It has these:</p><h2>A</h2>{three}") == [], "the sentence is of another section"
    assert lists("<h2>A</h2><p>It has these:</p><p>one</p><p>two</p><h2>B</h2><p>three</p>") == []
