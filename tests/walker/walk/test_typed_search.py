"""What a search that was typed into a page gave is told among the steps."""

from __future__ import annotations

import json

import msgspec
import pytest

from perception.observation import Block, Observation
from perception.snapshot import Snapshot
from tests.fixtures.paper import HOME, crew_for, page, ranker, rules_for, task_for
from walker.rules.action_words import results_told
from walker.seams.actions import Operate, TypeText
from walker.seams.chat import ChatRequest
from walker.seams.protocols import PageFailure
from walker.settings import ModelSettings
from walker.strategies.strategy_assembly import model_strategies
from walker.testing.fakes import EventList, PaperSite, ScriptedChat
from walker.walk.loop import walk

FORM = page("Reef", "<p>Boats and crew.</p><form action='/find'><input type=search name=q aria-label=Search></form>")
HITS = "<p>Showing 1-2 of 57 results</p><ul><li><a href='/a.html'>Keel one</a></li><li><a href='/b.html'>Keel two</a></li></ul>"


class SearchedSite(PaperSite):
    """Paper whose form leads to a page of hits."""

    async def act(self, move: Operate) -> Snapshot | PageFailure:
        if isinstance(move.action, TypeText):
            return await self.open(f"{HOME}find?q=keel")
        return await super().act(move)


@pytest.mark.parametrize(("found", "told"), [(HITS, "57 hits"), ("<p>No results for keel.</p>", "no hits")])
async def test_the_step_says_what_a_typed_search_gave(found: str, told: str) -> None:
    task, acts = task_for("How long is the keel?"), [("type", 1, "keel"), ("back", 0, ""), ("answer", 0, "")]

    def script(_: ChatRequest) -> str:
        action, number, text = acts.pop(0) if len(acts) > 1 else acts[0]
        said = {"relevance": 10, "findings": [], "list": 0, "sufficient": False}
        return json.dumps({**said, "action": action, "number": number, "text": text})

    chat = ScriptedChat(script)
    explorer, critic = model_strategies(chat, ModelSettings(name="m", fetch_ahead=0), ranker(), seed="seed")
    site = SearchedSite({HOME: FORM, f"{HOME}find?q=keel": page("Found", found)})
    await walk(
        task,
        msgspec.structs.replace(crew_for(site), explorer=explorer, critic=critic),
        rules_for(task, pages=4),
        EventList(),
    )
    prompts = [request.messages[-1].content for request in chat.asked]
    assert any(f"type “keel” into 1 “Search” ({told})" in prompt for prompt in prompts)


def test_a_page_that_does_not_say_tells_nothing() -> None:
    block = Block(id=1, kind="paragraph", text="The keel is long.")
    assert results_told(Observation(url=HOME, status=200, blocks=(block,))) == ""
