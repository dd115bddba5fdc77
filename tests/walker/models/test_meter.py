from __future__ import annotations

import asyncio

import pytest

from walker.errors import BudgetSpent, TimeSpent
from walker.models.deadline import Deadline
from walker.models.meter import MeteredChat, money_of
from walker.seams.chat import ChatFailure, ChatMessage, ChatReply, ChatRequest, Spent
from walker.settings import ModelSettings
from walker.testing.fakes import ScriptedChat

ASKED = ChatRequest(model="m", messages=(ChatMessage(role="user", content="a few words to be paid for"),))
TEN = ChatReply(text="ten", prompt_tokens=7, completion_tokens=3)


async def calls_until_spent(settings: ModelSettings, spent: Spent | None = None) -> tuple[int, str]:
    chat = MeteredChat(ScriptedChat(lambda _: TEN), settings, spent)
    for calls in range(100):
        try:
            await chat.complete(ASKED)
        except BudgetSpent as error:
            return calls, error.what
    return 100, ""


async def test_tokens_run_out() -> None:
    assert await calls_until_spent(ModelSettings(name="m", max_tokens=25)) == (3, "30 tokens were spent")


async def test_calls_run_out() -> None:
    assert await calls_until_spent(ModelSettings(name="m", max_calls=4)) == (4, "4 model calls were made")


async def test_money_runs_out() -> None:
    settings = ModelSettings(name="m", max_money=1e-5, prompt_price=1.0, completion_price=1.0)
    calls, why = await calls_until_spent(settings)
    assert calls == 1
    assert "were spent" in why


async def test_an_unknown_price_limits_nothing() -> None:
    assert await calls_until_spent(ModelSettings(name="m", max_money=1e-9)) == (100, "")
    assert money_of(Spent(calls=1, prompt_tokens=5), ModelSettings(name="m")) is None


async def test_what_was_spent_before_counts() -> None:
    assert (await calls_until_spent(ModelSettings(name="m", max_calls=4), Spent(calls=3)))[0] == 1


async def test_a_failure_is_a_call_without_tokens() -> None:
    chat = MeteredChat(ScriptedChat(lambda _: ChatFailure(kind="timeout", message="")), ModelSettings(name="m"))
    await chat.complete(ASKED)
    assert chat.spent == Spent(calls=1)


async def test_the_prompt_of_a_call_that_was_dropped_is_paid_for() -> None:
    chat = MeteredChat(ScriptedChat(lambda _: TEN, seconds=60), ModelSettings(name="m"))
    call = asyncio.create_task(chat.complete(ASKED))
    await asyncio.sleep(0)
    call.cancel()
    await asyncio.wait((call,))
    assert chat.spent.calls == 1
    assert chat.spent.prompt_tokens > 3
    assert chat.spent.completion_tokens == 0


async def test_a_call_under_way_is_cut_off_when_time_is_over_and_none_is_begun_after() -> None:
    slow = ScriptedChat(lambda _: TEN, seconds=60)
    chat = MeteredChat(slow, ModelSettings(name="m"), deadline=Deadline(0.05))
    with pytest.raises(TimeSpent, match=r"0\.05 seconds have passed"):
        await chat.complete(ASKED)
    assert (slow.cancelled, chat.spent.calls, chat.spent.prompt_tokens > 0) == (1, 1, True)
    with pytest.raises(TimeSpent):
        await chat.complete(ASKED)
    assert len(slow.asked) == 1


async def test_a_time_out_of_the_server_is_not_taken_for_the_end_of_the_walk() -> None:
    class Failing(ScriptedChat):
        async def complete(self, request: ChatRequest) -> ChatReply | ChatFailure:
            raise TimeoutError

    with pytest.raises(TimeoutError):
        await MeteredChat(Failing(lambda _: TEN), ModelSettings(name="m"), deadline=Deadline(60)).complete(ASKED)


def test_a_deadline_begins_again() -> None:
    now = [10.0]
    deadline = Deadline(5.0, lambda: now[0])
    now[0] = 14.0
    assert deadline.left == 1.0
    deadline.begin_again(2.0)
    assert (deadline.left, deadline.why) == (2.0, "5 seconds have passed")
    now[0] = 99.0
    assert (deadline.left, Deadline().left) == (0.0, None)
