"""A model that has parts of a page, or an earlier step, shown to it once more."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec
import pytest

from memory.state import PageNote
from memory.url_key import key_of
from tests.fixtures.paper import HOME, crew_for, page, ranker, rules_for, task_for
from tests.fixtures.scripts import QUOTE
from tests.walker.strategies.model.asked_once import ENOUGH, FOUND, MODEL, NOTHING, TASK, asked, boats, standing
from traces.events import ActionRefused, CounterMoved, EdgeCall, FindingsAdded, MoveTaken
from walker.models.replies import BadReply
from walker.models.token_count import count_tokens
from walker.seams.chat import ChatRequest
from walker.settings import ModelSettings
from walker.strategies.model.digest.link_marks import mark_links
from walker.strategies.model.prompt_values import Offer
from walker.strategies.model.steps_again import seen_again
from walker.strategies.strategy_assembly import model_strategies
from walker.testing.fakes import EventList, Paper, PaperSite, ScriptedChat
from walker.walk.loop import walk

FILLER = "Nobody knows when the shed was painted, and this year it was painted again, or was it not painted. " * 9
LOG = "".join(f"<h2>Year {year}</h2><p>{FILLER}</p>" for year in range(1901, 1990))
LONG: dict[str, str | Paper] = {HOME: page("Log", f"{LOG}<h2>Boats</h2><p>{QUOTE}</p>")}
LAST = 90
"""Number of the part that holds the quote."""


SMALL = msgspec.structs.replace(MODEL, page_tokens=1500)


async def walked(
    plan: list[dict[str, Any]],
    pages: dict[str, str | Paper],
    question: str = "When was the shed painted?",
    settings: ModelSettings = SMALL,
) -> tuple[ScriptedChat, PaperSite, EventList]:
    """A walk of a model that does as planned, and then goes on answering with nothing."""
    left = list(plan)

    def script(request: ChatRequest) -> str:
        if QUOTE in request.messages[1].content:
            return json.dumps(NOTHING | ENOUGH | {"findings": [FOUND]})
        return json.dumps(NOTHING | (left.pop(0) if left else {"action": "answer"}))

    chat, site, events = ScriptedChat(script), PaperSite(pages), EventList()
    explorer, critic = model_strategies(chat, settings, ranker(), seed="seed")
    edges = msgspec.structs.replace(crew_for(site), explorer=explorer, critic=critic)
    await walk(task_for(question), edges, rules_for(TASK), events)
    return chat, site, events


def moves(events: EventList) -> list[str]:
    return [event.move for event in events.events if isinstance(event, MoveTaken)]


async def test_a_part_that_was_left_out_is_read_without_opening_the_page_again() -> None:
    chat, site, events = await walked([{"action": "read", "number": LAST}], LONG)
    assert (moves(events), asked(chat), site.opened) == (["Unfold"], ["step", "step"], [HOME])
    first, second = (request.messages[1].content for request in chat.asked)
    assert QUOTE not in first
    assert re.search(rf"^parts \d+-{LAST}: Log > Year 19\d\d … Log > Boats “.*…” \(\d+ words\)$", first, re.MULTILINE)
    assert QUOTE in second
    assert f"here: read part {LAST}" in second


async def test_a_part_that_is_shown_already_goes_back_for_repair() -> None:
    plan: list[dict[str, Any]] = [
        {"action": "read", "number": 20},
        {"action": "read", "number": 20},
        {"action": "answer"},
    ]
    chat, _, events = await walked(plan, LONG)
    assert moves(events) == ["Unfold", "Finish"]
    assert "part 20 is shown already" in chat.asked[2].messages[-1].content


async def test_a_part_that_had_to_make_room_for_another_is_read_once_more() -> None:
    plan: list[dict[str, Any]] = [{"action": "read", "number": number} for number in (20, 40, 20)]
    chat, _, events = await walked(plan, LONG)
    assert moves(events) == ["Unfold", "Unfold", "Unfold", "Finish"]
    shown = ["## Year 1920\n" in request.messages[1].content for request in chat.asked]
    assert (shown[0], shown[1], shown[3]) == (False, True, True)


async def test_the_open_page_comes_before_a_step_that_is_seen_again() -> None:
    home = page("Sheds", f'<p>{FILLER * 9}</p><p><a href="/boats.html">Boats</a></p>')
    menu = "".join(f'<li><a href="/menu/{n}.html">Entry {n} of the menu</a></li>' for n in range(80))
    oars = "".join(f"<li>Oar {one}</li>" for one in "abcdef")
    text = "".join(f"<h2>Boat {n}</h2><p>{FILLER}</p><ul>{oars}</ul>" for n in range(60))
    boats = page("Boats", text).replace("<main>", f"<nav><ul>{menu}</ul></nav><main>")
    plan: list[dict[str, Any]] = [{"action": "follow", "number": 1}, {"action": "refocus", "number": 1}]
    small = msgspec.structs.replace(MODEL, page_tokens=1500, step_tokens=2600)
    question = "How many oars does boat 5 have, and when was the shed painted?"
    chat, _, _ = await walked(plan, {HOME: home, HOME + "boats.html": boats}, question, small)
    seen, here = chat.asked[2].messages[1].content.split("Here: ")
    assert "1. Sheds " in seen
    assert "## Boat 5\nNobody knows when the shed was painted" in here
    assert count_tokens(here) > count_tokens(seen.partition("1. Sheds http")[2]) > 100


async def test_an_operation_that_changes_nothing_costs_no_reading_and_is_refused_the_second_time() -> None:
    short: dict[str, str | Paper] = {HOME: page("Shed", '<p>The shed is green.</p><p><a href="/a.html">Paint</a></p>')}
    plan = [{"action": "scroll"}, {"action": "scroll"}, {"action": "answer"}]
    chat, _, events = await walked(plan, short)
    assert asked(chat) == ["step", "explorer", "explorer"]
    assert "scroll (nothing changed)" in chat.asked[1].messages[-1].content
    assert moves(events) == ["Operate", "Finish"]
    (refusal,) = [event for event in events.events if isinstance(event, ActionRefused)]
    assert "it changed nothing on this page before" in refusal.reason
    assert not any(isinstance(event, EdgeCall) for event in events.events)


async def test_a_step_that_is_seen_again_shows_the_text_of_its_page_within_the_budget() -> None:
    said = [f"Shed {number} was painted in {1900 + number}." for number in range(1, 60)]
    home = page("Sheds", "".join(f"<p>{text}</p>" for text in said) + '<p><a href="/boats.html">Boats</a></p>')
    plan: list[dict[str, Any]] = [{"action": "follow", "number": 1}, {"action": "refocus", "number": 1}]
    pages: dict[str, str | Paper] = {
        HOME: home,
        HOME + "boats.html": page("Boats", "<p>There are two boats in the shed that was painted.</p>"),
    }
    chat, _, _ = await walked(plan, pages)
    assert asked(chat)[:3] == ["step", "step", "step"]
    second, third = (request.messages[1].content for request in chat.asked[1:3])
    assert not any(text in second for text in said)
    assert sum(text in third for text in said) > 30
    assert all(text in third for text in said[:30])
    assert "There are two boats in the shed" in third


async def test_what_a_reply_found_counts_though_it_wants_to_see_a_step_again() -> None:
    crew = "There are two boats in the shed that was painted."
    pages: dict[str, str | Paper] = {
        HOME: page("Sheds", '<p>Sheds and <a href="/boats.html">Boats</a></p>'),
        HOME + "boats.html": page("Boats", f"<p>{crew}</p><p>The shed is red.</p>"),
    }
    first = {"relevance": 30, "findings": [{"answer": "two boats", "quote": crew, "confidence": 80}]}
    then = {"relevance": 20, "findings": [{"answer": "red", "quote": "The shed is red.", "confidence": 60}]}
    plan: list[dict[str, Any]] = [
        {"action": "follow", "number": 1},
        {"action": "refocus", "number": 1, **first},
        {"action": "answer", **then},
    ]
    chat, _, events = await walked(plan, pages)
    third = chat.asked[2].messages[1].content
    assert f"[1] two boats: “{crew}”" in third
    assert "New findings are numbered from 2." in third, "what was given with the refocus has its number already"
    found = [event for event in events.events if isinstance(event, FindingsAdded) and event.findings][-1]
    assert [one["text"] for one in found.findings] == ["two boats", "red"]


async def test_what_is_counted_with_a_refocus_is_told_as_named_in_the_next_request_and_counted_once() -> None:
    boats = "".join(f"<p>The station has the boat {name}, which is red.</p>" for name in ("Orca", "Heron", "Otter"))
    pages: dict[str, str | Paper] = {
        HOME: page("Sheds", '<p>Sheds and <a href="/boats.html">Boats</a></p>'),
        HOME + "boats.html": page("Boats", boats),
    }

    def item(name: str) -> dict[str, str]:
        return {"name": name, "quote": f"The station has the boat {name}"}

    plan: list[dict[str, Any]] = [
        {"action": "follow", "number": 1},
        {"action": "refocus", "number": 1, "items": [item("Orca"), item("Heron"), item("Kraken")]},
        {"action": "back", "items": [item("Orca")]},
    ]
    chat, _, events = await walked(plan, pages, "Name four boats of the station.")
    second, third = (request.messages[1].content for request in chat.asked[1:3])
    assert "Counted so far: 0/4" in second
    assert "Counted so far: 0/4\n" in third, "no finding tells it yet: it is numbered last"
    assert "named here already: 2: Orca; Heron" in third
    assert "item “Kraken”: its quote is not on the page" in third
    assert [event.found for event in events.events if isinstance(event, CounterMoved)] == [0, 2]
    (refused,) = [event.refused for event in events.events if isinstance(event, FindingsAdded) and event.refused]
    assert len(refused) == 1, "an item that is read again with the next reply is refused once"


async def test_what_was_given_with_a_refocus_stays_where_no_further_reply_can_be_used() -> None:
    crew = "There are two boats in the shed that was painted."
    pages: dict[str, str | Paper] = {
        HOME: page("Sheds", '<p>Sheds and <a href="/boats.html">Boats</a></p>'),
        HOME + "boats.html": page("Boats", f"<p>{crew}</p>"),
    }
    given = {"relevance": 30, "findings": [{"answer": "two boats", "quote": crew, "confidence": 80}]}
    no_links: list[dict[str, Any]] = [{"action": "follow", "number": 99}] * 9
    plan = [{"action": "follow", "number": 1}, {"action": "refocus", "number": 1, **given}, *no_links]
    _, _, events = await walked(plan, pages)
    found = [event for event in events.events if isinstance(event, FindingsAdded) and event.findings]
    assert [one["text"] for event in found for one in event.findings] == ["two boats"]


async def test_links_of_a_page_that_is_seen_again_can_be_jumped_to() -> None:
    pages: dict[str, str | Paper] = {
        HOME: page(
            "Sheds",
            '<p>See <a href="/boats.html">Boats</a>, <a href="/nets.html">Nets</a> and <a href="http://other.example/">others</a>.</p>',
        ),
        HOME + "boats.html": page("Boats", '<p>Two boats lie in a shed that was painted. <a href="/">Home</a></p>'),
        HOME + "nets.html": page("Nets", "<p>The nets are mended in spring.</p>"),
    }
    plan: list[dict[str, Any]] = [
        {"action": "follow", "number": 1},
        {"action": "refocus", "number": 1},
        {"action": "jump", "number": 1},
    ]
    chat, _, events = await walked(plan, pages)
    third = chat.asked[2].messages[1].content
    assert "See Boats, Nets [jump 1] and others." in third
    assert [event.url for event in events.events if isinstance(event, MoveTaken)][1] == HOME + "nets.html"


async def test_what_is_seen_again_leaves_room_for_the_page() -> None:
    pages = {
        HOME: LONG[HOME],
        HOME + "boats.html": page("Boats", "<p>There are two boats in the shed that was painted.</p>"),
    }
    pages[HOME] = str(pages[HOME]).replace("</main>", '<p><a href="/boats.html">Boats</a></p></main>')
    plan: list[dict[str, Any]] = [{"action": "follow", "number": 1}, {"action": "refocus", "number": 1}]
    chat, _, _ = await walked(plan, pages)
    third = chat.asked[2].messages[1].content
    assert "There are two boats in the shed" in third
    assert count_tokens(third) < 1500 + 300


def test_a_step_that_read_the_page_that_is_open_is_not_shown_beside_it() -> None:
    here = boats()
    memory = standing(here)
    pages = (
        PageNote(step=1, url=HOME, key=key_of(HOME), gist="Home"),
        PageNote(step=2, url=here.url, key=key_of(here.url)),
    )
    noted = msgspec.structs.replace(memory, pages=pages)
    nothing = Offer(marks=mark_links(here, noted))
    assert "Home" in seen_again(1, noted, (), nothing).text
    with pytest.raises(BadReply, match="which is shown"):
        seen_again(2, noted, (), nothing)


async def test_a_link_by_which_the_open_page_was_reached_through_a_redirect_is_marked_as_this_page() -> None:
    menu = '<nav><a href="/">Sheds</a> <a href="/boats">Boats</a></nav>'
    pages: dict[str, str | Paper] = {
        HOME: page("Sheds", "<p>Nothing here.</p>").replace("<main>", f"{menu}<main>"),
        HOME + "boats": Paper(redirect=HOME + "boats/"),
        HOME + "boats/": page("Boats", "<p>There are two boats.</p>").replace("<main>", f"{menu}<main>"),
    }
    chat, _, _ = await walked([{"action": "follow", "number": 1}], pages)
    assert "Navigation: Sheds [1 seen] · Boats [this page]" in chat.asked[1].messages[1].content
