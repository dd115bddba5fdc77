"""What a model counts: lists that it chose, things that it named, and what code checks of them."""

from __future__ import annotations

import json
import re

from memory.counting.counter import Counter
from memory.findings import Findings, Item
from memory.state import WalkMemory
from perception.observation import Observation
from tests.fixtures.paper import HOME, PAGES, crew_for, observed, page, ranker, rules_for, task_for
from tests.fixtures.scripts import links_in
from walker.seams.chat import ChatRequest
from walker.seams.outcome import StopReason
from walker.seams.task import Task
from walker.settings import ModelSettings
from walker.strategies.builtin.builtin_critic import BuiltinCritic
from walker.strategies.builtin.builtin_explorer import BuiltinExplorer
from walker.strategies.model.model_critic import ModelCritic
from walker.strategies.model.model_explorer import ModelExplorer
from walker.strategies.model.model_talk import ModelTalk
from walker.testing.fakes import EventList, PaperSite, ScriptedChat
from walker.walk.loop import walk

MIXED = page(
    "Station",
    "<h2>Boats of the station</h2><ul><li>Mantis</li><li>Squid</li><li>Orca</li></ul>"
    "<h2>Moorings</h2><ul><li>North quay</li><li>South quay</li></ul>"
    "<p>The dinghies Pip and Squeak lie beside them, and 9 boats were sold.</p>",
)
BOATS = task_for("How many boats are listed?")


def critic(**reply: object) -> ModelCritic:
    said = json.dumps({"relevance": 40, "findings": [], "list": 0} | reply)
    talk = ModelTalk(ScriptedChat(lambda _: said), ModelSettings(name="m"), "seed")
    return ModelCritic(talk, ranker(), BuiltinCritic(ranker()))


def here() -> Observation:
    return observed(MIXED, HOME + "station.html")


def standing(task: Task) -> WalkMemory:
    return WalkMemory(step=2, counter=Counter.start(task.requirement))


def names(findings: Findings) -> list[str]:
    return [item.name for item in findings.items]


def number_of(entry: str) -> int:
    return next(one.id for one in here().record_sets if any(record.name == entry for record in one.records))


async def test_the_list_that_the_model_chose_is_counted_and_not_the_one_that_code_prefers() -> None:
    by_code = BuiltinCritic(ranker()).count_list(BOATS, here(), standing(BOATS), 0.0)
    assert names(by_code) == ["Mantis", "Squid", "Orca"]
    chosen = await critic(list=number_of("North quay")).find(BOATS, here(), standing(BOATS))
    assert names(chosen) == ["North quay", "South quay"]
    assert chosen.list_ended


async def test_named_things_are_kept_where_their_quote_is_on_the_page() -> None:
    sentence = "The dinghies Pip and Squeak lie beside them"
    named = [
        {"name": "Pip", "quote": sentence},
        {"name": "Squeak", "quote": sentence},
        {"name": "Kraken", "quote": "The Kraken lies beside them"},
        {"name": "Kraken", "quote": sentence},
    ]
    findings = await critic(items=named).find(BOATS, here(), standing(BOATS))
    assert findings.items == tuple(
        Item(name=name, page_url=HOME + "station.html", step=2, quote=sentence) for name in ("Pip", "Squeak")
    )
    assert not findings.list_ended, "what was named may go on elsewhere"
    assert findings.findings[-1].text == "2: Pip; Squeak"


async def test_things_named_beside_a_list_join_it_and_named_entries_are_a_choice_among_it() -> None:
    sentence = "The dinghies Pip and Squeak lie beside them"
    beside = await critic(list=number_of("Mantis"), items=[{"name": "Pip", "quote": sentence}]).find(
        BOATS, here(), standing(BOATS)
    )
    assert names(beside) == ["Mantis", "Squid", "Orca", "Pip"]
    among = await critic(list=number_of("Mantis"), items=[{"name": "Orca", "quote": "Orca"}]).find(
        BOATS, here(), standing(BOATS)
    )
    assert names(among) == ["Orca"]


async def test_a_finding_that_enumerates_names_is_counted() -> None:
    finding = {"answer": "Pip; Squeak", "quote": "The dinghies Pip and Squeak lie beside them", "confidence": 80}
    findings = await critic(findings=[finding]).find(BOATS, here(), standing(BOATS))
    assert names(findings) == ["Pip", "Squeak"]


async def test_an_answer_with_a_quote_is_not_overridden_by_a_list_that_code_found() -> None:
    finding = {"answer": "9", "quote": "9 boats were sold", "confidence": 80}
    assert names(await critic(findings=[finding]).find(BOATS, here(), standing(BOATS))) == []
    placed = task_for("How many boats are listed on the 'Station' page?")
    assert names(await critic().find(placed, here(), standing(placed))) == ["Mantis", "Squid", "Orca"]


def hasty(request: ChatRequest) -> str:
    """Chooses the list of people wherever it stands, and wants to stop on every page but the first."""
    sent = request.messages[-1].content
    if request.schema_name == "critic_find":
        listed = re.search(r"list (\d+): [^\n]*(?:Ana Ruiz|Dora Papp)", sent)
        return json.dumps({"relevance": 40, "findings": [], "list": int(listed[1]) if listed else 0})
    if people := links_in(sent).get("People"):
        return json.dumps({"action": "follow", "number": people})
    return json.dumps({"action": "answer", "reason": "stop"})


async def test_a_list_over_two_pages_is_counted_to_its_end_whatever_the_model_wants() -> None:
    task, chat, settings = (
        task_for("How many people are listed on the 'People' page?"),
        ScriptedChat(hasty),
        ModelSettings(name="m"),
    )
    base = crew_for(PaperSite(PAGES))
    talk = ModelTalk(chat, settings, "seed")
    explorer = ModelExplorer(talk, ranker(), BuiltinExplorer(ranker()))
    edges = type(base)(
        browser=base.browser,
        reader=base.reader,
        vision=base.vision,
        explorer=explorer,
        critic=ModelCritic(talk, ranker(), BuiltinCritic(ranker())),
    )
    outcome = await walk(task, edges, rules_for(task), EventList())
    assert (outcome.stop_reason, outcome.answer) == (
        StopReason.ANSWERED,
        "5 (Ana Ruiz; Bo Lind; Cem Kaya; Dora Papp; Emil Berg)",
    )
    assert [request.schema_name for request in chat.asked].count("explorer") == 1, "code takes the next page by itself"
