"""One body for every implementation of the ChatModel seam."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import msgspec
import numpy as np
import pytest

from perception.images.image import encode_picture
from tests.perception.local_model.tiny import write_folder
from walker.errors import BudgetSpent, EndpointUnusable
from walker.models.local_chat import LocalChat
from walker.models.meter import MeteredChat
from walker.models.openai_compatible import OpenAICompatible
from walker.models.retry import RetryingChat
from walker.recording.recording import Recording
from walker.recording.recording_proxies import RecordedChat
from walker.seams.chat import ChatFailure, ChatImage, ChatMessage, ChatReply, ChatRequest
from walker.seams.protocols import ChatModel
from walker.settings import ModelSettings
from walker.testing.chat_server import Asked, Endpoint, Reply
from walker.testing.fakes import ScriptedChat

IMPLEMENTATIONS = ("endpoint", "retrying", "metered", "recorded", "scripted", "local")
PICTURE = ChatImage(
    data=encode_picture(np.zeros((16, 24, 3), np.uint8)), media_type="image/png", width=24, height=16, tokens=10
)
REQUEST = ChatRequest(
    model="test-model", messages=(ChatMessage(role="user", content="What is shown?", images=(PICTURE,)),), max_tokens=5
)
SLOW, FAILING = "be slow", "fail"
FAILURE = ChatFailure(kind="bad_request", message="this is not to be asked")


def asking(words: str) -> ChatRequest:
    return msgspec.structs.replace(REQUEST, messages=(ChatMessage(role="user", content=words),))


def scripted(request: ChatRequest) -> ChatReply | ChatFailure | str:
    words = request.messages[-1].content
    return FAILURE if words == FAILING else f"you said: {words}"


async def served(asked: Asked) -> Reply:
    if SLOW in asked.prompt:
        await asyncio.sleep(60)
    if asked.prompt == FAILING:
        return Reply(status=422, error_message=FAILURE.message)
    return Reply(text=f"you said: {asked.prompt.strip()}")


async def no_wait(_seconds: float) -> None:
    """Retries do not wait."""


class Slow:
    """A model that takes its time where it is told to."""

    def __init__(self) -> None:
        self._inner = ScriptedChat(scripted)

    async def complete(self, request: ChatRequest) -> ChatReply | ChatFailure:
        if request.messages[-1].content == SLOW:
            await asyncio.sleep(60)
        return await self._inner.complete(request)


@contextlib.asynccontextmanager
async def made(name: str, folder: Path) -> AsyncIterator[ChatModel]:
    if name in ("endpoint", "retrying"):
        async with Endpoint(served) as endpoint:
            client = OpenAICompatible(endpoint.base_url, "", seconds=30)
            yield client if name == "endpoint" else RetryingChat(client, address=client.address, sleep=no_wait)
            await client.close()
        return
    if name == "local":
        await asyncio.to_thread(write_folder, folder / "tiny")
    wrapped: dict[str, Callable[[], ChatModel]] = {
        "metered": lambda: MeteredChat(Slow(), ModelSettings(name="test-model")),
        "recorded": lambda: RecordedChat(Slow(), Recording()),
        "scripted": Slow,
        "local": lambda: LocalChat(folder / "tiny"),
    }
    yield wrapped[name]()


@pytest.mark.parametrize("name", IMPLEMENTATIONS)
async def test_a_reply_is_whole_and_says_what_it_cost(name: str, tmp_path: Path) -> None:
    before = msgspec.json.encode(REQUEST)
    async with made(name, tmp_path) as chat:
        answer = await chat.complete(REQUEST)
        again = await chat.complete(REQUEST)
    assert isinstance(answer, ChatReply)
    assert answer.text
    assert answer.prompt_tokens > 0
    assert answer.completion_tokens > 0
    assert answer.attempts == 1
    assert answer.finish in ("stop", "length")
    assert again == answer
    assert msgspec.json.encode(REQUEST) == before, "what it is handed stays as it is"
    with pytest.raises(AttributeError):
        answer.text = "another"  # type: ignore[misc]


@pytest.mark.parametrize("name", [name for name in IMPLEMENTATIONS if name != "local"])
async def test_calls_side_by_side_are_answered_each_by_its_own(name: str, tmp_path: Path) -> None:
    words = [f"question {number}" for number in range(4)]
    async with made(name, tmp_path) as chat:
        answers = await asyncio.gather(*(chat.complete(asking(word)) for word in words))
    assert [answer.text for answer in answers if isinstance(answer, ChatReply)] == [
        f"you said: {word}" for word in words
    ]


@pytest.mark.parametrize("name", IMPLEMENTATIONS)
async def test_a_call_that_comes_to_nothing_is_a_value_and_the_next_one_is_answered(name: str, tmp_path: Path) -> None:
    broken = msgspec.structs.replace(PICTURE, data=b"no picture")
    failing = asking(FAILING)
    if name == "local":  # it fails for no words, but for what is no picture
        failing = msgspec.structs.replace(REQUEST, messages=(ChatMessage(role="user", content="?", images=(broken,)),))
    async with made(name, tmp_path) as chat:
        failure = await chat.complete(failing)
        answer = await chat.complete(REQUEST)
    assert isinstance(failure, ChatFailure)
    assert failure.kind == "bad_request"
    assert failure.message
    assert "\n" not in failure.message
    assert isinstance(answer, ChatReply)


@pytest.mark.parametrize("name", [name for name in IMPLEMENTATIONS if name != "local"])
async def test_a_call_may_be_cancelled_and_the_next_one_is_answered(name: str, tmp_path: Path) -> None:
    async with made(name, tmp_path) as chat:
        slow = asyncio.create_task(chat.complete(asking(SLOW)))
        await asyncio.sleep(0.1)
        slow.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(slow, 5)
        assert isinstance(await chat.complete(REQUEST), ChatReply)


async def test_a_model_that_is_not_there_can_never_answer() -> None:
    async with Endpoint([Reply()], models=("another",)) as endpoint:
        client = OpenAICompatible(endpoint.base_url, "", seconds=30)
        for chat in (
            client,
            RetryingChat(client),
            MeteredChat(client, ModelSettings(name="m")),
            RecordedChat(client, Recording()),
        ):
            with pytest.raises(EndpointUnusable):
                await chat.complete(REQUEST)
        await client.close()


async def test_a_budget_that_is_spent_is_told_through_every_wrapper() -> None:
    metered = MeteredChat(ScriptedChat(scripted), ModelSettings(name="m", max_calls=1))
    chat = RecordedChat(RetryingChat(metered, sleep=no_wait), Recording())
    assert isinstance(await chat.complete(REQUEST), ChatReply)
    with pytest.raises(BudgetSpent):
        await chat.complete(REQUEST)
