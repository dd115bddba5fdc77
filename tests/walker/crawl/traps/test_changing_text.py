"""Lines that are others each time, found by two readings of one page."""

from __future__ import annotations

from walker.crawl.traps.changing_text import ChangingText

FIRST = "List\nOak 3\nElm 4\nA saying\nlook before you leap\nPages 1 2 3\nOpen all day"
SECOND = "List\nOak 3\nElm 4\nA saying\nall that glitters\nis not gold\nPages 1 2 3\nOpen all day"


def learned(first: str = FIRST, second: str = SECOND) -> ChangingText:
    changing = ChangingText()
    changing.learn("family", first, second)
    return changing


def test_what_changed_is_left_out_of_other_pages_too() -> None:
    other = "List\nAsh 9\nFir 10\nYew 11\nA saying\nmore haste less speed\nPages 4 5 6\nOpen all day"
    assert learned().steady("family", other) == "List\nAsh 9\nFir 10\nYew 11\nA saying\nPages 4 5 6\nOpen all day"


def test_one_of_the_lines_around_it_is_enough() -> None:
    assert learned().steady("family", "List\nAsh\nA saying\nno news is good news\nbye") == "List\nAsh\nA saying"
    assert learned().steady("family", "List\nAsh\nno news\nis good news\nPages 7\nend") == "List\nAsh\nPages 7\nend"


def test_nothing_is_left_out_where_nothing_changed_or_all_did() -> None:
    assert learned(FIRST, FIRST).steady("family", SECOND) == SECOND
    assert learned(FIRST, "quite\nanother\npage").steady("family", FIRST) == FIRST
    assert learned().steady("another family", FIRST) == FIRST


def test_each_family_is_learned_once() -> None:
    changing = learned()
    assert changing.is_learned("family")
    assert not changing.is_learned("another family")


def test_numbers_may_be_others_in_the_lines_around_it() -> None:
    assert (
        learned("a 1\nred\nb 1\nx\ny", "a 2\nblue\nb 2\nx\ny").steady("family", "a 3\ngreen\nb 3\nx") == "a 3\nb 3\nx"
    )
