"""The passage critic with a model, against the shipped scripted endpoint."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Mapping
from pathlib import Path

import msgspec
import pytest

from traces.events import EdgeCall
from traces.manifest import RunManifest
from traces.reading.reader import read_run
from traces.recorded_calls import RecordedCalls
from traces.store.recorder import Recorder
from walker.errors import BudgetSpent
from walker.models.meter import MeteredChat
from walker.models.openai_compatible import OpenAICompatible
from walker.models.side_by_side import MOST
from walker.recording.recorded_passage_critic import RecordedPassageCritic
from walker.recording.recording import Recording
from walker.recording.recording_proxies import RecordedChat
from walker.seams.chat import ChatReply
from walker.seams.passage_critic import OfferedPassage, Weight, kept_places
from walker.settings import ModelSettings
from walker.strategies.passages.model_passage_critic import ASKED_AT_MOST, ModelPassageCritic
from walker.testing.chat_server import FEATURES, Asked, Endpoint, Reply
from walker.testing.fakes import ScriptedChat
from walker.testing.scripted_passage_critic import ScriptedPassageCritic

SETTINGS = ModelSettings(name="test-model")
WITHOUT = ScriptedPassageCritic({"": 0.03})
TEXTS = ("the first passage", "the second passage", "the third passage")
PASSAGES = tuple(OfferedPassage(text=text) for text in TEXTS)


def _reply(asked: Asked, said: Mapping[str, Reply]) -> Reply:
    return next(reply for text, reply in said.items() if text in asked.prompt)


async def _weighed(endpoint: Endpoint, passages: tuple[OfferedPassage, ...] = PASSAGES) -> tuple[Weight, ...]:
    model = OpenAICompatible(endpoint.base_url, "", seconds=5)
    try:
        return await ModelPassageCritic(model, SETTINGS, WITHOUT).weigh("Which?", passages)
    finally:
        await model.close()


async def test_the_chance_is_the_share_of_yes_among_yes_and_no_exactly() -> None:
    said = {
        TEXTS[0]: Reply(
            text="No", first_token={"No": -0.2, "Yes": -2.1, " yes": -3.5, "YES": -4.25, "Maybe": -2.5, " no": -6.0}
        ),
        TEXTS[1]: Reply(text="是", first_token={"是": -0.01, "否": -4.6}),
        TEXTS[2]: Reply(text="No", first_token={"No": -0.001, "Yes": -7.0}),
    }
    async with Endpoint(lambda asked: _reply(asked, said)) as endpoint:
        weights = await _weighed(endpoint)
    yes = math.exp(-2.1) + math.exp(-3.5) + math.exp(-4.25)
    wanted = (
        yes / (yes + math.exp(-0.2) + math.exp(-6.0)),
        math.exp(-0.01) / (math.exp(-0.01) + math.exp(-4.6)),
        math.exp(-7.0) / (math.exp(-7.0) + math.exp(-0.001)),
    )
    assert [weight.chance for weight in weights] == pytest.approx(wanted, abs=1e-9)
    assert {weight.by for weight in weights} == {"logprobs"}
    assert kept_places(weights) == (0, 1), "0.1 keeps what a bare no would have left out"
    assert all(asked.body["top_logprobs"] == 20 for asked in endpoint.asked)


async def test_an_endpoint_without_probabilities_gives_one_or_nought_and_says_so() -> None:
    said = {TEXTS[0]: Reply(text="Yes."), TEXTS[1]: Reply(text=" no, nothing"), TEXTS[2]: Reply(text="**Yes**")}
    async with Endpoint(lambda asked: _reply(asked, said), accepts=FEATURES - {"logprobs"}) as endpoint:
        weights = await _weighed(endpoint)
    assert weights == (Weight(chance=1.0, by="word"), Weight(chance=0.0, by="word"), Weight(chance=1.0, by="word"))


async def test_a_refusal_of_many_probabilities_asks_for_fewer_and_then_for_none() -> None:
    def script(asked: Asked) -> Reply:
        if asked.body.get("top_logprobs", 0) > 5:
            return Reply(status=400, error_message="top_logprobs must be at most 5")
        return Reply(text="Yes", first_token={"Yes": -0.5, "No": -1.5})

    async with Endpoint(script) as endpoint:
        weights = await _weighed(endpoint)
    assert {weight.by for weight in weights} == {"logprobs"}
    assert {asked.body["top_logprobs"] for asked in endpoint.asked} == {20, 5}


@pytest.mark.parametrize("text", ["Maybe", "", "It depends", "Notes: yes", "\n"])
async def test_a_reply_that_is_neither_weighs_as_without_a_model(text: str) -> None:
    async with Endpoint([Reply(text=text, first_token={"Maybe": -0.1} if text == "Maybe" else {})]) as endpoint:
        (weight,) = await _weighed(endpoint, PASSAGES[:1])
    assert (weight.chance, weight.by) == (0.03, "score")
    assert "neither yes nor no" in weight.note


async def test_a_failed_call_weighs_as_without_a_model_and_the_others_go_on() -> None:
    said = {
        TEXTS[0]: Reply(status=500, error_message="broken"),
        TEXTS[1]: Reply(text="Yes"),
        TEXTS[2]: Reply(text="No"),
    }
    async with Endpoint(lambda asked: _reply(asked, said)) as endpoint:
        weights = await _weighed(endpoint)
    assert (weights[0].chance, weights[0].by) == (0.03, "score")
    assert "broken" in weights[0].note
    assert [weight.chance for weight in weights[1:]] == [1.0, 0.0]


async def test_a_model_that_reasons_first_gets_room_for_it() -> None:
    def script(asked: Asked) -> Reply:
        is_short = asked.body["max_tokens"] < 100
        return Reply(
            text="<think>let me" if is_short else "<think>let me see</think>Yes",
            finish="length" if is_short else "stop",
        )

    async with Endpoint(script) as endpoint:
        weights = await _weighed(endpoint, PASSAGES[:1])
    assert weights == (Weight(chance=1.0, by="word"),)
    assert len(endpoint.asked) == 2


async def test_requests_go_side_by_side_within_a_bound_and_for_the_best_only() -> None:
    running = most = 0

    async def script(_: Asked) -> Reply:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.01)
        running -= 1
        return Reply(text="Yes")

    many = tuple(OfferedPassage(text=f"passage {number}", place=number) for number in range(ASKED_AT_MOST + 20))
    async with Endpoint(script) as endpoint:
        weights = await _weighed(endpoint, (*many, OfferedPassage(text="")))
    assert len(endpoint.asked) == ASKED_AT_MOST
    assert 1 < most <= MOST
    assert [weight.by for weight in weights] == ["word"] * ASKED_AT_MOST + ["score"] * 20 + ["nothing"]


async def test_a_spent_budget_ends_the_weighing_at_once() -> None:
    chat = ScriptedChat(lambda _: "Yes", seconds=0.01)
    settings = ModelSettings(name="m", max_calls=3)
    many = tuple(OfferedPassage(text=f"passage {number}") for number in range(40))
    with pytest.raises(BudgetSpent):
        await ModelPassageCritic(MeteredChat(chat, settings), settings, WITHOUT).weigh("Which?", many)
    assert len(chat.asked) <= 3 + MOST


async def test_a_replay_weighs_the_same_and_asks_nobody(tmp_path: Path) -> None:
    said = {
        TEXTS[0]: Reply(text="Yes", first_token={"Yes": -0.123456789, "No": -2.2}),
        TEXTS[1]: Reply(text="Maybe"),
        TEXTS[2]: Reply(text="No", first_token={"No": -0.3, "Yes": -1.345678}),
    }
    manifest = RunManifest(run_id="abc", created=1.0, question="Which?", root_url="https://a.example/", settings={})
    recorder = Recorder.create(tmp_path / "run", manifest, clock=time.time)
    async with Endpoint(lambda asked: _reply(asked, said)) as endpoint:
        model = OpenAICompatible(endpoint.base_url, "", seconds=5)
        recording = Recording(recorder=recorder)
        critic = ModelPassageCritic(RecordedChat(model, recording), SETTINGS, WITHOUT)
        first = await RecordedPassageCritic(critic, recording).weigh("Which?", PASSAGES)
        await model.close()
    recorder.close()
    run = read_run(tmp_path / "run")
    calls = [event for event in run.events if isinstance(event, EdgeCall)]
    assert [call.seam for call in calls].count("passage_critic") == 1

    nobody = ScriptedChat(lambda _: pytest.fail("a replay asks nobody"))
    replay = Recording(recorded_calls=RecordedCalls(run.events), blobs=run.blobs, may_go_live=False)
    again = RecordedPassageCritic(ModelPassageCritic(nobody, SETTINGS, WITHOUT), replay)
    assert await again.weigh("Which?", PASSAGES) == first
    # The critic's own calls are in the recording too, and give the same where it is asked again.
    inner = Recording(recorded_calls=RecordedCalls(run.events), blobs=run.blobs, may_go_live=False)
    anew = ModelPassageCritic(RecordedChat(nobody, inner), SETTINGS, WITHOUT)
    assert await anew.weigh("Which?", PASSAGES) == first


def test_a_recorded_reply_without_probabilities_is_as_it_was() -> None:
    plain = msgspec.to_builtins(ChatReply(text="Yes"))
    assert "first_token" not in plain
    assert msgspec.convert(plain, ChatReply).first_token is msgspec.UNSET
