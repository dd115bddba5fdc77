"""A model's analysis of the question: what it adds to the rules, and what it may not change."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from memory.counting.requirement import Requirement
from perception.observation import Observation
from tests.fixtures.paper import HOME, observed, page
from walker.assembly import read_task
from walker.models.replies import AnalysisReply, read_reply
from walker.seams.chat import ChatFailure, ChatReply
from walker.seams.picture_pages import PictureName
from walker.seams.search_protocols import QuestionPicture
from walker.seams.task import Task
from walker.seams.task_analysis import SiteName, TaskAnalysis
from walker.settings import ModelSettings
from walker.strategies.analysis.builtin_analyst import BuiltinAnalyst
from walker.strategies.analysis.model_analyst import NAMES_KEPT, SPELLINGS_KEPT, ModelAnalyst
from walker.strategies.model.model_talk import ModelTalk
from walker.testing.fakes import ScriptedChat

MODEL = ModelSettings(name="m")
SITE = observed(page("Riffstation", "<p>Alles über Riffe.</p>").replace('lang="en"', 'lang="de"'))


def task(question: str, language: str = "") -> Task:
    return read_task(HOME, question, language)


async def analysed(question: str, *, language: str = "", may_count: bool = True, **said: Any) -> TaskAnalysis:
    chat = ScriptedChat(lambda _: json.dumps({"kind": "other", **said}))
    analyst = ModelAnalyst(ModelTalk(chat, MODEL, "seed", repairs=0), BuiltinAnalyst(), may_count=may_count)
    return await analyst.analyse(task(question, language), SITE)


async def by_rules(question: str, language: str = "") -> TaskAnalysis:
    return await BuiltinAnalyst().analyse(task(question, language), SITE)


async def test_the_prompt_shows_title_and_language_of_the_site_between_the_markers() -> None:
    chat = ScriptedChat(lambda _: json.dumps({"kind": "date"}))
    await ModelAnalyst(ModelTalk(chat, MODEL, "seed", repairs=0), BuiltinAnalyst()).analyse(task("When?"), SITE)
    sent = chat.asked[0].messages[-1].content
    fenced = sent.split("===")[2]
    assert "Riffstation" in fenced
    assert "Language of its first page: de" in fenced
    assert "Question: When?" not in fenced


async def test_of_a_page_of_our_own_the_roots_and_the_picture_are_told_and_nothing_else() -> None:
    shown = PictureName(
        name="Gull Mill", by="page", url=HOME + "mill", page="Gull Mill", said="Gull Mill", is_sure=True
    )
    about = QuestionPicture(digest="ab" * 32, media_type="image/png", width=9, height=9)
    asked = read_task(HOME, "Who built this?", picture=about)
    start = Observation(url=asked.root_url, status=200, title="The picture of the question", language="en")
    chat = ScriptedChat(lambda _: json.dumps({"kind": "name"}))
    analyst = ModelAnalyst(ModelTalk(chat, MODEL, "seed", repairs=0), BuiltinAnalyst())
    await analyst.analyse(msgspec.structs.replace(asked, shown=shown), start)
    lines = chat.asked[0].messages[-1].content.split("===")[2].strip().splitlines()
    assert lines[0] == f"Site: {HOME}"
    assert lines[1].startswith("The question's picture shows: Gull Mill (says the page")
    assert len(lines) == 2


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_both_languages_name_the_same_fields(language: str) -> None:
    chat = ScriptedChat(lambda _: json.dumps({"kind": "date"}))
    await ModelAnalyst(ModelTalk(chat, MODEL, "seed", repairs=0), BuiltinAnalyst()).analyse(
        task("When?", language), SITE
    )
    system = chat.asked[0].messages[0].content
    assert all(f'"{field}"' in system for field in AnalysisReply.__struct_fields__)


async def test_a_reply_that_says_nothing_leaves_the_analysis_of_the_rules() -> None:
    question = "How many more students does Physics have than Chemistry?"
    made, rules = await analysed(question), await by_rules(question)
    assert msgspec.structs.replace(made, by="rules") == rules


@pytest.mark.parametrize(
    "answer", ["I cannot say.", "{}", '{"kind": "weather"}', ChatFailure(kind="timeout", message="late")]
)
async def test_an_unusable_reply_is_not_sent_back_and_leaves_a_note(answer: str | ChatFailure) -> None:
    chat = ScriptedChat(lambda _: answer)
    analyst = ModelAnalyst(ModelTalk(chat, MODEL, "seed", repairs=0), BuiltinAnalyst())
    made = await analyst.analyse(task("Who leads it?"), SITE)
    assert len(chat.asked) == 1
    assert made.by == "rules"
    assert made.note.startswith("the model's analysis cannot be used: ")
    assert msgspec.structs.replace(made, note="") == await by_rules("Who leads it?")


async def test_spellings_are_added_each_once_and_the_names_of_the_rules_stay() -> None:
    made = await analysed(
        "Does the European Space Agency (ESA) run Reef Station?",
        names=[
            {"name": "Reef Station", "also": ["Riffstation", "riffstation", "Reef Station", "RS", "a", "b", "c"]},
            {"name": "European Space Agency", "also": "ASE"},
        ],
    )
    assert SiteName(name="Reef Station", spellings=("Riffstation", "RS", "a", "b")) in made.names
    assert SiteName(name="European Space Agency", spellings=("ESA", "ASE")) in made.names
    assert made.spellings[:1] == ("Riffstation",)
    assert "Reef" not in {one.name for one in made.names}


async def test_an_analysis_stays_small_whatever_the_model_says() -> None:
    many = [{"name": f"name {number}" * 40, "also": [f"spelling {n}" for n in range(50)]} for number in range(90)]
    made = await analysed(
        "Who?", names=many, proof="x" * 5000, parts=[{"ask": f"part {n}", "needs": 99} for n in range(90)]
    )
    assert len(made.names) <= NAMES_KEPT
    assert all(len(one.spellings) <= SPELLINGS_KEPT for one in made.names)
    assert len(msgspec.json.encode(made)) < 5000
    assert all(part.needs < number for number, part in enumerate(made.parts, start=1))


@pytest.mark.parametrize(
    ("question", "mode"),
    [
        ("How many offices does the firm have?", "none"),  # both are possible: the model decides
        ("Which two people founded the club?", "none"),  # a number in words
        ("Which 2 people founded the club?", "quota"),  # a number in digits is the question's own
        ("List all professors of the institute.", "exhaustive"),
        ("How many professors are listed on the staff page?", "exhaustive"),
    ],
)
async def test_a_count_is_switched_off_only_where_the_question_leaves_it_open(question: str, mode: str) -> None:
    assert (await by_rules(question)).requirement.mode != "none"
    made = await analysed(question, counts="stated", kind="number")
    assert made.requirement.mode == mode


async def test_a_count_is_switched_on_where_the_parser_does_not_know_the_language() -> None:
    asked: dict[str, Any] = {"counts": "listed", "noun": "教員", "which": "海洋学科"}
    made = await analysed("海洋学科の教員を挙げてください", language="ja", kind="list", **asked)
    assert made.requirement == Requirement(mode="exhaustive", noun="教員")
    assert made.constraint == "海洋学科"
    some = await analysed("教員を3人挙げてください", language="ja", kind="list", target=3, **asked)
    assert some.requirement == Requirement(mode="quota", target=3, noun="教員")
    invented = await analysed("教員を挙げてください", language="ja", kind="list", target=7, **asked)
    assert invented.requirement.mode == "none"
    known = await analysed("Who works there?", kind="list", counts="listed", noun="people")
    assert known.requirement.mode == "none"


async def test_nothing_is_counted_without_the_counter() -> None:
    made = await analysed(
        "教員を挙げてください", language="ja", kind="list", counts="listed", noun="教員", may_count=False
    )
    assert made.requirement.mode == "none"


async def test_parts_of_the_rules_stay_where_the_model_does_not_see_them() -> None:
    question = "How many more students does Physics have than Chemistry?"
    made = await analysed(question, parts=[{"ask": question}], operation="none")
    assert (made.operation, len(made.parts)) == ("difference", 2)
    own = await analysed(question, parts=["How many has Physics?", "How many has Chemistry?"], operation="Difference")
    assert [part.text for part in own.parts] == ["How many has Physics?", "How many has Chemistry?"]


def test_a_model_may_be_careless_about_the_form() -> None:
    text = '{"kind": "Date", "names": ["Reef"], "parts": ["When?"], "target": "all", "Counts": "NO", "picture": null}'
    read = read_reply(ChatReply(text=text), AnalysisReply)
    assert (read.kind, read.counts, read.target, read.names[0].name, read.parts[0].ask) == (
        "date",
        "no",
        0,
        "Reef",
        "When?",
    )


@pytest.mark.parametrize(
    ("question", "name", "spelling", "is_kept"),
    [
        ("Who chairs the reef committee?", "chair", "Frank Weber", False),
        ("Who chairs the reef committee?", "reef committee", "Riffausschuss", True),  # one noun of the site's language
        ("Who chairs the reef committee?", "reef committee", "ausschuss für riffe", True),
        ("Who runs Reef Station?", "Reef Station", "RS", True),
        ("Who runs Reef Station?", "Reef Station", "Reef Stazione", True),
        ("Who runs Reef Station?", "Reef Station", "Coral Point Base", False),
        ("Who runs Reef Station?", "Reef Station", "Alles über Riffe", True),  # words of its first page
        ("Who runs the ESA?", "ESA", "European Space Agency", True),
        ("Which version is new?", "version", "3.2", False),
        ("How long is the research vessel Mantis?", "Mantis", "RV Mantis", True),
        ("How long is the research vessel Mantis?", "Mantis", "HMS Mantis", False),
        ("谁主持珊瑚委员会？", "珊瑚委员会", "reef committee", True),
        ("谁主持珊瑚委员会？", "珊瑚委员会", "John Smith", False),
    ],
)
async def test_no_proper_name_that_nobody_has_seen_is_a_spelling(
    question: str, name: str, spelling: str, *, is_kept: bool
) -> None:
    made = await analysed(question, names=[{"name": name, "also": [spelling]}])
    assert (spelling in made.spellings) is is_kept


async def test_what_another_name_of_the_question_is_brought_into_is_no_spelling() -> None:
    names = [
        {"name": "first release", "also": ["tidal release", "initial release", "Tidal 1"]},
        {"name": "Tidal", "also": ["tidal library"]},
        {"name": "Software Freedom Day", "also": ["SFD"]},
        {"name": "SFD", "also": ["Software Freedom Day"]},
    ]
    made = await analysed("Was the first release of Tidal shown on Software Freedom Day, SFD?", names=names)
    spelled = {one.name: one.spellings for one in made.names}
    assert spelled["first release"] == ("initial release",)
    assert spelled["Tidal"] == ("tidal library",)
    assert spelled["Software Freedom Day"] == ("SFD",), "a short form is one, though the question has both"
    assert spelled["SFD"] == ("Software Freedom Day",)


async def test_a_name_that_the_question_does_not_hold_is_not_taken() -> None:
    made = await analysed("Who runs Reef Station?", names=[{"name": "harbour master", "also": ["hafenmeister"]}])
    assert made.spellings == ()


async def test_what_is_asked_of_each_counted_thing_is_kept() -> None:
    made = await analysed("List all boats and their length.", kind="list", counts="listed", noun="boats", each="length")
    assert made.each == "length"
    assert (await analysed("How long is it?", each="length")).each == ""


@pytest.mark.parametrize(
    ("question", "said", "picture"),
    [
        ("How many boats are in the drawing?", "", ""),
        ("How many boats are in the drawing?", "the drawing of the quay", "the drawing of the quay"),
        ("How many boats are in the photo?", "", "the photo"),
    ],
)
async def test_a_model_knows_whether_a_thing_is_meant_or_its_picture(question: str, said: str, picture: str) -> None:
    analysis = await analysed(question, picture=said)
    assert analysis.picture == picture
    assert analysis.means_no_picture is (not picture)
