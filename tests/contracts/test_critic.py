"""One body for every implementation of the Critic seam."""

from __future__ import annotations

import json
import time
from pathlib import Path

import msgspec
import pytest

from memory.counting.counter import Counter
from memory.findings import Findings
from memory.state import WalkMemory
from perception.observation import Observation
from tests.fixtures.paper import HOME, PAGES, crew_for, observed, ranker, task_for
from tests.fixtures.scripts import sensible
from traces.manifest import RunManifest
from traces.store.recorder import Recorder
from walker.recording.recording import Recording
from walker.recording.recording_proxies import with_recording
from walker.seams.chat import ChatFailure, ChatRequest
from walker.seams.protocols import Critic
from walker.settings import ModelSettings
from walker.strategies.builtin.builtin_critic import BuiltinCritic
from walker.strategies.model.model_critic import ModelCritic
from walker.strategies.model.model_talk import ModelTalk
from walker.testing.fakes import PaperSite, ScriptedChat

LENGTH = task_for("How long is the research vessel Mantis?")
PEOPLE = task_for("How many people are listed on the 'People' page?")
NAMES = ["Ana Ruiz", "Bo Lind", "Cem Kaya"]


def lying(request: ChatRequest) -> str:
    """A model that quotes what stands nowhere."""
    if request.schema_name == "critic_judge":
        return json.dumps({"sufficient": True, "answer": "99 metres", "confidence": 100, "cite": [7]})
    found = [{"answer": "99 metres", "quote": "The Mantis is 99 metres long.", "confidence": 100}]
    return json.dumps({"relevance": 90, "findings": found, "list": 0})


def model(chat: ScriptedChat) -> ModelCritic:
    return ModelCritic(ModelTalk(chat, ModelSettings(name="m"), "seed"), ranker(), BuiltinCritic(ranker()))


@pytest.fixture(params=["builtin", "model", "model that fails", "model that lies", "recorded"])
def critic(request: pytest.FixtureRequest, tmp_path: Path) -> Critic:
    match request.param:
        case "builtin":
            return BuiltinCritic(ranker())
        case "model":
            return model(ScriptedChat(sensible))
        case "model that fails":
            return model(ScriptedChat(lambda _: ChatFailure(kind="server_error", message="out of order")))
        case "model that lies":
            return model(ScriptedChat(lying))
        case _:
            manifest = RunManifest(run_id="r", created=1.0, question="q", root_url=HOME)
            recorder = Recorder.create(tmp_path / "run", manifest, clock=time.time)
            edges = msgspec.structs.replace(crew_for(PaperSite({})), critic=model(ScriptedChat(sensible)))
            return with_recording(edges, Recording(recorder=recorder)).critic


def boats() -> Observation:
    return observed(str(PAGES[HOME + "boats.html"]), HOME + "boats.html")


def words_of(page: Observation) -> str:
    return " ".join(" ".join(block.text for block in page.blocks).split())


def holding(findings: Findings) -> WalkMemory:
    return WalkMemory(step=3, findings=findings.findings)


async def test_a_finding_quotes_its_page_word_for_word(critic: Critic) -> None:
    page = boats()
    kept = await critic.find(LENGTH, page, WalkMemory(step=3))
    assert 0 <= kept.relevance <= 1
    for finding in kept.findings:
        assert finding.quote in words_of(page)
        assert (finding.url, finding.step) == (HOME + "boats.html", 3)
        assert 0 <= finding.score <= 1
    assert "99 metres" not in " ".join(finding.text for finding in kept.findings)


async def test_a_verdict_rests_on_findings(critic: Critic) -> None:
    kept = await BuiltinCritic(ranker()).find(LENGTH, boats(), WalkMemory(step=3))
    verdict = await critic.judge(LENGTH, holding(kept))
    assert 0 <= verdict.confidence <= 1
    assert verdict.answer
    known = {(finding.url, finding.quote) for finding in kept.findings}
    assert {(citation.url, citation.quote) for citation in verdict.citations} <= known


async def test_a_page_that_says_nothing_gives_nothing(critic: Critic) -> None:
    kept = await critic.find(LENGTH, observed("<html lang=en></html>"), WalkMemory(step=3))
    assert (kept.findings, kept.items, kept.list_total) == ((), (), 0)
    verdict = await critic.judge(LENGTH, WalkMemory(step=3))
    assert verdict.citations == ()
    assert not (verdict.sufficient and not verdict.answer)


async def test_equal_calls_give_equal_answers_and_change_nothing(critic: Critic) -> None:
    page, memory = boats(), WalkMemory(step=3)
    encoded = [msgspec.json.encode(value) for value in (page, memory, LENGTH)]
    first = await critic.find(LENGTH, page, memory)
    assert await critic.find(LENGTH, boats(), WalkMemory(step=3)) == first
    assert await critic.judge(LENGTH, holding(first)) == await critic.judge(LENGTH, holding(first))
    assert [msgspec.json.encode(value) for value in (page, memory, LENGTH)] == encoded
    with pytest.raises(AttributeError):
        first.relevance = 0.0  # type: ignore[misc]


async def test_items_of_a_counted_list_come_in_the_order_of_the_page(critic: Critic) -> None:
    page = observed(str(PAGES[HOME + "people.html"]), HOME + "people.html")
    memory = WalkMemory(step=2, counter=Counter.start(PEOPLE.requirement))
    kept = await critic.find(PEOPLE, page, memory)
    names = [item.name for item in kept.items]
    assert names in (NAMES, []), "in order, or left to another mind"
    assert all(item.page_url == HOME + "people.html" for item in kept.items)
