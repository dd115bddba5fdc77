"""One body for every implementation of the Analyst seam."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from tests.fixtures.paper import HOME, PAGES, crew_for, observed, task_for
from traces.manifest import RunManifest
from traces.store.recorder import Recorder
from walker.errors import BudgetSpent
from walker.models.meter import MeteredChat
from walker.recording.recording import Recording
from walker.recording.recording_proxies import with_recording
from walker.seams.chat import ChatFailure, ChatRequest
from walker.seams.protocols import Analyst
from walker.seams.task_analysis import AnswerKind, TaskOperation
from walker.settings import ModelSettings
from walker.strategies.analysis.builtin_analyst import BuiltinAnalyst
from walker.strategies.analysis.model_analyst import ModelAnalyst
from walker.strategies.model.model_talk import ModelTalk
from walker.testing.fakes import PaperSite, ScriptedChat

TASK = task_for("How many people are listed on the 'People' page?")
PAGE = observed(str(PAGES[HOME]))
MODEL = ModelSettings(name="m")


def says(_: ChatRequest) -> str:
    return json.dumps({"kind": "count", "parts": [{"ask": "How many people?"}], "counts": "listed", "noun": "people"})


def model(chat: ScriptedChat) -> ModelAnalyst:
    return ModelAnalyst(ModelTalk(chat, MODEL, "seed", repairs=0), BuiltinAnalyst())


@pytest.fixture(params=["builtin", "model", "model that fails", "recorded"])
def analyst(request: pytest.FixtureRequest, tmp_path: Path) -> Analyst:
    match request.param:
        case "builtin":
            return BuiltinAnalyst()
        case "model":
            return model(ScriptedChat(says))
        case "model that fails":
            return model(ScriptedChat(lambda _: ChatFailure(kind="server_error", message="out of order")))
        case _:
            manifest = RunManifest(run_id="r", created=1.0, question="q", root_url=HOME)
            recorder = Recorder.create(tmp_path / "run", manifest, clock=time.time)
            edges = msgspec.structs.replace(crew_for(PaperSite({})), analyst=model(ScriptedChat(says)))
            recorded = with_recording(edges, Recording(recorder=recorder)).analyst
            assert recorded is not None
            return recorded


async def test_an_analysis_is_made_by_somebody_and_of_the_closed_sets(analyst: Analyst) -> None:
    made = await analyst.analyse(TASK, PAGE)
    assert made.by in ("rules", "model")
    assert made.kind in get_args(AnswerKind)
    assert made.operation in get_args(TaskOperation)
    assert made.parts
    assert made.requirement == TASK.requirement


async def test_equal_calls_give_equal_analyses_and_change_nothing(analyst: Analyst) -> None:
    before = msgspec.json.encode([TASK, PAGE])
    assert await analyst.analyse(TASK, PAGE) == await analyst.analyse(TASK, PAGE)
    assert msgspec.json.encode([TASK, PAGE]) == before


async def test_a_spent_budget_is_told() -> None:
    chat = MeteredChat(ScriptedChat(says), msgspec.structs.replace(MODEL, max_calls=1))
    analyst = ModelAnalyst(ModelTalk(chat, MODEL, "seed", repairs=0), BuiltinAnalyst())
    await analyst.analyse(TASK, PAGE)
    with pytest.raises(BudgetSpent):
        await analyst.analyse(TASK, PAGE)
