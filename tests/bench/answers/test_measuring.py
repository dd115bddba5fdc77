"""Both measuring programs, over the small site, with real walks in a browser against their endpoint."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from answers.ideal import judge, read, step
from answers.prompt_reading import read_request
from answers.question_set import Question, write_questions
from answers.reader_state import ReaderState
from answers.scoring import is_right
from answers.site_map import SiteMap
from answers.slices import wilson
from answers.walks import Ended

from tests.bench.answers.bench_program import bench_program
from tests.bench.answers.conftest import made_question
from tests.walker.cli.program import Ended as Ran
from walker.models.replies import PageReply, schema_of
from walker.testing.chat_server import Asked

HISTORY = made_question(
    id="ferry-002",
    question="Who founded the ferry line?",
    answer="Marta Lind",
    sources=["history.html"],
    evidence=["The line was founded by Marta Lind."],
    depth=[1],
)
INVENTED = made_question(
    id="ferry-003",
    question="What does a crossing cost for dogs?",
    answer="1.20",
    sources=["fares.html"],
    evidence=["A crossing costs 1.20 for dogs."],
    depth=[1],
)


def ran(program: str, base: str, folder: Path, questions: list[Question], *more: str) -> Ran:
    write_questions(folder / "q.jsonl", questions)
    given = ("--questions", str(folder / "q.jsonl"), "--site", f"ferry={base}", "--list-failures", *more)
    return bench_program(program, *given, folder=folder)


def test_evidence_is_looked_for_in_the_prompts_of_its_page(base: str, tmp_path: Path) -> None:
    ended = ran("evidence_kept.py", base, tmp_path, [HISTORY, INVENTED], "--results", "kept.jsonl")
    assert ended.code == 0, ended.err
    assert "lost ferry-003#0 single text fares.html: no prompt showed it" in ended.out
    assert "evidence kept: all                                            0.500 [0.09, 0.91]    1 of 2" in ended.out
    results = [json.loads(line) for line in (tmp_path / "kept.jsonl").read_text().splitlines()]
    assert {one["id"]: one["right"] for one in results} == {"ferry-002": True, "ferry-003": False}


def test_the_ideal_reader_answers_what_it_is_shown_and_names_why_not(base: str, tmp_path: Path) -> None:
    ended = ran("ideal_reader.py", base, tmp_path, [HISTORY, INVENTED], "--pages", "4")
    assert ended.code == 0, ended.err
    assert "ideal reader: kind of question      single                   0.500" in ended.out
    assert "evidence never shown: ferry-003 single text" in ended.out
    assert "ferry-002" not in ended.out


def test_a_site_without_an_address_is_named(base: str, tmp_path: Path) -> None:
    ended = ran("ideal_reader.py", base, tmp_path, [made_question(site="tram")])
    assert (ended.code, ended.err) == (1, "no address is known for tram: add --site NAME=BASE\n")


def test_where_nothing_is_unpacked_one_line_says_so(tmp_path: Path) -> None:
    ended = bench_program("evidence_kept.py", "--cache", str(tmp_path), folder=tmp_path)
    assert ended.code == 0
    assert ended.err.splitlines()[-1] == "skipped: no site of bench/answers is unpacked here"


def state_of(question: Question, ferry: SiteMap) -> ReaderState:
    ways = [ferry.ways_to(ferry.named(source)) for source in question.sources]
    return ReaderState(question, ferry, "http://h:1/", ways)


@pytest.mark.parametrize(
    ("change", "ended", "cause"),
    [
        ({}, Ended(id="a", error="no page"), "walk failed"),
        ({"judged_enough": True}, Ended(id="a", answer="9"), "overridden"),
        ({"told": {0}}, Ended(id="a"), "lost before the judge"),
        ({"read": {"boats/alma.html"}}, Ended(id="a", answer="9"), "evidence never shown"),
        ({"refusals": ["too deep"]}, Ended(id="a"), "refused"),
        ({"not_offered": ["index.html: Boats"]}, Ended(id="a", pages=15), "link never offered"),
        ({}, Ended(id="a", pages=15), "budget"),
        ({}, Ended(id="a"), "other"),
    ],
)
def test_a_failure_has_the_cause_that_came_first(
    ferry: SiteMap, change: dict[str, object], ended: Ended, cause: str
) -> None:
    state = state_of(made_question(), ferry)
    for name, value in change.items():
        setattr(state, name, value)
    assert state.cause(ended, 15)[0] == cause


def test_items_count_only_where_they_are_listed_for_the_question(ferry: SiteMap) -> None:
    listed = made_question(kind="exhaustive", sources=["boats/index.html"], items=["Alma", "Berta"], evidence=["Cora"])
    state = state_of(listed, ferry)
    state.arrive("http://h:1/fares.html")
    assert state.items_in("The Alma and the Berta") == []
    assert state.items_in("Alma, Berta, Cora") == ["Alma", "Berta"]
    state.arrive("http://h:1/boats/")
    assert state.items_in("The Alma and the Berta") == ["Alma", "Berta"]


def test_where_a_followed_link_led_is_kept(ferry: SiteMap) -> None:
    state = state_of(made_question(), ferry)
    state.arrive("http://h:1/")
    state.aim = ("index.html", 3)
    state.arrive("http://h:1/fares.html")
    assert state.led_to == {"index.html": {3: "fares.html"}}
    assert [state.at(path) for path in ("/boats/", "/old.html", "/history.html#top")] == [
        "boats/index.html",
        "harbours.html",
        "history.html",
    ]


def test_the_pages_above_are_those_that_going_back_leads_to(ferry: SiteMap) -> None:
    state = state_of(made_question(), ferry)
    for path in ("", "boats/", "boats/alma.html", "boats/", "fares.html"):
        state.arrive(f"http://h:1/{path}")
    assert state.above == ["index.html", "boats/index.html"]
    state.arrive("http://h:1/")
    assert state.above == []


def test_where_no_link_leads_nearer_a_page_above_may(ferry: SiteMap) -> None:
    state = state_of(made_question(sources=["fares.html"]), ferry)
    page = "Deck\nhttp://h:1/boats/deck.html\nSee the plan."
    body = {"messages": [{"role": "user", "content": f"===0123456789ab==={page}===0123456789ab==="}]}
    state.arrive("http://h:1/")
    state.arrive("http://h:1/boats/deck.html")
    assert step(state, read_request(Asked(body=body, headers={}, at=0.0)))["action"] == "back"


ECHO = """Still looked for: {question}
Steps:
1. Boats (/boats/): nothing → follow [4] “Harbours”
{findings}
Here: Boats

Boats
http://h:1/boats/
Alma [1] [2 seen] · Berta [3]"""


def test_evidence_in_the_echo_of_the_question_is_none(ferry: SiteMap) -> None:
    question = made_question(question="How long did the Alma that was built in 1931 sail?", evidence=["built in 1931"])
    state, form = state_of(question, ferry), {"response_format": {"json_schema": {"schema": schema_of(PageReply)}}}
    for findings, is_enough in (("", False), ("[7] 1931: “She was built in 1931.”, http://h:1/boats/alma.html", True)):
        text = f"===0123456789ab==={ECHO.format(question=question.text, findings=findings)}===0123456789ab==="
        shown = read_request(Asked(body={"messages": [{"role": "user", "content": text}], **form}, headers={}, at=0.0))
        assert read(state, shown)["findings"] == []
        judged = judge(state, shown)
        assert judged["sufficient"] is is_enough
        assert judged.get("cite", [])[:1] == ([7] if is_enough else [])


@pytest.mark.parametrize(
    ("given", "ended", "right"),
    [
        ({}, Ended(id="a", answer="It was built in 1931."), True),
        ({}, Ended(id="a", answer="It was built in 19315."), False),
        ({"kind": "none", "answer": ""}, Ended(id="a"), True),
        ({"kind": "none", "answer": ""}, Ended(id="a", answer="1931"), False),
        ({"kind": "quota", "items": ["A1", "B2", "C3"], "n": 2}, Ended(id="a", answer="B2; C3"), True),
        ({"kind": "quota", "items": ["A1", "B2", "C3"], "n": 2}, Ended(id="a", items=("B2", "X", "Y")), False),
        ({"kind": "exhaustive", "answer": "2", "items": ["A", "B"]}, Ended(id="a", answer="2"), True),
        ({"kind": "exhaustive", "answer": "2", "items": ["A", "B"]}, Ended(id="a", answer="2", items=("A",)), False),
    ],
)
def test_answers_are_scored_by_kind(given: dict[str, object], ended: Ended, right: bool) -> None:
    assert is_right(made_question(**given), ended) is right


def test_an_interval_holds_the_share_and_stays_within_0_and_1() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(10, 10)[1] == pytest.approx(1.0)
    low, high = wilson(9, 18)
    assert (round(low, 2), round(high, 2)) == (0.29, 0.71)
