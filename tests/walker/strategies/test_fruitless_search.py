"""A search that found nothing is told, with the words that were tried."""

from __future__ import annotations

import msgspec
import pytest

from memory.state import NOTHING_CHANGED, MoveNote, PageNote, WalkMemory
from memory.url_key import key_of
from memory.url_stack import Frame, UrlStack
from perception.observation import Observation
from tests.fixtures.paper import HOME, observed, page, ranker, task_for
from walker.library.hits_page import Further, page_of_hits
from walker.seams.searches import search_address
from walker.strategies.model.fruitless_search import fruitless_note
from walker.strategies.model.prompt_values import PromptValues, walk_values

FOUND_NOTHING = page("Search", "<p>No results for your search.</p><p><a href='/a.html'>News</a></p>")


def memory(*queries: str, typed: str = "", outcome: str = "3 new lines") -> WalkMemory:
    pages = tuple(
        PageNote(step=n, url=search_address(query), key=key_of(search_address(query)), title=query)
        for n, query in enumerate(queries, start=1)
    )
    moves = (MoveNote(step=4, page="x", what=f"type “{typed}” into 3 “Search”", outcome=outcome),) if typed else ()
    stack = UrlStack().push(Frame(url=HOME, key=key_of(HOME)))
    return WalkMemory(step=5, pages=pages, moves=moves, stack=stack)


def hits(query: str, *further: Further) -> Observation:
    return observed(page_of_hits(query, (), further), search_address(query))


def test_a_page_without_hits_says_so_with_the_words_that_were_tried() -> None:
    told = fruitless_note(hits("keel"), memory("hull", "keel"), "en")
    assert told.startswith("The search for “keel” found nothing (tried before: “hull”). ")
    assert fruitless_note(hits("keel"), memory("keel"), "zh").startswith("搜索“keel”没有结果。本页的链接")
    assert fruitless_note(hits("keel", Further(url=HOME, title="Keels")), memory("keel"), "en") == ""


@pytest.mark.parametrize(
    ("html", "outcome", "is_told"),
    [
        (FOUND_NOTHING, "3 new lines", True),
        (FOUND_NOTHING.replace("No results for your search.", "Keine Treffer."), "1 new lines", True),
        (FOUND_NOTHING.replace("No results for your search.", "抱歉，没有找到相关内容"), "", True),
        (FOUND_NOTHING.replace("No results for your search.", "Two boats."), "3 new lines", False),
    ],
)
def test_a_search_of_the_site_itself_is_told_where_it_found_nothing(html: str, outcome: str, *, is_told: bool) -> None:
    told = fruitless_note(observed(html, HOME), memory("hull", typed="keel", outcome=outcome), "en")
    assert told.startswith("The search for “keel” found nothing (tried before: “hull”).") is is_told


@pytest.mark.parametrize(
    ("what", "told"),
    [
        ("type “keel” into 3 “Search”", "Typing “keel” changed nothing (tried before: “hull”): the page is as it was"),
        ("click [3] “More”", "“click [3] “More”” changed nothing: the page is as it was."),
    ],
)
def test_what_had_no_effect_is_said(what: str, told: str) -> None:
    walked = memory("hull")
    move = MoveNote(step=4, page=key_of(HOME), what=what, outcome=NOTHING_CHANGED)
    here = observed(FOUND_NOTHING.replace("No results for your search.", "Two boats."), HOME)
    assert fruitless_note(here, msgspec.structs.replace(walked, moves=(move,)), "en").startswith(told)
    done = msgspec.structs.replace(move, outcome="3 new lines")
    assert fruitless_note(here, msgspec.structs.replace(walked, moves=(done,)), "en") == ""


def test_no_page_that_no_search_led_to_says_so() -> None:
    assert fruitless_note(observed(FOUND_NOTHING, HOME), memory("hull"), "en") == ""


def test_the_prompt_says_it_apart_from_what_is_seen_again() -> None:
    walked, here = memory(typed="keel"), observed(FOUND_NOTHING, HOME)
    offer = PromptValues(ranker()).offer(task_for("Where is the keel?"), here, walked)
    values = walk_values(walked, offer, "seen again", ())
    assert (values["vain"], values["more"]) == (offer.fruitless, "seen again")
    assert "search with other words, or go on by links." in offer.fruitless


@pytest.mark.parametrize(
    ("html", "told"),
    [
        (FOUND_NOTHING, "The search for “keel” found nothing"),
        (
            FOUND_NOTHING.replace("No results for", "Words of"),
            "Typing “keel” led to another address with the same text",
        ),
    ],
)
def test_a_search_that_led_to_another_address_did_not_leave_the_page_as_it_was(html: str, told: str) -> None:
    walked = memory("hull", typed="keel", outcome=NOTHING_CHANGED)
    assert fruitless_note(observed(html, HOME), walked, "en").startswith(told)
    assert "没有任何变化" not in fruitless_note(observed(html, HOME), walked, "zh")
