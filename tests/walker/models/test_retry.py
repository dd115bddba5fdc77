from __future__ import annotations

from collections.abc import Iterator

import pytest

from walker.errors import EndpointUnusable
from walker.models.retry import LONGEST_WAIT_SECONDS, RetryingChat
from walker.seams.chat import ChatFailure, ChatReply, ChatRequest
from walker.testing.fakes import ScriptedChat

ASKED = ChatRequest(model="m", messages=())


def failing(*kinds: str, after: float = 0.0) -> ScriptedChat:
    answers: Iterator[ChatReply | ChatFailure] = iter(
        [*(ChatFailure(kind=kind, message=kind, retry_after=after) for kind in kinds), ChatReply(text="there")]  # type: ignore[arg-type]
    )
    return ScriptedChat(lambda _: next(answers))


async def ask(chat: ScriptedChat) -> tuple[ChatReply | ChatFailure, list[float]]:
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    return await RetryingChat(chat, address="http://here/v1", sleep=sleep).complete(ASKED), waited


@pytest.mark.parametrize("kind", ["rate_limited", "server_error", "timeout", "unreachable"])
async def test_what_may_come_right_is_asked_again(kind: str) -> None:
    answer, waited = await ask(failing(kind, kind))
    assert answer == ChatReply(text="there", attempts=3)
    assert waited == [0.5, 1.0]


@pytest.mark.parametrize("kind", ["bad_request", "too_long"])
async def test_what_stays_wrong_is_not_asked_again(kind: str) -> None:
    answer, waited = await ask(failing(kind))
    assert isinstance(answer, ChatFailure)
    assert (answer.kind, answer.attempts, waited) == (kind, 1, [])


async def test_a_server_that_names_a_pause_gets_it() -> None:
    answer, waited = await ask(failing("rate_limited", after=7.0))
    assert isinstance(answer, ChatReply)
    assert waited == [7.0]


async def test_a_pause_beyond_patience_ends_the_call() -> None:
    answer, waited = await ask(failing("rate_limited", after=LONGEST_WAIT_SECONDS + 1))
    assert isinstance(answer, ChatFailure)
    assert waited == []


async def test_an_endpoint_that_was_never_reached_is_an_error() -> None:
    with pytest.raises(EndpointUnusable, match="cannot be reached") as error:
        await ask(failing("unreachable", "unreachable", "unreachable"))
    assert error.value.where == "http://here/v1"


async def test_an_endpoint_that_was_reached_before_may_be_gone_for_a_while() -> None:
    chat = RetryingChat(failing("server_error", "unreachable", "unreachable"), sleep=lambda _: _nothing())
    answer = await chat.complete(ASKED)
    assert isinstance(answer, ChatFailure)
    assert answer.kind == "unreachable"


async def _nothing() -> None:
    return None
