"""Code as a step of a walk: what it may use, what becomes of its output, and that a record replays where nothing can run it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

import msgspec
import pytest

from memory.findings import Citation, ComputedFinding
from tests.fixtures.paper import HOME, crew_for, page, ranker, rules_for, task_for
from tests.fixtures.scripts import merged
from tests.recordings.make import ticking
from traces.events import ActionRefused, CodeRan, Event, FindingsAdded, Judged, MoveTaken
from traces.export.training.trajectory import trajectory_of
from traces.manifest import RunManifest
from traces.reading.reader import read_run
from traces.reading.steps import walk_of
from traces.store.recorder import Recorder
from walker.code.monty_runner import MontyRunner
from walker.recording.recording import Recording
from walker.recording.recording_proxies import RecordedChat, RecordingSink, with_recording
from walker.rules.tools.code_rules import RUNS_A_WALK
from walker.run_setup import recorded_settings
from walker.runs.answer_reasons import reasons_of
from walker.runs.compare import page_key
from walker.runs.replay import replay_run
from walker.runs.shrinking.rehearsal import decides_the_same
from walker.runs.shrinking.search import read_run_as_case
from walker.runs.training.trajectories import tools_of
from walker.seams.chat import ChatRequest
from walker.seams.code_runner import CODE_CHARS, CodeFailure, CodeRunner, CodeValue, Ran
from walker.seams.outcome import Outcome, StopReason
from walker.seams.protocols import TraceSink
from walker.settings import ModelSettings, Settings
from walker.strategies.model.prompt_values import Offers
from walker.strategies.strategy_assembly import model_strategies
from walker.testing.fakes import EventList, Paper, PaperSite, ScriptedChat
from walker.testing.scripted_code import ScriptedCode
from walker.walk.loop import walk

QUESTION = "What do a berth and a mooring cost together?"
QUOTES = ("A berth costs 12 EUR a night.", "A mooring costs 22.50 EUR a night.")
FOUND = [
    {"answer": f"{fee} EUR", "quote": quote, "confidence": 90} for fee, quote in zip((12, 22.5), QUOTES, strict=True)
]
PAGES: dict[str, str | Paper] = {
    HOME: page(
        "Harbour fees",
        f"<p>{QUOTES[0]}</p><p>{QUOTES[1]}</p><table><tr><th>Boat</th><th>Metres</th></tr>"
        "<tr><td>Mantis</td><td>18.4</td></tr><tr><td>Squid</td><td>7</td></tr></table>",
    )
}
MODEL = ModelSettings(name="scripted", fetch_ahead=0)
SETTINGS = Settings(model=MODEL, seed="recordings", scout_pages=0, code="monty")
SUM = "f1_value + f2_value"
E = TypeVar("E", bound=Event)


class Model:
    """Finds both fees, then proposes its actions one after the other, and is content once something was computed."""

    def __init__(self, *actions: Mapping[str, object], answer: str = "34.5 EUR") -> None:
        self._actions, self._answer = iter(actions), answer
        self.sent: list[ChatRequest] = []

    def __call__(self, request: ChatRequest) -> str:
        self.sent.append(request)
        if request.schema_name == "step":
            return merged(lambda schema: self._said(schema, request))
        return self._said(request.schema_name, request)

    def _said(self, schema: str, request: ChatRequest) -> str:
        if schema == "critic_find":
            return json.dumps({"relevance": 40, "findings": FOUND, "list": 0})
        if schema == "critic_judge":
            is_computed = "computed by code" in request.messages[1].content
            return json.dumps({"sufficient": is_computed, "answer": self._answer, "confidence": 90, "cite": [3]})
        return json.dumps(next(self._actions, {"action": "answer"}))


def run(code: str) -> dict[str, object]:
    return {"action": "run", "text": code, "reason": "together"}


def added(code: str, inputs: Mapping[str, CodeValue]) -> Ran | str:
    """The sum of the two fees; anything else is no Python."""
    if code != SUM:
        return Ran(failure=CodeFailure(kind="syntax", message="SyntaxError: unexpected EOF", line=1, column=6))
    return str(inputs["f1_value"] + inputs["f2_value"])  # type: ignore[operator]


async def walked(
    model: Model, runner: CodeRunner | None, sink: TraceSink, recording: Recording | None = None
) -> Outcome:
    task = task_for(QUESTION)
    chat = ScriptedChat(model)
    recorded = chat if recording is None else RecordedChat(chat, recording)
    offers = Offers(pages=SETTINGS.limits.pages, tools=SETTINGS.chosen_tools if runner is not None else frozenset())
    explorer, critic = model_strategies(recorded, MODEL, ranker(), seed="recordings", offers=offers)
    edges = msgspec.structs.replace(crew_for(PaperSite(PAGES)), explorer=explorer, critic=critic, code=runner)
    rules = rules_for(task)
    if runner is not None:
        policy = msgspec.structs.replace(rules.policy, tools=SETTINGS.chosen_tools)
        rules = msgspec.structs.replace(rules, policy=policy)
    return await walk(task, edges if recording is None else with_recording(edges, recording), rules, sink)


def of(kind: type[E], events: EventList) -> list[E]:
    return [event for event in events.events if isinstance(event, kind)]


async def test_the_output_is_a_finding_that_rests_on_the_inputs() -> None:
    model, runner, events = Model(run(SUM)), ScriptedCode(added), EventList()
    outcome = await walked(model, runner, events)
    assert (outcome.answer, outcome.stop_reason) == ("34.5 EUR", StopReason.ANSWERED)
    assert outcome.citations == tuple(Citation(url=HOME, quote=quote) for quote in QUOTES)
    assert runner.asked == [(SUM, {"f1": "12 EUR", "f1_value": 12, "f2": "22.5 EUR", "f2_value": 22.5})]
    (ran,) = of(CodeRan, events)
    assert (ran.code, ran.inputs, ran.value, ran.failure) == (SUM, ("f1: 12 EUR", "f2: 22.5 EUR"), "34.5", "")
    computed = msgspec.convert(of(FindingsAdded, events)[-1].findings[0], ComputedFinding)
    assert (computed.text, computed.code, computed.score) == ("34.5", SUM, 0.9)
    assert computed.quote == " … ".join(QUOTES)
    assert [move.move for move in of(MoveTaken, events)] == ["Compute"]
    assert "[3] 34.5: computed by code from f1: 12 EUR; f2: 22.5 EUR" in model.sent[-1].messages[1].content


async def test_the_rows_of_a_table_are_values_too() -> None:
    def longest(_code: str, inputs: Mapping[str, CodeValue]) -> str:
        rows = inputs["t1"]
        assert isinstance(rows, tuple)
        return max(rows[1:], key=lambda row: float(row[1]))[0]

    model, events = Model(run("max(t1[1:], key=lambda row: float(row[1]))[0]"), answer="Mantis"), EventList()
    outcome = await walked(model, ScriptedCode(longest), events)
    assert "t1: table" in model.sent[0].messages[1].content
    assert of(CodeRan, events)[0].inputs == ("t1: 3 rows: Boat | Metres; Mantis | 18.4; Squid | 7",)
    assert [one.quote for one in outcome.citations] == ["Mantis | 18.4", "Squid | 7"]


async def test_code_that_fails_goes_back_with_line_and_column_and_is_not_run_again() -> None:
    model, runner, events = Model(run("f1_value ("), run("f1_value ("), run(SUM)), ScriptedCode(added), EventList()
    outcome = await walked(model, runner, events)
    assert outcome.answer == "34.5 EUR"
    assert [code for code, _ in runner.asked] == ["f1_value (", SUM]
    failed = of(CodeRan, events)[0]
    assert (failed.failure, failed.line, failed.column) == ("syntax", 1, 6)
    told = [request.messages[1].content for request in model.sent if request.schema_name == "explorer"]
    assert "Refused:\nRunCode : line 1, column 6: SyntaxError: unexpected EOF" in told[0]
    again = "RunCode : this very code was run already: it failed: line 1, column 6: SyntaxError: unexpected EOF"
    assert again in told[1]


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("1 + 1", "the code uses no value that was found"),
        (f"f1_value{' ' * CODE_CHARS}", "characters; 4000 are the most"),
    ],
)
async def test_code_over_nothing_that_was_found_is_refused(code: str, said: str) -> None:
    runner, events = ScriptedCode(added), EventList()
    await walked(Model(run(code)), runner, events)
    assert runner.asked == []
    assert said in of(ActionRefused, events)[0].reason


@pytest.mark.parametrize("code", ["f9 + f1", "t7[0]"])
async def test_a_name_that_stands_for_nothing_is_told_to_the_model(code: str) -> None:
    model, runner = Model(run(code), run(SUM)), ScriptedCode(added)
    await walked(model, runner, EventList())
    assert [asked for asked, _ in runner.asked] == [SUM]
    assert any("there is no " in message.content for message in model.sent[1].messages)


async def test_a_walk_runs_code_only_so_often() -> None:
    runner, events = ScriptedCode(added), EventList()
    await walked(Model(*(run(f"f1_value {'(' * number}") for number in range(1, RUNS_A_WALK + 2))), runner, events)
    assert len(runner.asked) == RUNS_A_WALK
    assert any("as often as a walk may" in event.reason for event in of(ActionRefused, events))


async def test_without_an_interpreter_nothing_is_offered_and_nothing_is_asked_otherwise() -> None:
    with_code, without = Model(run(SUM)), Model({"action": "answer"})
    await walked(with_code, ScriptedCode(added), EventList())
    events = EventList()
    await walked(without, None, events)
    plain, more = without.sent[0], with_code.sent[0]
    assert of(CodeRan, events) == []
    assert [one.content for one in more.messages] != [one.content for one in plain.messages]
    assert more.messages[0].content.startswith(plain.messages[0].content)
    assert more.prompt.startswith(plain.prompt + "+tools.en@")
    assert "run" not in plain.schema["properties"]["action"]["enum"]
    assert "run" in more.schema["properties"]["action"]["enum"]
    assert "ocr" not in more.schema["properties"]["action"]["enum"]


async def test_a_sum_of_an_answer_is_computed_again() -> None:
    def summed(code: str, inputs: Mapping[str, CodeValue]) -> Ran | str:
        return added(code, inputs) if inputs else "34.5"

    events = EventList()
    outcome = await walked(Model(run(SUM), answer="12 EUR + 22.5 EUR = 36 EUR"), ScriptedCode(summed), events)
    assert outcome.answer == "12 EUR + 22.5 EUR = 34.5 EUR"
    assert of(CodeRan, events)[-1].code == "12 + 22.5"
    assert "computed: 12 + 22.5 = 34.5, the model said 36" in of(Judged, events)[-1].reason


async def record(folder: Path) -> Path:
    task = task_for(QUESTION)
    manifest = RunManifest(
        run_id="code", created=1.0, question=task.question, root_url=HOME, settings=recorded_settings(SETTINGS)
    )
    recorder = Recorder.create(folder / "run", manifest, clock=ticking())
    recording = Recording(recorder=recorder)
    outcome = await walked(
        Model(run("f1_value ("), run(SUM)), ScriptedCode(added), RecordingSink(recorder, recording), recording
    )
    recorder.seal(outcome.stop_reason.value, {"pages": outcome.pages, "steps": outcome.steps})
    recorder.close()
    return folder / "run"


async def test_a_record_replays_where_nothing_can_run_code(tmp_path: Path) -> None:
    folder = await record(tmp_path)
    for deep in (False, True):
        report = await replay_run(folder, deep=deep)
        assert report.outcome is not None
        assert (report.outcome.answer, report.problems) == ("34.5 EUR", ())
    assert replayed_without_the_extra(folder) == "34.5 EUR"


def replayed_without_the_extra(folder: Path) -> str:
    program = (
        "import sys; sys.modules['pydantic_monty'] = None\n"
        "import asyncio; from pathlib import Path; from walker.runs.replay import replay_run\n"
        f"print(asyncio.run(replay_run(Path({str(folder)!r}))).outcome.answer)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


async def test_a_run_is_a_call_of_its_trajectory_and_what_it_gave_the_response(tmp_path: Path) -> None:
    run = read_run(await record(tmp_path))
    told = trajectory_of(run, walk_of(run, page_key), tools_of(run))
    assert [turn.tool for turn in told.turns] == ["visit", "run", "run"]
    assert [turn.response for turn in told.turns[1:]] == ["line 1, column 6: SyntaxError: unexpected EOF", "34.5"]
    assert told.turns[2].arguments["code"] == SUM
    assert "run" in {tool["name"] for tool in told.tools}


async def test_a_case_of_it_runs_no_code_and_decides_the_same(tmp_path: Path) -> None:
    case = read_run_as_case(await record(tmp_path), kind="answer")
    assert [run.code for run in case.runs] == ["f1_value (", SUM]
    assert await decides_the_same(case)


async def test_the_record_says_why(tmp_path: Path) -> None:
    lines = reasons_of(read_run(await record(tmp_path))).lines()
    assert "computed: f1_value + f2_value = 34.5, where f1: 12 EUR; f2: 22.5 EUR" in lines
    assert "not computed: f1_value (: line 1, column 6: SyntaxError: unexpected EOF" in lines
    settings = read_run(tmp_path / "run").manifest.settings
    assert settings["code"] == "monty"
    assert "code" not in recorded_settings(Settings(model=MODEL))


async def test_a_walk_with_the_real_interpreter() -> None:
    pytest.importorskip("pydantic_monty")
    runner = MontyRunner()
    try:
        outcome = await walked(Model(run("round(f1_value + f2_value, 2)")), runner, EventList())
    finally:
        await runner.close()
    assert outcome.answer == "34.5 EUR"
    assert len(outcome.citations) == 2
