"""A walk with the counter ends no worse than one without it: what the model named, quoted and answered is not lost to a count."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import msgspec

from memory.counting.counter import Counter
from memory.counting.requirement import Requirement
from memory.findings import Item
from memory.state import WalkMemory
from tests.fixtures.paper import HOME, crew_for, page, ranker, rules_for, task_for
from traces.events import ActionRefused, CounterMoved, FindingsAdded
from walker.seams.chat import ChatRequest
from walker.seams.outcome import Outcome, StopReason, conclude
from walker.seams.protocols import Verdict
from walker.seams.task import Task
from walker.seams.task_analysis import TaskAnalysis, TaskPart
from walker.settings import ModelSettings
from walker.strategies.strategy_assembly import model_strategies
from walker.testing.fakes import EventList, PaperSite, ScriptedChat
from walker.walk.loop import walk

BOATS = ["Mantis", "Squid", "Orca", "Heron", "Otter", "Pelican"]
ENTRIES = "".join(f"<li>{name} was built in {1980 + number}</li>" for number, name in enumerate(BOATS))
LINKS = "".join(f'<p><a href="/{name}.html">{name} in words</a></p>' for name in "abcdef")
SITE = {
    HOME: page(
        "Boats",
        f"<h2>Boats of the station</h2><ul>{ENTRIES}</ul><p>With those at sea there are 9 boats in all.</p>{LINKS}",
    ),
    **{
        f"{HOME}{name}.html": page(
            name, f'<p>Nothing of boats here.</p><p><a href="/{after}.html">{after} in words</a></p>'
        )
        for name, after in pairwise("abcdef")
    },
}
THREE = task_for("Name three boats of the station.")
NOTHING: dict[str, Any] = {
    "relevance": 10,
    "findings": [],
    "list": 0,
    "sufficient": False,
    "action": "follow",
    "number": 1,
}


async def walked(
    task: Task, *replies: dict[str, Any], site: Mapping[str, str] = SITE
) -> tuple[Outcome, EventList, ScriptedChat]:
    """A walk whose model gives these replies in turn, the last one for ever."""
    left = list(replies)

    def script(request: ChatRequest) -> str:
        return json.dumps(NOTHING | (left.pop(0) if len(left) > 1 else left[0]))

    chat = ScriptedChat(script)
    explorer, critic = model_strategies(chat, ModelSettings(name="m", fetch_ahead=0), ranker(), seed="seed")
    edges = msgspec.structs.replace(crew_for(PaperSite(site)), explorer=explorer, critic=critic)
    events = EventList()
    return await walk(task, edges, rules_for(task, pages=8), events), events, chat


def named(*names: str) -> list[dict[str, str]]:
    return [{"name": name, "quote": f"- {name} was built in {1980 + BOATS.index(name)}"} for name in names]


async def test_a_quota_that_is_named_with_the_marks_of_entries_is_met() -> None:
    items = named("Orca", "Heron", "Otter")
    outcome, _, chat = await walked(
        THREE, {"relevance": 40, "items": items, "sufficient": True, "answer": "Orca, Heron and Otter", "cite": [1]}
    )
    assert (outcome.stop_reason, outcome.pages) == (StopReason.QUOTA_REACHED, 1)
    assert outcome.items == ("Orca", "Heron", "Otter")
    assert len(chat.asked) == 1


async def test_of_a_longer_list_the_model_means_what_it_answers() -> None:
    reply = {"relevance": 40, "list": 1, "sufficient": True, "answer": "Orca; Heron; Otter", "cite": [1]}
    outcome, events, _ = await walked(THREE, reply)
    assert (outcome.stop_reason, outcome.items) == (StopReason.QUOTA_REACHED, ("Orca", "Heron", "Otter"))
    added = [event.added for event in events.events if isinstance(event, CounterMoved)]
    assert [item["name"].split()[0] for item in added[0]] == ["Orca", "Heron", "Otter"]


async def test_a_number_that_the_site_states_is_not_overridden_by_a_list_of_another_length() -> None:
    task = task_for("How many boats does the station have?")
    stated = {"answer": "9", "quote": "9 boats in all", "confidence": 90}
    reply = {"relevance": 40, "findings": [stated], "list": 1, "sufficient": True, "answer": "9", "cite": [1]}
    outcome, _, _ = await walked(task, reply)
    assert (outcome.stop_reason, outcome.answer) == (StopReason.ANSWERED, "9")
    listed, _, _ = await walked(task_for("How many boats are listed?"), reply)
    assert listed.answer.startswith("6 (")


async def test_an_answer_line_by_line_names_as_many_things() -> None:
    found = [{"answer": name, "quote": f"{name} was built", "confidence": 90} for name in ("Orca", "Heron", "Otter")]
    reply = {
        "relevance": 40,
        "findings": found,
        "sufficient": True,
        "answer": "1. Orca\n2. Heron\n3. Otter",
        "cite": [1],
    }
    outcome, _, _ = await walked(THREE, reply)
    assert (outcome.stop_reason, outcome.answer, outcome.pages) == (StopReason.ANSWERED, "Orca; Heron; Otter", 1)


async def test_an_end_that_is_refused_twice_is_given_the_third_time() -> None:
    found = [{"answer": "Orca", "quote": "Orca was built in 1982", "confidence": 90}]
    ends = {"sufficient": True, "answer": "Orca", "cite": [1], "action": "answer"}
    outcome, events, _ = await walked(THREE, ends | {"relevance": 40, "findings": found}, NOTHING, ends, NOTHING, ends)
    assert (outcome.stop_reason, outcome.answer, outcome.pages) == (StopReason.ANSWERED, "Orca", 3)
    assert sum(isinstance(event, ActionRefused) and event.action == "GiveAnswer" for event in events.events) == 2


async def test_a_refused_name_is_in_the_trace_and_in_the_next_prompt_once() -> None:
    kraken = {"relevance": 40, "items": [{"name": "Kraken", "quote": "Kraken was built in 1982"}]}
    _, events, chat = await walked(THREE, kraken, NOTHING, NOTHING)
    (refused,) = next(event.refused for event in events.events if isinstance(event, FindingsAdded))
    assert refused == ("item “Kraken”: its quote is not on the page, which says “Orca was built in 1982”")
    second, third = (request.messages[-1].content for request in chat.asked[1:3])
    assert refused in second
    assert "findings (1 not taken: its quote is not on the page)" in third
    assert "Kraken" not in third


async def test_what_a_question_asks_besides_a_count_is_left_to_the_model() -> None:
    parts = (TaskPart(text="three boats of the station"), TaskPart(text="which of them is the oldest"))
    task = msgspec.structs.replace(THREE, analysis=TaskAnalysis(parts=parts))
    first = {"relevance": 40, "items": named("Orca", "Heron", "Otter"), "cite": [1]}
    ends = {"sufficient": True, "answer": "Orca, Heron, Otter; the oldest is Orca", "cite": [1], "action": "answer"}
    outcome, _, _ = await walked(task, first, ends)
    assert (outcome.stop_reason, outcome.pages) == (StopReason.QUOTA_REACHED, 2)
    assert outcome.answer == "Orca, Heron, Otter; the oldest is Orca"


def counted(mode: str, *names: str) -> WalkMemory:
    requirement = Requirement(mode=mode, target=len(names) if mode == "quota" else 0)  # type: ignore[arg-type]
    counter = Counter.start(requirement).add(Item(name=name, page_url=HOME, step=1) for name in names).saw_end()
    return WalkMemory(step=1, counter=counter)


def test_a_count_stays_in_the_answer_to_a_question_of_several_parts() -> None:
    memory = counted("exhaustive", "Orca", "Heron")
    whole = Verdict(sufficient=True, answer="There are 2, and Orca is the oldest")
    assert conclude(memory, whole, 2).answer == "There are 2, and Orca is the oldest"
    rest = Verdict(sufficient=True, answer="Orca")
    assert conclude(memory, rest, 1).answer == "2 (Orca; Heron)"
    assert conclude(memory, Verdict(sufficient=True, answer="in 1982"), 2).answer == "2 (Orca; Heron); in 1982"
    assert conclude(memory, Verdict(sufficient=False, answer="in 1982"), 2).answer == "2 (Orca; Heron)"


def test_names_that_are_told_with_their_number_are_items() -> None:
    memory = WalkMemory(step=1, counter=Counter.start(Requirement(mode="exhaustive", noun="boats")))
    assert conclude(memory, Verdict(answer="2 (Orca; Heron)")).items == ("Orca", "Heron")
    for part in ("3 (Orca; Heron; and 1 more)", "2 (Orca; Orca)", "9 (Orca; ...)", "2 (built in 1982)", "Orca; Heron"):
        assert conclude(memory, Verdict(answer=part)).items == (), part
    nothing = WalkMemory(step=1, counter=Counter.start(Requirement()))
    assert conclude(nothing, Verdict(answer="2 (Orca; Heron)")).items == ()


def test_names_that_were_not_counted_are_answered_where_they_are_as_many() -> None:
    memory = counted("quota", "Mantis", "Squid")
    assert conclude(memory, Verdict(sufficient=True, answer="Orca and Heron")).items == ("Orca", "Heron")
    assert conclude(memory, Verdict(sufficient=True, answer="Squid and Mantis")).answer == "Mantis; Squid"
    assert conclude(memory, Verdict(sufficient=True, answer="Orca")).items == ("Mantis", "Squid")
    told = "Mantis (18 m), Squid (12 m)"
    assert conclude(memory, Verdict(sufficient=True, answer=told)).answer == told, "it says more of each"
    assert conclude(memory, Verdict(sufficient=True, answer=told + ", Orca (9 m)")).answer == "Mantis; Squid"


async def test_a_list_within_a_post_is_whole_though_the_posts_go_on() -> None:
    tools = "<ul><li>Saw</li><li>Plane</li><li>Chisel</li></ul>"
    posts = "".join(
        f'<h2><a href="/{name}.html">Report of {name}</a></h2><p>What was done in the shed.</p>{body}'
        for name, body in (("autumn", f"<p>Tools of autumn:</p>{tools}"), ("winter", ""))
    )
    site = {
        HOME: page("Reports", f'{posts}<p><a href="/index.html?page=2">Next page</a></p>'),
        f"{HOME}index.html?page=2": page("Reports", "<h2>Report of spring</h2><p>Nothing was done.</p>"),
    }
    reply = {"relevance": 40, "list": 1, "sufficient": True, "answer": "Saw; Plane; Chisel", "cite": [1]}
    outcome, events, _ = await walked(task_for("List all tools that were bought in autumn."), reply, site=site)
    assert (outcome.stop_reason, outcome.pages) == (StopReason.ANSWERED, 1)
    assert outcome.items == ("Saw", "Plane", "Chisel")
    (found,) = next(event.findings for event in events.events if isinstance(event, FindingsAdded))
    assert found["quote"] == "Saw Plane Chisel", "the quote shows the list, not its first entry"
