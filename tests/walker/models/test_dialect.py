from __future__ import annotations

import msgspec
import pytest

from walker.models.dialect import FORMATS, Dialect, is_too_long
from walker.seams.chat import ChatMessage, ChatRequest

ASKED = ChatRequest(
    model="m",
    messages=(ChatMessage(role="user", content="hello"),),
    schema_name="step",
    schema={"type": "object", "properties": {}},
)
SAMPLED = msgspec.structs.replace(ASKED, temperature=0.6, top_p=0.95)


@pytest.mark.parametrize(
    ("refusal", "gone"),
    [
        ("Unknown parameter: stream_options", "stream_options"),
        ("Unsupported value: 'temperature' does not support 0 with this model", "temperature"),
        ("'top_p' is not supported with this model", "top_p"),
        ("'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", "max_tokens"),
        ("response_format.type json_schema is not supported", "response_format"),
    ],
)
def test_a_refusal_costs_the_feature_it_names(refusal: str, gone: str) -> None:
    dialect = Dialect()
    assert gone in dialect.arguments(SAMPLED)
    assert dialect.learn(refusal)
    assert gone not in dialect.arguments(SAMPLED)
    assert len(dialect.arguments(SAMPLED)) >= len(Dialect().arguments(SAMPLED)) - 1


def test_without_settings_of_its_own_a_request_is_at_temperature_0_and_leaves_top_p_to_the_server() -> None:
    arguments = Dialect().arguments(ASKED)
    assert arguments["temperature"] == 0
    assert "top_p" not in arguments
    sampled = Dialect().arguments(SAMPLED)
    assert (sampled["temperature"], sampled["top_p"]) == (0.6, 0.95)


def test_formats_are_given_up_from_the_strictest_to_none() -> None:
    dialect, met = Dialect(), []
    while True:
        met.append(dialect.format)
        if dialect.format == "text":
            break
        assert dialect.learn("this response_format is not supported")
    assert tuple(met) == FORMATS


def test_a_server_that_names_nothing_is_asked_for_less_and_less_and_then_no_more() -> None:
    dialect = Dialect()
    for _ in range(20):
        if not dialect.learn("bad request"):
            break
    else:
        pytest.fail("there is no end to it")
    assert set(dialect.arguments(SAMPLED)) == {"model", "messages", "stream", "max_tokens"}


def test_tools_hold_a_reply_to_its_schema() -> None:
    arguments = Dialect(format="tools").arguments(ASKED)
    assert arguments["tool_choice"] == {"type": "function", "function": {"name": "step"}}
    assert arguments["tools"][0]["function"]["parameters"] == ASKED.schema


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("context_length_exceeded", "whatever"),
        ("", "This model's maximum context length is 4096 tokens"),
        ("", "the request exceeds the available context size, try increasing it"),
        ("", "prompt is too long: 9000 tokens > 8192 maximum"),
        ("", "Please reduce the input length"),
    ],
)
def test_a_prompt_that_is_too_long_is_recognised_in_many_wordings(code: str, message: str) -> None:
    assert is_too_long(code, message)


def test_other_refusals_are_not_about_length() -> None:
    assert not is_too_long("", "response_format is not supported")


WEIGHED = ChatRequest(model="m", messages=ASKED.messages, top_logprobs=20)


def test_probabilities_are_asked_for_where_they_are_wanted() -> None:
    assert "logprobs" not in Dialect().arguments(ASKED)
    asked = Dialect().arguments(WEIGHED)
    assert (asked["logprobs"], asked["top_logprobs"]) == (True, 20)


def test_a_server_that_gives_fewer_probabilities_is_asked_for_fewer_and_one_that_gives_none_for_none() -> None:
    dialect = Dialect()
    assert dialect.learn("top_logprobs may be 5 at most", logprobs=20)
    assert dialect.arguments(WEIGHED)["top_logprobs"] == 5
    assert dialect.learn("top_logprobs may be 5 at most", logprobs=20), "the refusal of a request sent before"
    assert dialect.arguments(WEIGHED)["top_logprobs"] == 5
    assert dialect.learn("logprobs are not supported", logprobs=5)
    assert "logprobs" not in dialect.arguments(WEIGHED)


def test_a_refusal_that_names_another_feature_keeps_probabilities_and_one_without_a_name_does_not() -> None:
    dialect = Dialect()
    assert dialect.learn("'temperature' is not supported", logprobs=20)
    assert "temperature" not in dialect.arguments(WEIGHED)
    assert dialect.arguments(WEIGHED)["logprobs"]
    assert dialect.learn("bad request", logprobs=20)
    assert "logprobs" not in dialect.arguments(WEIGHED)
    assert dialect.format == "json_schema"
