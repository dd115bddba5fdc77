"""What the doctor says of a model that is asked what a walk asks."""

from __future__ import annotations

import json
import re

import pytest

from tests.sites.endpoint_in_a_thread import served
from walker.doctor import model_trial
from walker.doctor.model_trial import PAGE, examine_model
from walker.models.replies import FindReply, PageReply, schema_of
from walker.seams.tools import TOOLS
from walker.settings import ModelSettings
from walker.testing.chat_server import Endpoint, Reply

HEIGHT = {"answer": "34 metres", "quote": "It is 34 metres high.", "confidence": 95}
READ = {
    "relevance": 40,
    "findings": [HEIGHT],
    "sufficient": True,
    "answer": "34 metres",
    "cite": [1],
    "action": "answer",
}


@pytest.mark.parametrize(
    ("said", "ok", "told"),
    [
        (json.dumps(READ), True, "json_schema"),
        ('{"city": "Paris"}', False, "the JSON does not fit"),
        ("It is 34 metres high.", False, "no JSON object"),
        ('{"relevance": 0, "action": "back"}', True, "did not find and quote"),
    ],
)
async def test_a_model_passes_that_a_walk_can_use(said: str, told: str, *, ok: bool) -> None:
    with served(Endpoint(lambda _: Reply(text=said))) as endpoint:
        checks = await examine_model(ModelSettings(name="test-model", base_url=endpoint.base_url))
    (check,) = [check for check in checks if check.name == "structured output"]
    assert (check.ok, told in f"{check.detail} {check.advice}") == (ok, True), check


@pytest.mark.parametrize(("order", "name"), [("combined", "step"), ("critic-first", "critic_find")])
async def test_it_is_asked_with_the_prompt_and_the_schema_of_a_walk(order: str, name: str) -> None:
    with served(Endpoint(lambda _: Reply(text=json.dumps(READ)))) as endpoint:
        await examine_model(ModelSettings(name="test-model", base_url=endpoint.base_url, order=order))  # type: ignore[arg-type]
    asked = endpoint.asked[0]
    assert asked.schema_name == name
    assert "The lighthouse was built in 1911." in asked.prompt
    assert "The lighthouse was built in 1911." in PAGE
    unsaid = frozenset(
        ("part", "list", "list_part", "box", "crop", "search", *(tool.name for tool in TOOLS if tool.is_chosen))
    )
    schema = schema_of(PageReply if name == "step" else FindReply, leave_out=unsaid)
    assert asked.body["response_format"]["json_schema"]["schema"] == schema


@pytest.mark.parametrize(
    ("name", "told"),
    [("qwen3:8b", "; its family has 40960 tokens at most; "), ("my-own", "not reported; a step needs ")],
)
async def test_a_context_that_is_not_reported_is_at_most_that_of_the_family(name: str, told: str) -> None:
    with served(Endpoint(lambda _: Reply(text=json.dumps(READ)), models=(name,))) as endpoint:
        checks = await examine_model(ModelSettings(name=name, base_url=endpoint.base_url))
    (check,) = [check for check in checks if check.name == "context"]
    assert (check.ok, told in check.detail) == (True, True), check


async def test_a_model_that_never_comes_to_an_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """It goes on sending, so that no time-out between two pieces ends it."""
    monkeypatch.setattr(model_trial, "TRIAL_SECONDS", 1.5)
    endless = Reply(text="and so on, " * 300, hang_after=20)
    with served(Endpoint([endless])) as endpoint:
        checks = await examine_model(ModelSettings(name="test-model", base_url=endpoint.base_url))
    check = checks[0]
    assert (check.name, check.ok) == ("model", False)
    assert "no usable reply in 2 s (0 of no use came whole)" in check.detail
    assert "use a smaller model" in check.advice


async def test_a_context_that_is_too_small_for_one_short_page_is_told_with_what_is_needed() -> None:
    with served(Endpoint([Reply(text="{}")], context=300)) as endpoint:
        checks = await examine_model(ModelSettings(name="test-model", base_url=endpoint.base_url))
    check = checks[0]
    assert (check.name, check.ok) == ("model", False)
    assert "maximum context length is 300 tokens" in check.detail
    assert check.advice.startswith("Start the server with a context of 11200 tokens")


async def test_how_long_a_reply_takes_is_told() -> None:
    with served(Endpoint([Reply(text=json.dumps(READ), seconds=1.1)])) as endpoint:
        checks = await examine_model(ModelSettings(name="test-model", base_url=endpoint.base_url))
    assert re.search(r"reported by the server, [1-9]\d* s\)", checks[0].detail), checks[0]
