"""A walk whose task is analysed: once, recorded, replayed, and used by those who read and choose."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from tests.fixtures.paper import HOME, PAGES, crew_for, ranker, rules_for, task_for
from tests.fixtures.scripts import sensible
from tests.recordings.make import ticking
from traces.events import EdgeCall, TaskAnalysed, WalkStarted
from traces.manifest import RunManifest
from traces.reading.reader import read_run
from traces.store.recorder import Recorder
from walker.assembly import WalkResources
from walker.models.meter import MeteredChat
from walker.recording.recording import Recording
from walker.recording.recording_proxies import RecordedChat, RecordingSink, with_recording
from walker.run_setup import recorded_settings
from walker.runs.fork import Overrides, fork_run
from walker.runs.replay import replay_run
from walker.seams.chat import ChatRequest
from walker.seams.outcome import Outcome, StopReason
from walker.seams.protocols import Edges
from walker.settings import ModelSettings, Settings
from walker.strategies.analysis.builtin_analyst import BuiltinAnalyst
from walker.strategies.analysis.model_analyst import ModelAnalyst
from walker.strategies.model.model_talk import ModelTalk
from walker.strategies.model.prompt_values import Offers
from walker.strategies.strategy_assembly import model_strategies
from walker.testing.fakes import EventList, PaperSite, ScriptedChat
from walker.walk.loop import walk

LENGTH = "How long is the research vessel Mantis?"
PEOPLE = "How many people are listed on the 'People' page?"
MODEL = ModelSettings(name="scripted", fetch_ahead=0)


def edges_with(script: Callable[[ChatRequest], str], recording: Recording | None = None) -> tuple[Edges, ScriptedChat]:
    scripted = ScriptedChat(script)
    chat = scripted if recording is None else RecordedChat(scripted, recording)
    explorer, critic = model_strategies(chat, MODEL, ranker(), seed="s", offers=Offers(pages=30))
    analyst = ModelAnalyst(ModelTalk(chat, MODEL, "s", repairs=0), BuiltinAnalyst())
    edges = crew_for(PaperSite(PAGES))
    return msgspec.structs.replace(edges, explorer=explorer, critic=critic, analyst=analyst), scripted


async def recorded(folder: Path, script: Callable[[ChatRequest], str] = sensible) -> Outcome:
    task = task_for(LENGTH)
    settings = Settings(model=MODEL, seed="s")
    manifest = RunManifest(
        run_id="r", created=1.0, question=LENGTH, root_url=HOME, settings=recorded_settings(settings)
    )
    recorder = Recorder.create(folder, manifest, clock=ticking())
    recording = Recording(recorder=recorder)
    edges, _ = edges_with(script, recording)
    outcome = await walk(task, with_recording(edges, recording), rules_for(task), RecordingSink(recorder, recording))
    recorder.seal(outcome.stop_reason.value, {})
    recorder.close()
    return outcome


async def test_the_question_is_analysed_once_when_the_root_is_open() -> None:
    edges, chat = edges_with(sensible)
    events = EventList()
    outcome = await walk(task_for(LENGTH), edges, rules_for(task_for(LENGTH)), events)
    assert outcome.answer == "18.4 metres"
    assert [request.schema_name for request in chat.asked] == ["analysis", "step", "step"]
    kinds = events.kinds()
    assert kinds.count("task") == 1
    assert kinds.index("obs") < kinds.index("task") < kinds.index("findings")
    said = next(event for event in events.events if isinstance(event, TaskAnalysed))
    assert (said.by, said.kind, said.unit, said.step) == ("model", "number", "metres", 1)


async def test_what_was_understood_stands_between_the_markers_of_every_prompt() -> None:
    edges, chat = edges_with(sensible)
    await walk(task_for(LENGTH), edges, rules_for(task_for(LENGTH)), EventList())
    for request in chat.asked[1:]:
        fenced = request.messages[-1].content.split("===")[2]
        assert "The site may write: Mantis = RV Mantis" in fenced
        assert "What would prove it: a sentence with the length" in fenced


async def test_a_walk_without_a_model_is_analysed_by_rules() -> None:
    events = EventList()
    task = task_for(PEOPLE)
    edges = msgspec.structs.replace(crew_for(PaperSite(PAGES)), analyst=BuiltinAnalyst())
    outcome = await walk(task, edges, rules_for(task), events)
    assert outcome.answer.startswith("5 (Ana Ruiz")
    said = next(event for event in events.events if isinstance(event, TaskAnalysed))
    assert (said.by, said.kind, said.requirement["mode"]) == ("rules", "count", "exhaustive")


async def test_a_count_that_the_model_switches_off_is_not_counted() -> None:
    def stated(request: ChatRequest) -> str:
        return (
            json.dumps({"kind": "number", "counts": "stated"})
            if request.schema_name == "analysis"
            else sensible(request)
        )

    question = "How many boats does the station have?"
    edges, _ = edges_with(stated)
    events = EventList()
    outcome = await walk(task_for(question), edges, rules_for(task_for(question)), events)
    start = next(event for event in events.events if isinstance(event, WalkStarted))
    assert start.requirement["mode"] == "exhaustive"
    assert outcome.count["mode"] == "none"
    assert "counter" not in events.kinds()


@pytest.mark.parametrize("deep", [False, True])
async def test_a_recorded_analysis_replays(tmp_path: Path, deep: bool) -> None:
    made = await recorded(tmp_path / "run")
    report = await replay_run(tmp_path / "run", deep=deep)
    assert report.problems == ()
    assert report.outcome is not None
    assert report.outcome.answer == made.answer
    calls = [event for event in read_run(tmp_path / "run").events if isinstance(event, EdgeCall)]
    assert [(call.seam, call.step) for call in calls if call.method == "analyse"] == [("analyst", 1)]


async def test_an_analysis_that_failed_replays_with_its_note(tmp_path: Path) -> None:
    await recorded(tmp_path / "run", lambda request: "hm" if request.schema_name == "analysis" else sensible(request))
    said = next(event for event in read_run(tmp_path / "run").events if isinstance(event, TaskAnalysed))
    assert said.by == "rules"
    assert said.note
    assert (await replay_run(tmp_path / "run")).problems == ()


async def test_a_fork_takes_the_analysis_from_its_parent(tmp_path: Path) -> None:
    await recorded(tmp_path / "run")
    fork = await fork_run(
        tmp_path / "run",
        after_step=None,
        settings=Settings(runs_folder=tmp_path / "forks"),
        overrides=Overrides(tau=71.0),
    )
    assert fork.outcome.answer == "18.4 metres"
    assert fork.left_because == ""


async def test_the_analysis_counts_against_the_budget() -> None:
    model = msgspec.structs.replace(MODEL, max_calls=1)
    chat = MeteredChat(ScriptedChat(sensible), model)
    explorer, critic = model_strategies(chat, model, ranker(), seed="s")
    analyst = ModelAnalyst(ModelTalk(chat, model, "s", repairs=0), BuiltinAnalyst())
    edges = msgspec.structs.replace(crew_for(PaperSite(PAGES)), explorer=explorer, critic=critic, analyst=analyst)
    events = EventList()
    outcome = await walk(task_for(LENGTH), edges, rules_for(task_for(LENGTH)), events)
    assert outcome.stop_reason is StopReason.BUDGET
    assert "task" in events.kinds()


async def test_rules_are_asked_where_the_settings_say_so() -> None:
    settings = Settings(model=msgspec.structs.replace(MODEL, analysis="rules"), record=False)
    async with WalkResources(settings) as resources:
        assert isinstance(resources.analyst(ScriptedChat(sensible)), BuiltinAnalyst)
    async with WalkResources(Settings(model=MODEL, record=False)) as resources:
        assert isinstance(resources.analyst(ScriptedChat(sensible)), ModelAnalyst)
        assert isinstance(resources.analyst(), BuiltinAnalyst)
