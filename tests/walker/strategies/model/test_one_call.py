"""One call of the model for a page: what it decides, and when another is asked."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from memory.findings import SHOWN_SCORE, Finding
from memory.state import NOTHING_CHANGED, MoveNote, PageNote, WalkMemory
from memory.url_key import key_of
from memory.url_stack import Frame, NoStack, UntriedLink
from perception.observation import Block, Place
from tests.fixtures.paper import HOME, PAGES, crew_for, ranker, rules_for
from tests.fixtures.scripts import QUOTE, sensible
from tests.walker.strategies.model.asked_once import (
    ENOUGH,
    FOUND,
    MODEL,
    NOTHING,
    TASK,
    after,
    asked,
    boats,
    pictured,
    same_for_all,
    sent,
    standing,
    strategy_of,
)
from walker.seams.actions import FollowLink, GiveAnswer, GoBack, Refusal
from walker.seams.chat import ChatRequest
from walker.seams.outcome import StopReason
from walker.seams.searches import start_address
from walker.strategies.model.prompt_values import finding_lines
from walker.strategies.strategy_assembly import model_strategies
from walker.testing.fakes import EventList, PaperSite, ScriptedChat
from walker.walk.loop import walk


async def test_a_walk_asks_once_a_page() -> None:
    chat = ScriptedChat(sensible)
    explorer, critic = model_strategies(chat, MODEL, ranker(), seed="seed")
    edges = msgspec.structs.replace(crew_for(PaperSite(PAGES)), explorer=explorer, critic=critic)
    outcome = await walk(TASK, edges, rules_for(TASK), EventList())
    assert (outcome.answer, outcome.pages) == ("18.4 metres", 2)
    assert asked(chat) == ["step", "step"]


async def test_findings_verdict_and_action_come_from_one_reply() -> None:
    reply = same_for_all(
        relevance=40,
        findings=[FOUND],
        answer="18.4 metres",
        cite=[1],
        missing=["its width"],
        action="follow",
        number=1,
        reason="the engines",
    )
    explorer, critic, chat = strategy_of(reply)
    observation, memory = boats(), standing(boats())
    found = await critic.find(TASK, observation, memory)
    assert [finding.quote for finding in found.findings] == [QUOTE]
    memory = after(memory, found)
    verdict = await critic.judge(TASK, memory)
    assert (verdict.sufficient, verdict.missing) == (False, ("its width",))
    assert verdict.citations[0].quote == QUOTE
    action = await explorer.propose(TASK, observation, memory, ())
    assert action == FollowLink(link_id=1, reason="the engines")
    assert asked(chat) == ["step"]


async def test_a_reply_that_is_enough_says_why_and_is_an_answer() -> None:
    explorer, critic, _ = strategy_of(same_for_all(findings=[FOUND], **ENOUGH, reason="the page says it"))
    memory = after(standing(boats()), await critic.find(TASK, boats(), standing(boats())))
    verdict = await critic.judge(TASK, memory)
    assert (verdict.sufficient, verdict.answer) == (True, "18.4 metres")
    assert verdict.reason == "the findings are enough: the page says it"
    assert (await critic.find(TASK, boats(), standing(boats()))).is_enough
    assert not (await strategy_of(same_for_all(findings=[FOUND]))[1].find(TASK, boats(), standing(boats()))).is_enough
    assert await explorer.propose(TASK, boats(), memory, ()) == GiveAnswer(reason="the page says it")


async def test_what_a_picture_shows_is_listed_and_not_judged() -> None:
    _, critic, chat = strategy_of(same_for_all(**ENOUGH))
    start = start_address((HOME,), "ab" * 32)
    shown = Finding(text="a windmill", quote="a windmill", url=start, step=1, score=SHOWN_SCORE, heading="the picture")
    memory = msgspec.structs.replace(standing(boats()), findings=(shown,))
    assert not (await critic.judge(TASK, memory)).sufficient
    assert chat.asked == []
    assert finding_lines((shown,)) == "[1] picture “the picture” shows “a windmill”, the picture of the question"
    known = Finding(text="18.4 metres", quote=QUOTE, url=HOME, step=1, score=0.1)
    await critic.judge(TASK, msgspec.structs.replace(memory, findings=(shown, known)))
    assert asked(chat) == ["critic_judge"]


async def test_what_the_policy_refused_is_asked_of_the_explorer() -> None:
    explorer, critic, chat = strategy_of(same_for_all(action="back", reason="no"))
    memory = standing(boats())
    await critic.find(TASK, boats(), memory)
    first = await explorer.propose(TASK, boats(), memory, ())
    refused = (Refusal(action=first, reason="not now"),)
    assert await explorer.propose(TASK, boats(), memory, refused) == GoBack(reason="no")
    assert asked(chat) == ["step", "explorer"]
    assert "not now" in chat.asked[-1].messages[-1].content


async def test_a_reply_is_taken_once() -> None:
    explorer, critic, chat = strategy_of(same_for_all(action="back"))
    memory = standing(boats())
    await critic.find(TASK, boats(), memory)
    await explorer.propose(TASK, boats(), memory, ())
    await explorer.propose(TASK, boats(), memory, ())
    assert asked(chat) == ["step", "explorer"]


async def test_minds_that_did_not_read_the_page_are_asked_one_by_one() -> None:
    """As after a walk is resumed: the findings are in the memory, the thought is not."""
    _, critic, _ = strategy_of(same_for_all(findings=[FOUND], action="back"))
    memory = after(standing(boats()), await critic.find(TASK, boats(), standing(boats())))
    explorer, critic, chat = strategy_of(lambda request: json.dumps({**ENOUGH, "action": "back"}))
    assert (await critic.judge(TASK, memory)).sufficient
    assert await explorer.propose(TASK, boats(), memory, ()) == GoBack()
    assert asked(chat) == ["critic_judge", "explorer"]


async def test_what_is_read_in_pictures_is_found_judged_and_acted_on_by_itself() -> None:
    def script(request: ChatRequest) -> str:
        sent = request.messages[-1].content
        board: dict[str, Any] = {"answer": "4 m", "quote": "Mantis 4 m wide", "confidence": 80}
        return json.dumps(
            NOTHING | ENOUGH | {"findings": [board] if board["quote"] in sent else [], "sufficient": False}
        )

    explorer, critic, chat = strategy_of(script)
    memory = standing(boats())
    first = await critic.find(TASK, boats(), memory)
    assert first.findings == ()
    second = await critic.find(TASK, pictured("Mantis 4 m wide"), memory)
    assert [finding.quote for finding in second.findings] == ["Mantis 4 m wide"]
    assert QUOTE not in chat.asked[-1].messages[-1].content
    memory = after(memory, second)
    await critic.judge(TASK, memory)
    await explorer.propose(TASK, pictured("Mantis 4 m wide"), memory, ())
    assert asked(chat) == ["step", "critic_find", "critic_judge", "explorer"]


async def test_what_is_read_in_a_picture_is_read_and_judged_with_what_the_page_says_of_it() -> None:
    board = {"answer": "4 m", "quote": "Mantis 4 m wide", "confidence": 80}
    nothing = NOTHING | {"action": "follow", "number": 1}
    _, critic, chat = strategy_of(
        lambda request: json.dumps(nothing | ({"findings": [board]} if "4 m" in sent(request) else {}))
    )
    memory, plain = standing(boats()), pictured("Mantis 4 m wide")
    block = Block(id=99, kind="paragraph", text="Mantis 4 m wide", headings=("Boats", "Widths"), pictured=True)
    await critic.find(TASK, boats(), memory)
    second = await critic.find(TASK, msgspec.structs.replace(plain, blocks=(*plain.blocks, block)), memory)
    assert "[picture: Boats > Widths]\n[picture] Mantis 4 m wide" in sent(chat.asked[-1])
    assert sent(chat.asked[-1]).count("Mantis 4 m wide") == 1
    assert second.findings[-1].heading == "Boats > Widths"
    await critic.judge(TASK, after(memory, second))
    assert "under “Boats > Widths”" in sent(chat.asked[-1])


async def test_pictures_are_read_on_a_page_that_links_to_itself() -> None:
    _, critic, chat = strategy_of(lambda _: json.dumps(NOTHING | {"action": "follow", "number": 1}))
    memory, seen = standing(boats()), pictured("Mantis 4 m wide")
    block = Block(id=99, kind="paragraph", text="Mantis 4 m wide", headings=("Boats", "Widths"), pictured=True)
    last = len(seen.blocks)
    menu = msgspec.structs.replace(seen.blocks[-1], region="navigation")
    own = (Place(block=last, start=0, end=3),)
    await critic.find(TASK, boats(), memory)
    await critic.find(TASK, msgspec.structs.replace(seen, blocks=(*seen.blocks[:-1], menu, block), own=own), memory)
    assert "[picture] Mantis 4 m wide" in sent(chat.asked[-1])


async def test_pictures_that_say_what_the_text_says_are_not_asked_about() -> None:
    explorer, critic, chat = strategy_of(same_for_all(action="follow", number=1))
    memory = standing(boats())
    first = await critic.find(TASK, boats(), memory)
    assert await critic.find(TASK, pictured("She carries six", "Boats"), memory) == first
    assert await explorer.propose(TASK, pictured("She carries six", "Boats"), memory, ()) == FollowLink(link_id=1)
    assert asked(chat) == ["step"]


async def test_an_answer_whose_quote_is_nowhere_goes_back_for_repair() -> None:
    replies = iter(
        [
            NOTHING | ENOUGH | {"findings": [FOUND | {"quote": "She is 99 metres long."}]},
            NOTHING | ENOUGH | {"findings": [FOUND]},
        ]
    )
    _, critic, chat = strategy_of(lambda _: json.dumps(next(replies)))
    found = await critic.find(TASK, boats(), standing(boats()))
    assert [finding.text for finding in found.findings] == ["18.4 metres"]
    assert asked(chat) == ["step", "step"]
    assert "copy each quote from the page letter by letter" in chat.asked[1].messages[-1].content


@pytest.mark.parametrize(("number", "why"), [(9, "there is no link 9"), (0, "there is no link 0")])
async def test_a_link_that_was_not_shown_goes_back_for_repair(number: int, why: str) -> None:
    replies = iter([number, 1])
    explorer, critic, chat = strategy_of(lambda _: json.dumps(NOTHING | {"action": "follow", "number": next(replies)}))
    await critic.find(TASK, boats(), standing(boats()))
    assert await explorer.propose(TASK, boats(), standing(boats()), ()) == FollowLink(link_id=1)
    assert why in chat.asked[1].messages[-1].content


async def test_a_walk_whose_model_ends_it_early_gave_up() -> None:
    chat = ScriptedChat(same_for_all(action="answer"))
    explorer, critic = model_strategies(chat, MODEL, ranker(), seed="seed")
    edges = msgspec.structs.replace(crew_for(PaperSite(PAGES)), explorer=explorer, critic=critic)
    outcome = await walk(TASK, edges, rules_for(TASK), EventList())
    assert (outcome.stop_reason, outcome.answer, asked(chat)) == (StopReason.GAVE_UP, "", ["step"])


async def test_a_walk_without_a_stack_is_told_of_nothing_that_needs_one() -> None:
    links = tuple(UntriedLink(url=link.url, key=key_of(link.url), label=link.label) for link in boats().links)
    here = Frame(url=boats().url, key=key_of(boats().url), title="Boats")
    memory = WalkMemory(step=2, stack=NoStack().push(here).offer(links))
    for language in ("en", "zh"):
        _, critic, chat = strategy_of(same_for_all(action="follow", number=1))
        await critic.find(msgspec.structs.replace(TASK, language=language), boats(), memory)
        told = "\n".join(message.content for message in chat.asked[0].messages)
        assert "- refocus" in told
        assert not [line for line in told.splitlines() if line.startswith(("- jump", "- back"))]
        assert "jump" not in told
        assert not {"jump", "back"} & set(chat.asked[0].schema["properties"]["action"]["enum"])
    _, critic, chat = strategy_of(same_for_all(action="follow", number=1))
    await critic.find(TASK, boats(), standing(boats()))
    assert {"jump", "back"} <= set(chat.asked[0].schema["properties"]["action"]["enum"])


async def test_that_a_search_found_nothing_stands_before_all_else_of_the_walk() -> None:
    moved = MoveNote(step=1, page=key_of(boats().url), what="type “keel” into 3 “Search”", outcome=NOTHING_CHANGED)
    memory = msgspec.structs.replace(
        standing(boats()), moves=(moved,), pages=(PageNote(step=1, url=HOME, key=key_of(HOME), title="Reef"),)
    )
    _, critic, chat = strategy_of(same_for_all(action="back"))
    await critic.find(TASK, boats(), memory)
    lines = sent(chat.asked[0]).splitlines()
    fence = next(place for place, line in enumerate(lines) if line.startswith("==="))
    assert lines[fence + 1].startswith("Typing “keel” changed nothing")
