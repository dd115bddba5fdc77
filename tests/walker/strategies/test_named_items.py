"""What a model counts: lists that it chose, things that it named, and what code checks of them."""

from __future__ import annotations

import json
import re

import msgspec

from memory.counting.counter import Counter
from memory.findings import Finding, Findings, Item
from memory.state import WalkMemory
from perception.observation import Observation
from tests.fixtures.paper import HOME, PAGES, crew_for, observed, page, ranker, rules_for, task_for
from tests.fixtures.scripts import links_in
from walker.seams.chat import ChatRequest
from walker.seams.outcome import StopReason, conclude
from walker.seams.task import Task
from walker.seams.task_analysis import TaskAnalysis
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


async def test_a_chosen_list_is_quoted_as_the_page_has_it_below_a_heading_or_not() -> None:
    alone = observed(page("Boats", "<ul><li>Mantis</li><li>Squid</li><li>Orca</li></ul>"), HOME + "boats.html")
    made = await critic(list=alone.record_sets[0].id).find(BOATS, alone, standing(BOATS))
    assert made.findings[-1].quote == "Mantis Squid Orca"


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


async def test_names_and_quotes_may_carry_the_marks_of_the_prompt() -> None:
    named = [
        {"name": "- Mantis", "quote": "- Mantis"},
        {"name": "**Squid**", "quote": "* **Squid** [12]"},
        {"name": "Orca [3 seen]", "quote": "3. Orca [3 seen]"},
        {"name": "North quay", "quote": "- North quay [4]\n- South quay"},
    ]
    findings = await critic(items=named).find(BOATS, here(), standing(BOATS))
    assert names(findings) == ["Mantis", "Squid", "Orca", "North quay"]
    assert [item.quote for item in findings.items] == ["Mantis", "Squid", "Orca", "North quay South quay"]
    assert findings.refused == ()


async def test_each_thing_that_is_refused_is_named_with_the_reason() -> None:
    sentence = "The dinghies Pip and Squeak lie beside them"
    named = [
        {"name": "Pip", "quote": sentence},
        {"name": "Kraken", "quote": "The dinghies Kraken and Squeak lie here"},
        {"name": "Nessie", "quote": sentence},
    ]
    made = await critic(items=named, findings=[{"answer": "3", "quote": "3 boats"}], list=77).find(
        BOATS, here(), standing(BOATS)
    )
    assert made.refused == (
        "finding “3”: its quote is not on the page, which says “Boats of the station”",
        f"item “Kraken”: its quote is not on the page, which says “{sentence}, and 9 boats were sold.”",
        "item “Nessie”: its quote does not hold this name, nor does the page",
        "list 77: this page has no list of this number",
    )


async def test_a_name_of_the_page_may_be_quoted_by_its_row() -> None:
    made = await critic(items=[{"name": "Mantis", "quote": "9 boats were sold"}]).find(BOATS, here(), standing(BOATS))
    assert names(made) == ["Mantis"]


async def test_a_list_that_is_counted_is_a_finding_too() -> None:
    fact = {"answer": "9", "quote": "9 boats were sold", "confidence": 80}
    made = await critic(findings=[fact], list=number_of("Mantis")).find(BOATS, here(), standing(BOATS))
    assert [finding.text for finding in made.findings] == ["9", "3: Mantis; Squid; Orca"]
    assert made.findings[-1].heading.endswith("Boats of the station")
    placed = task_for("How many boats are listed on the 'Station' page?")
    by_code = await critic().find(placed, here(), standing(placed))
    assert [finding.text for finding in by_code.findings] == ["3: Mantis; Squid; Orca"]


async def test_things_named_for_a_question_that_counts_nothing_are_a_finding() -> None:
    asked = task_for("Where do the dinghies lie?")
    sentence = "The dinghies Pip and Squeak lie beside them"
    made = await critic(items=[{"name": "Pip", "quote": sentence}]).find(asked, here(), standing(asked))
    assert (made.items, [finding.text for finding in made.findings]) == ((), ["1: Pip"])


async def test_on_a_page_that_the_model_finds_beside_the_point_code_has_to_be_surer() -> None:
    asked = task_for("How many boats of the station are listed?")
    assert names(await critic(relevance=30).find(asked, here(), standing(asked))) == ["Mantis", "Squid", "Orca"]
    assert names(await critic(relevance=20).find(asked, here(), standing(asked))) == []
    placed = task_for("How many boats are listed on the 'Station' page?")
    assert names(await critic(relevance=20).find(placed, here(), standing(placed))) == ["Mantis", "Squid", "Orca"]


async def test_of_a_list_longer_than_the_quota_what_the_model_named_or_answers_is_counted_first() -> None:
    two = task_for("Name two boats of the station.")
    assert two.requirement.target == 2
    beside = [{"name": name, "quote": "The dinghies Pip and Squeak lie beside them"} for name in ("Pip", "Squeak")]
    named = await critic(list=number_of("Mantis"), items=beside).find(two, here(), standing(two))
    assert names(named)[:2] == ["Pip", "Squeak"]


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


SHEDS = page(
    "Sheds",
    "<h2>Heron House</h2><p>A shed of the north quay.</p><p>It was built in 1904 and holds 12 boats.</p>"
    "<h2>Otter Hall</h2><p>It was built in 1931.</p>"
    + "<p>Nothing is said here of any shed.</p>" * 12
    + "<h2>Gull Barn</h2><p>It was built in 1987.</p>",
)
BUILT = {
    "Heron House": ("1904", "It was built in 1904 and holds 12 boats."),
    "Otter Hall": ("1931", "It was built in 1931."),
    "Gull Barn": ("1987", "It was built in 1987."),
}
ASKED = task_for("Name three sheds and the year in which each was built.")


def said(name: str, value: str = "", quote: str = "") -> dict[str, str]:
    return {"name": name, "value": value, "quote": quote or BUILT[name][1]}


async def test_a_name_in_a_heading_is_proved_by_the_text_below_and_by_no_text_far_away() -> None:
    page_of_sheds = observed(SHEDS, HOME + "sheds.html")
    items = [said("Heron House"), said("Otter Hall"), said("Heron House", quote=BUILT["Gull Barn"][1])]
    made = await critic(items=items).find(ASKED, page_of_sheds, standing(ASKED))
    assert names(made) == ["Heron House", "Otter Hall"]
    assert made.refused == ("item “Heron House”: its name stands far from this quote: quote what stands at it",)


async def test_a_value_stays_with_its_item_and_one_that_does_not_stand_there_is_dropped() -> None:
    page_of_sheds = observed(SHEDS, HOME + "sheds.html")
    items = [said("Heron House", "1904"), said("Otter Hall", "1987"), said("Gull Barn", "1987")]
    made = await critic(items=items).find(ASKED, page_of_sheds, standing(ASKED))
    assert [item.told for item in made.items] == ["Heron House (1904)", "Otter Hall", "Gull Barn (1987)"]
    assert made.refused == ("item “Otter Hall”: its value does not stand at its quote",)
    assert made.findings[-1].text == "3: Heron House (1904); Otter Hall; Gull Barn (1987)"


async def test_a_quota_that_asks_for_more_of_each_is_answered_with_both() -> None:
    page_of_sheds = observed(SHEDS, HOME + "sheds.html")
    judge = critic(items=[said(name, value) for name, (value, _) in BUILT.items()])
    made = await judge.find(ASKED, page_of_sheds, standing(ASKED))
    memory = standing(ASKED)
    memory = msgspec.structs.replace(memory, counter=memory.counter.add(made.items))
    verdict = await judge.judge(ASKED, memory)
    assert (verdict.sufficient, verdict.answer) == (True, "Heron House (1904); Otter Hall (1931); Gull Barn (1987)")
    assert conclude(memory, verdict).answer == verdict.answer


async def test_what_is_asked_of_each_is_looked_for_though_the_names_are_complete() -> None:
    wanted = ASKED.analysed(TaskAnalysis(by="model", each="the year", requirement=ASKED.requirement))
    memory = standing(wanted)
    items = [Item(name=name, page_url=HOME, step=1, quote=name) for name in BUILT]
    memory = msgspec.structs.replace(
        memory,
        counter=memory.counter.add(items),
        findings=(Finding(text="3 sheds", quote="x", url=HOME, step=1, score=0.9),),
    )
    chat = ScriptedChat(lambda _: json.dumps({"sufficient": False, "missing": ["year of Otter Hall"]}))
    talk = ModelTalk(chat, ModelSettings(name="m"), "seed")
    verdict = await ModelCritic(talk, ranker(), BuiltinCritic(ranker())).judge(wanted, memory)
    assert (verdict.sufficient, verdict.missing) == (False, ("year of Otter Hall",))
    assert "Of each, besides its name: the year" in chat.asked[0].messages[-1].content


async def test_names_that_one_finding_enumerates_may_stand_anywhere_on_its_page() -> None:
    finding = {"answer": "Heron House; Gull Barn", "quote": BUILT["Gull Barn"][1], "confidence": 80}
    made = await critic(findings=[finding]).find(ASKED, observed(SHEDS, HOME + "sheds.html"), standing(ASKED))
    assert (names(made), made.refused) == (["Heron House", "Gull Barn"], ())
