"""The switch of thinking: what is sent for each family, to a real server, and what is said where there is none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.sites.endpoint_in_a_thread import served
from tests.walker.cli.program import walker_here
from tests.walker.cli.test_ask_with_a_model import QUESTION, clever
from walker.demo.server import serve_institute
from walker.errors import EndpointUnusable, UsageError
from walker.models.discovery.model_families import FAMILIES
from walker.models.discovery.thinking_switch import switched
from walker.models.openai_compatible import OpenAICompatible
from walker.models.sampling import with_sampling
from walker.programs.named_settings import settings_by_name
from walker.seams.chat import ChatMessage, ChatReply, ChatRequest
from walker.seams.passage_critic import OfferedPassage
from walker.settings import ModelSettings, Settings, Thinking
from walker.strategies.passages.builtin_passage_critic import BuiltinPassageCritic
from walker.strategies.passages.model_passage_critic import ModelPassageCritic
from walker.testing.chat_server import Asked, Endpoint, Reply

TEMPLATE_OFF = {"chat_template_kwargs": {"enable_thinking": False}}


def asked(model: str, thinking: Thinking | None) -> ChatRequest:
    request = ChatRequest(model=model, messages=(ChatMessage(role="user", content="hello"),))
    return with_sampling(request, ModelSettings(name=model, thinking=thinking))


async def sent(model: str, thinking: Thinking | None, **server: Any) -> list[dict[str, Any]]:
    """Bodies of the requests that one call came to, without what every request has."""
    with served(Endpoint([Reply(text="hello")], models=(model,), **server)) as endpoint:
        chat = OpenAICompatible(endpoint.base_url, "", seconds=20)
        try:
            assert isinstance(await chat.complete(asked(model, thinking)), ChatReply)
        finally:
            await chat.close()
        plain = {"model", "messages", "stream", "stream_options", "temperature", "max_tokens", "max_completion_tokens"}
        return [{name: value for name, value in one.body.items() if name not in plain} for one in endpoint.asked]


@pytest.mark.parametrize(
    ("model", "thinking", "body"),
    [
        ("qwen3:8b", None, {}),
        ("qwen3:8b", "off", TEMPLATE_OFF | {"reasoning_effort": "none"}),
        ("Qwen/Qwen3.5-9B", "on", {"chat_template_kwargs": {"enable_thinking": True}}),
        ("gemma-4-26b", "on", {"chat_template_kwargs": {"enable_thinking": True}}),
        ("gpt-oss:20b", "low", {"reasoning_effort": "low"}),
        ("gpt-5.1", "off", {"reasoning_effort": "none"}),
        ("gpt-5.1", "on", {"reasoning_effort": "medium"}),
        ("o4-mini", "high", {"reasoning_effort": "high"}),
        ("gemini-2.5-flash", "off", {"reasoning_effort": "none"}),
        ("command-a-reasoning-08-2025", "on", {"reasoning_effort": "high"}),
        ("deepseek-v4-pro", "off", {"thinking": {"type": "disabled"}}),
        ("deepseek-v4-pro", "on", {"thinking": {"type": "enabled"}}),
        ("claude-sonnet-4-5", "off", {"thinking": {"type": "disabled"}}),
    ],
)
async def test_a_server_gets_the_parameter_of_the_family(model: str, thinking: Thinking | None, body: Any) -> None:
    assert await sent(model, thinking) == [body]


@pytest.mark.parametrize(
    ("model", "thinking", "said"),
    [
        ("my-own-model", "off", "what switches its thinking is not known by this name"),
        ("glm-4.5-air", "off", "is not documented alike by its servers"),
        ("qwen2.5:7b", "on", "the family qwen2.5 does not think first"),
        ("deepseek-r1:8b", "off", "the family deepseek-r1 always thinks first"),
        ("o3", "off", "o3: cannot be kept from thinking. Say --thinking low or medium or high"),
        ("command-a-reasoning-08-2025", "low", "knows no --thinking low. Say --thinking off or high"),
        ("qwen3:8b", "low", "knows no --thinking low. Say --thinking off or on"),
        ("claude-sonnet-4-5", "on", "does not think where its replies are held to a schema"),
    ],
)
def test_where_there_is_no_switch_that_is_said(model: str, thinking: Thinking, said: str) -> None:
    with pytest.raises(UsageError) as raised:
        switched(model, thinking)
    assert said in str(raised.value)
    assert str(raised.value).startswith(f"{model}: ")


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_rows_of_the_table_say_which_efforts_they_take(family: Any) -> None:
    assert bool(family.efforts) == (family.switch == "reasoning_effort")
    assert ("none" in family.efforts) <= (family.reasons != "always")


class Strict(Endpoint):
    """A server that refuses parameters that it does not know."""

    def __init__(self, *unknown: str, **more: Any) -> None:
        super().__init__(self._checked, **more)
        self._unknown = unknown

    def _checked(self, asked: Asked) -> Reply:
        wrong = [name for name in self._unknown if name in asked.body]
        if wrong:
            return Reply(status=400, error_message=f"Unrecognized request argument supplied: {wrong[0]}")
        return Reply(text="hello")


async def test_a_server_that_refuses_the_effort_is_asked_by_the_template_alone() -> None:
    with served(Strict("reasoning_effort", models=("qwen3:8b",))) as endpoint:
        chat = OpenAICompatible(endpoint.base_url, "", seconds=20)
        for _ in range(2):
            assert isinstance(await chat.complete(asked("qwen3:8b", "off")), ChatReply)
        await chat.close()
        bodies = [one.body for one in endpoint.asked]
    assert ["reasoning_effort" in body for body in bodies] == [True, False, False]
    assert all(body["chat_template_kwargs"] == {"enable_thinking": False} for body in bodies)


@pytest.mark.parametrize(
    ("model", "unknown"),
    [
        ("qwen3:8b", ("reasoning_effort", "chat_template_kwargs")),
        ("gpt-5", ("reasoning_effort",)),
        ("deepseek-v4", ("thinking",)),
    ],
)
async def test_a_server_that_takes_no_switch_is_not_asked_without_it(model: str, unknown: tuple[str, ...]) -> None:
    with served(Strict(*unknown, models=(model,))) as endpoint:
        chat = OpenAICompatible(endpoint.base_url, "", seconds=20)
        with pytest.raises(EndpointUnusable, match=r"does not take --thinking off \(Unrecognized"):
            await chat.complete(asked(model, "off"))
        await chat.close()


async def test_the_critic_of_passages_switches_it_too() -> None:
    with served(Endpoint([Reply(text="yes")], models=("qwen3:8b",))) as endpoint:
        chat = OpenAICompatible(endpoint.base_url, "", seconds=20)
        critic = ModelPassageCritic(chat, ModelSettings(name="qwen3:8b", thinking="off"), BuiltinPassageCritic())
        await critic.weigh("How high is it?", (OfferedPassage(title="Tower", text="It is 34 m high."),))
        await chat.close()
        (body,) = [one.body for one in endpoint.asked]
    assert body["chat_template_kwargs"] == {"enable_thinking": False}


def test_programs_name_it_as_the_command_line_does() -> None:
    changed = settings_by_name(Settings(), {"model": "qwen3:8b", "thinking": "off"})
    assert changed.model is not None
    assert changed.model.thinking == "off"


def test_the_command_line_says_it_before_anything_starts(tmp_path: Path) -> None:
    ended = walker_here("ask", "http://127.0.0.1:9/", "How?", "--model", "o3", "--thinking", "off", folder=tmp_path)
    assert ended.code == 2
    assert "o3: cannot be kept from thinking. Say --thinking low or medium or high" in ended.err
    ended = walker_here("ask", "http://127.0.0.1:9/", "How?", "--thinking", "off", folder=tmp_path)
    assert ended.code == 2
    assert "--thinking needs --model NAME too" in ended.err


@pytest.mark.usefixtures("kept_chromium")
def test_a_walk_sends_it_with_every_request_and_its_manifest_says_so(tmp_path: Path) -> None:
    with served(Endpoint(clever, models=("qwen3:8b",))) as endpoint, serve_institute() as institute:
        named = ("--model", "qwen3:8b", "--base-url", endpoint.base_url, "--thinking", "off", "--json")
        ended = walker_here("ask", institute, QUESTION, *named, folder=tmp_path)
        bodies = [one.body for one in endpoint.asked]
    assert ended.code == 0, ended.err
    assert [body["chat_template_kwargs"] for body in bodies] == [{"enable_thinking": False}] * len(bodies)
    run = tmp_path / json.loads(ended.out)["trace"]
    assert json.loads((run / "run.json").read_bytes())["settings"]["model"]["thinking"] == "off"
    assert walker_here("replay", str(run), "--deep", folder=tmp_path).code == 0


@pytest.mark.parametrize(("reasoning", "code", "said"), [("hm", 1, "the server ignores"), ("", 0, "off, as asked")])
def test_the_doctor_says_whether_the_server_obeys(tmp_path: Path, reasoning: str, code: int, said: str) -> None:
    found = {
        "relevance": 40,
        "findings": [{"answer": "34 metres", "quote": "It is 34 metres high."}],
        "action": "answer",
    }
    reply = Reply(text=json.dumps(found), reasoning=reasoning)
    with served(Endpoint([reply], models=("qwen3:8b",))) as endpoint:
        named = ("--model", "qwen3:8b", "--base-url", endpoint.base_url, "--thinking", "off", "--json")
        ended = walker_here("doctor", *named, folder=tmp_path)
    checks = {check["name"]: check for check in json.loads(ended.out)["checks"]}
    assert said in checks["thinking"]["detail"]
    assert checks["thinking"]["ok"] == (code == 0)


def test_the_recorded_form_of_a_request_names_it_only_where_it_is_set() -> None:
    assert "thinking" not in msgspec.to_builtins(asked("qwen3:8b", None))
    recorded = msgspec.to_builtins(asked("qwen3:8b", "off"))
    assert recorded["thinking"] == "off"
    assert msgspec.convert(recorded, ChatRequest) == asked("qwen3:8b", "off")
