"""The client against a real server that misbehaves on cue: each failure has a name."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest

from walker.errors import EndpointUnusable
from walker.models.openai_compatible import OpenAICompatible
from walker.models.replies import StepReply, read_reply, schema_of
from walker.seams.chat import ChatFailure, ChatMessage, ChatReply, ChatRequest
from walker.testing.chat_server import FEATURES, Asked, Endpoint, Reply

STEP = '{"action": "back", "number": 0, "text": "", "reason": "nothing here"}'


def request(text: str = "Where to?", model: str = "test-model") -> ChatRequest:
    messages = (ChatMessage(role="system", content="You walk."), ChatMessage(role="user", content=text))
    return ChatRequest(model=model, messages=messages, schema_name="explorer", schema=schema_of(StepReply))


async def complete(
    replies: Sequence[Reply], *, asked: ChatRequest | None = None, seconds: float = 5.0, **settings: Any
) -> tuple[ChatReply | ChatFailure, list[Asked]]:
    async with Endpoint(replies, **settings) as endpoint:
        chat = OpenAICompatible(endpoint.base_url, "", seconds=seconds)
        try:
            return await chat.complete(asked or request()), endpoint.asked
        finally:
            await chat.close()


async def test_a_streamed_reply_comes_back_whole_with_its_tokens() -> None:
    answer, asked = await complete([Reply(text=STEP, reasoning="let me see", prompt_tokens=77)])
    assert isinstance(answer, ChatReply)
    assert (answer.text, answer.reasoning, answer.finish) == (STEP, "let me see", "stop")
    assert (answer.prompt_tokens, answer.estimated) == (77, False)
    assert asked[0].body["stream"] is True
    assert asked[0].body["response_format"]["json_schema"]["strict"] is True


async def test_a_reply_in_parts_is_put_together_and_its_thoughts_kept_apart() -> None:
    thinking = {"type": "thinking", "thinking": [{"type": "text", "text": "let me "}]}
    deltas: list[Any] = [
        [thinking],
        [{"type": "thinking", "thinking": "see"}, {"type": "text", "text": STEP[:9]}],
        STEP[9:],
    ]
    chunks = [
        {
            "id": "x",
            "object": "chat.completion.chunk",
            "created": 1,
            "model": "m",
            "choices": [
                {"index": 0, "delta": {"content": one}, "finish_reason": "stop" if one == deltas[-1] else None}
            ],
        }
        for one in deltas
    ]
    events = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"
    answer, _ = await complete([Reply(raw=events.encode(), headers={"content-type": "text/event-stream"})])
    assert isinstance(answer, ChatReply)
    assert (answer.text, answer.reasoning) == (STEP, "let me see")


async def test_tokens_are_counted_here_where_the_server_tells_none() -> None:
    answer, _ = await complete([Reply(text=STEP, no_usage=True)])
    assert isinstance(answer, ChatReply)
    assert answer.estimated
    assert answer.prompt_tokens > 3
    assert answer.completion_tokens > 10


@pytest.mark.parametrize(
    ("lacking", "first_reply"),
    [
        ({"json_schema"}, Reply(tool_arguments=STEP)),
        ({"json_schema", "tools"}, Reply(text=STEP)),
        ({"json_schema", "tools", "json_object"}, Reply(text=f"Well, {STEP}")),
        ({"stream_options", "temperature"}, Reply(text=STEP)),
        ({"max_tokens"}, Reply(text=STEP)),
        ({"max_tokens", "max_completion_tokens"}, Reply(text=STEP)),
        (set(FEATURES), Reply(text=STEP)),
    ],
)
async def test_what_a_server_lacks_is_found_out_once_and_remembered(lacking: set[str], first_reply: Reply) -> None:
    async with Endpoint([first_reply], accepts=FEATURES - lacking) as endpoint:
        chat = OpenAICompatible(endpoint.base_url, "", seconds=5)
        first = await chat.complete(request())
        learning = len(endpoint.asked)
        second = await chat.complete(request("And now?"))
        await chat.close()
    for answer in (first, second):
        assert isinstance(answer, ChatReply)
        assert read_reply(answer, StepReply).action == "back"
    assert learning > 1
    assert len(endpoint.asked) == learning + 1


def as_llama_cpp_python(message: str, *, status: int = 500, code: str = "") -> Callable[[Asked], Reply]:
    """Its server breaks a stream off before the first piece where it has something against the request, and says what only where no
    stream is asked for."""
    refusal = Reply(status=status, error_code=code, error_message=message)
    return lambda asked: Reply(cut_first=True) if asked.body.get("stream") else refusal


async def test_a_prompt_that_breaks_a_stream_off_is_told_to_be_too_long() -> None:
    message = "This model's maximum context length is 2048 tokens. However, you requested 7100 tokens"
    script = as_llama_cpp_python(message, status=400, code="context_length_exceeded")
    async with Endpoint(script) as endpoint:
        chat = OpenAICompatible(endpoint.base_url, "", seconds=5)
        answer = await chat.complete(request())
        is_still_streamed = chat.dialect("test-model").stream
        await chat.close()
    assert isinstance(answer, ChatFailure)
    assert (answer.kind, answer.message) == ("too_long", message)
    assert is_still_streamed


async def test_a_stream_that_broke_off_by_chance_is_made_up_for() -> None:
    answer, sent = await complete([Reply(cut_first=True), Reply(text=STEP)])
    assert isinstance(answer, ChatReply)
    assert read_reply(answer, StepReply).action == "back"
    assert [asked.body.get("stream", False) for asked in sent] == [True, False]


@pytest.mark.parametrize(
    ("message", "field"),
    [
        (
            "1 validation error: {'type': 'literal_error', 'loc': ('body', 'response_format', 'type'), 'msg': 'Input should be ...'}",
            "response_format",
        ),
        ("tools param requires --jinja flag", "tools"),
        ("logprobs is not supported for models created with logits_all=False", "logprobs"),
    ],
)
async def test_a_field_that_a_server_faults_itself_for_is_left_out(message: str, field: str) -> None:
    """llama-cpp-python and older versions of llama.cpp answer with status 500 to what they do not know."""

    def script(asked: Asked) -> Reply:
        shape = asked.body.get("response_format", {}).get("type") != "json_object" and "response_format" in asked.body
        wrong = {"response_format": shape, "tools": "tools" in asked.body, "logprobs": "logprobs" in asked.body}
        return Reply(status=500, error_message=message) if wrong[field] else Reply(text=STEP)

    accepts = FEATURES - {"json_schema"} if field == "tools" else FEATURES
    async with Endpoint(script, accepts=accepts) as endpoint:
        chat = OpenAICompatible(endpoint.base_url, "", seconds=5)
        for _ in range(2):
            asked = msgspec.structs.replace(request(), top_logprobs=20)
            assert isinstance(await chat.complete(asked), ChatReply)
        await chat.close()
        last = endpoint.asked[-1].body
    assert field == "response_format" or field not in last
    assert len(endpoint.asked) <= 5


async def test_a_fault_of_the_server_is_none_of_the_request() -> None:
    answer, sent = await complete(
        [Reply(status=500, error_message="CUDA error in function gemm: schema of tool unknown")]
    )
    assert isinstance(answer, ChatFailure)
    assert answer.kind == "server_error"
    assert len(sent) == 1


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (Reply(status=429, error_message="slow down", headers={"Retry-After": "7"}), "rate_limited"),
        (Reply(status=500, error_message="oops"), "server_error"),
        (Reply(status=503, raw=b"<html>Bad gateway</html>"), "server_error"),
        (Reply(reset=True), "unreachable"),
        (Reply(hang=True), "timeout"),
        (Reply(text=STEP, hang_after=2), "timeout"),
        (Reply(text=STEP, cut=True), "server_error"),
        (Reply(no_choices=True), "server_error"),
        (Reply(raw=b"<html>welcome to the proxy</html>"), "server_error"),
        (Reply(raw=b'{"id": "x", "choices": null}'), "server_error"),
        (Reply(status=400, error_code="context_length_exceeded", error_message="too much"), "too_long"),
        (Reply(status=413, error_message="too large"), "too_long"),
    ],
)
async def test_every_way_to_fail_has_a_name(reply: Reply, kind: str) -> None:
    answer, _ = await complete([reply], seconds=0.7)
    assert isinstance(answer, ChatFailure)
    assert answer.kind == kind
    assert answer.message
    assert answer.retry_after == (7.0 if kind == "rate_limited" else 0.0)


async def test_a_connection_that_nobody_takes_is_unreachable() -> None:
    chat = OpenAICompatible("http://127.0.0.1:9/v1", "", seconds=2)
    answer = await chat.complete(request())
    await chat.close()
    assert isinstance(answer, ChatFailure)
    assert answer.kind == "unreachable"


@pytest.mark.parametrize("finish", ["length", "content_filter"])
async def test_why_a_reply_ended_is_kept(finish: str) -> None:
    answer, _ = await complete([Reply(text='{"action": "ba', finish=finish)])
    assert isinstance(answer, ChatReply)
    assert answer.finish == finish


async def test_a_refusal_is_a_reply() -> None:
    answer, _ = await complete([Reply(refusal="I cannot help with that")])
    assert isinstance(answer, ChatReply)
    assert answer.refusal == "I cannot help with that"


async def test_a_prompt_beyond_the_context_is_too_long() -> None:
    answer, _ = await complete([Reply(text=STEP)], asked=request("word " * 900), context=500)
    assert isinstance(answer, ChatFailure)
    assert answer.kind == "too_long"


async def test_a_key_that_is_refused_ends_the_walk() -> None:
    with pytest.raises(EndpointUnusable, match="refuses the key") as error:
        await _with_key("wrong")
    assert "WALKER_API_KEY" in error.value.advice


async def _with_key(key: str) -> ChatReply | ChatFailure:
    async with Endpoint([Reply(text=STEP)], key="right") as endpoint:
        chat = OpenAICompatible(endpoint.base_url, key, seconds=5)
        try:
            return await chat.complete(request())
        finally:
            await chat.close()


async def test_the_right_key_is_sent_as_a_bearer_token() -> None:
    assert isinstance(await _with_key("right"), ChatReply)


async def test_an_unknown_model_is_reported_with_the_known_ones() -> None:
    with pytest.raises(EndpointUnusable, match="no model 'gpt-99'") as error:
        await complete([Reply(text=STEP)], asked=request(model="gpt-99"), models=("small", "large"))
    assert error.value.advice == "It has: small, large"


async def test_a_call_that_is_dropped_stops_the_server() -> None:
    async with Endpoint([Reply(text=STEP, hang_after=2)]) as endpoint:
        chat = OpenAICompatible(endpoint.base_url, "", seconds=30)
        call = asyncio.create_task(chat.complete(request()))
        for _ in range(500):
            if endpoint.asked:
                break
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)
        call.cancel()
        await asyncio.wait((call,))
        for _ in range(100):
            if endpoint.cancelled:
                break
            await asyncio.sleep(0.02)
        await chat.close()
    assert endpoint.cancelled == 1
