"""What the name of a model says of the first request to it, and what a server that refuses that teaches."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from tests.sites.endpoint_in_a_thread import served
from walker.doctor.model_trial import examine_model
from walker.models.dialect import Dialect
from walker.models.discovery.family_table import all_families
from walker.models.discovery.model_families import FAMILIES, family_of
from walker.models.discovery.model_family import ModelFamily
from walker.models.openai_compatible import OpenAICompatible
from walker.seams.chat import ChatMessage, ChatReply, ChatRequest
from walker.settings import ModelSettings
from walker.testing.chat_server import FEATURES, Endpoint, Reply

DOCUMENT = Path(__file__).parents[3] / "docs" / "design" / "model-strategy.md"


def asked(model: str) -> ChatRequest:
    return ChatRequest(
        model=model,
        messages=(ChatMessage(role="user", content="hello"),),
        schema_name="step",
        schema={"type": "object", "properties": {}},
        top_logprobs=5,
    )


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("o3-mini", "openai-o-mini"),
        ("o4-mini", "openai-o"),
        ("o1", "openai-o"),
        ("gpt-5.1-mini", "gpt-5"),
        ("gpt-5-chat-latest", "gpt-5-chat"),
        ("openai/gpt-4.1-nano", "gpt-4.1"),
        ("gpt-4o-mini", "gpt-4o"),
        ("gpt-oss-120b", "gpt-oss"),
        ("claude-sonnet-4-5-20250929", "claude"),
        ("anthropic/claude-opus-4.7", "claude-newest"),
        ("models/gemini-2.5-flash", "gemini"),
        ("gemini-2.0-flash", "gemini-2.0"),
        ("deepseek-reasoner", "deepseek-reasoner"),
        ("deepseek-r1:8b", "deepseek-r1"),
        ("deepseek-ai/DeepSeek-V3.2", "deepseek-v3.1"),
        ("deepseek-v3:671b", "deepseek-v3"),
        ("ministral-8b-latest", "ministral"),
        ("mistral-large-2411", "mistral-large"),
        ("pixtral-12b", "pixtral"),
        ("zai-org/GLM-4.5V", "glm-4.5v"),
        ("glm-4.5-air", "glm-4.5"),
        ("glm-4.7-flash", "glm-4.6"),
        ("kimi-k2-thinking-turbo", "kimi-k2-thinking"),
        ("moonshotai/Kimi-K2.5", "kimi-k2.5"),
        ("kimi-k2-0905-preview", "kimi-k2"),
        ("command-a-03-2025", "command-a"),
        ("command-a-reasoning-08-2025", "command-a-reasoning"),
        ("command-r7b:7b", "command-r"),
        ("MiniMax-M2", "minimax-m2"),
        ("foo3-mini", ""),
        ("qwen3-coder:30b", "qwen3-coder"),
    ],
)
def test_families_of_hosted_and_newer_models_are_known_by_their_names(name: str, family: str) -> None:
    found = family_of(name)
    assert (found.name if found is not None else "") == family


def test_a_first_request_holds_what_the_family_takes() -> None:
    plain = Dialect.of("my-own-model").arguments(asked("my-own-model"))
    assert plain == Dialect().arguments(asked("my-own-model"))
    reasoning = Dialect.of("gpt-5").arguments(msgspec.structs.replace(asked("gpt-5"), top_p=0.9))
    assert reasoning["max_completion_tokens"] == 800
    assert not {"max_tokens", "temperature", "top_p", "logprobs"} & reasoning.keys()
    assert reasoning["response_format"]["type"] == "json_schema"
    claude = Dialect.of("claude-sonnet-4-5").arguments(asked("claude-sonnet-4-5"))
    assert "response_format" not in claude
    assert claude["tools"][0]["function"]["name"] == "step"
    assert claude["temperature"] == 0


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_what_a_server_refuses_of_any_familys_request_is_learnt_at_its_first_call(family: ModelFamily) -> None:
    """Down to a server that takes no more than text."""
    dialect = Dialect(format=family.format, limit_name=family.limit_name)
    for _ in range(20):
        if not dialect.learn("bad request"):
            break
    assert dialect.format == "text"


@pytest.mark.parametrize(
    ("model", "refused", "kept"),
    [
        ("gpt-5", {"max_completion_tokens"}, "max_tokens"),
        ("gpt-5", {"max_completion_tokens", "json_schema"}, "max_tokens"),
        ("gpt-5", {"max_completion_tokens", "max_tokens"}, "model"),
        ("claude-sonnet-4-5", {"tools"}, "response_format"),
        ("qwen3:8b", {"max_tokens"}, "max_completion_tokens"),
        ("qwen3:8b", {"json_schema", "tools", "json_object", "temperature"}, "max_tokens"),
    ],
)
async def test_a_real_server_that_refuses_it_is_answered_in_its_own_way(
    model: str, refused: set[str], kept: str
) -> None:
    with served(Endpoint([Reply(text="{}")], models=(model,), accepts=FEATURES - refused)) as endpoint:
        chat = OpenAICompatible(endpoint.base_url, "", seconds=20)
        answer = await chat.complete(asked(model))
        await chat.complete(asked(model))
        await chat.close()
        bodies = [one.body for one in endpoint.asked]
    assert isinstance(answer, ChatReply)
    assert kept in bodies[-1]
    assert bodies[-1].keys() == bodies[-2].keys(), "nothing is refused twice"


async def test_the_doctor_says_which_family_it_takes_and_why() -> None:
    with served(Endpoint([Reply(text="{}")], models=("claude-sonnet-4-5", "own"))) as endpoint:
        told = {
            name: {
                check.name: check.detail
                for check in await examine_model(ModelSettings(name=name, base_url=endpoint.base_url))
            }["family"]
            for name in ("claude-sonnet-4-5", "own")
        }
    assert told["claude-sonnet-4-5"].startswith("claude, since the name matches claude; asked with tools, no logprobs;")
    assert "platform.claude.com" in told["claude-sonnet-4-5"]
    assert told["own"].startswith("none that is known by this name")


def test_the_table_of_the_documents_is_that_of_the_code() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    found = re.search(r"<!-- families -->\n(.*)\n<!-- /families -->", text, re.DOTALL)
    assert found is not None
    assert found[1] == all_families(), (
        "put what walker.models.discovery.family_table.all_families() returns between the marks"
    )
