"""What a page of hits says of each hit, and of none."""

from __future__ import annotations

import pytest

from memory.library.protocol import Hit, NewPage, PageLine, Passage
from tests.fixtures.paper import HOME, observed
from walker.library.hits_page import page_of_hits
from walker.library.library_file import LibraryFile
from walker.library.text_search import LibraryTextSearch
from walker.seams.searches import search_address

EXAMS = "期末考试安排"
HELD = "本学期期末考试在一月举行，考试地点见教务处通知。"


def library() -> LibraryFile:
    """Two pages, each under a heading that is its title."""
    made = LibraryFile.in_memory()
    for name, title, text in (
        ("exams", EXAMS, HELD),
        ("courses", "课程介绍", "这门课程介绍系统的基本原理，实验由助教负责批改。"),
    ):
        lines = (PageLine(text=title, is_heading=True), PageLine(text=text, headings=(title,)))
        made.add(NewPage(url=f"{HOME}{name}.html", title=title, lines=lines))
    return made


def shown(query: str, hits: tuple[Hit, ...], searched: int = 0) -> list[str]:
    seen = observed(page_of_hits(query, hits, searched=searched), search_address(query))
    return [block.text for block in seen.blocks if block.kind != "heading"]


def test_a_hit_says_its_title_once() -> None:
    hits = library().search("考试")
    assert [hit.url for hit in hits] == [HOME + "exams.html"], "Chinese is searched by pairs of characters"
    assert shown("考试", hits) == [f"{EXAMS} {HELD}"]


async def test_a_hit_beside_those_of_other_searches_says_its_title_once() -> None:
    async def find(query: str, most: int) -> tuple[tuple[Hit, ...], tuple[()]]:
        return library().search(query, most), ()

    (found,) = await LibraryTextSearch(find).search("考试", 10)
    assert (found.title, found.snippet) == (EXAMS, HELD)


def test_headings_between_title_and_passage_are_told() -> None:
    passage = Passage(text="Tides\nHigh water is at ten.", headings=("Guide", "Harbour", "Tides"))
    hit = Hit(url=HOME, title="Guide", language="en", passage=passage, score=1.0)
    assert shown("water", (hit,)) == ["Guide Harbour > Tides High water is at ten."]


@pytest.mark.parametrize(
    ("query", "searched", "said"),
    [
        ("宿舍", 37, "Nothing was found: none of these words stands on the 37 pages that were read."),
        ("keel", 0, "Nothing was found."),
        (
            "舍",
            37,
            "read. A single Chinese or Japanese character is found only where it stands alone: give two or more.",
        ),
    ],
)
def test_no_hit_says_where_the_words_stand_nowhere(query: str, searched: int, said: str) -> None:
    (told,) = shown(query, (), searched)
    assert told.endswith(said)
