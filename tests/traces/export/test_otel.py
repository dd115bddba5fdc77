from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.fixtures.recorded_walk import record
from tests.recordings.make import FOLDER
from traces.events import EdgeCall
from traces.export.otel import otlp_of
from traces.reading.reader import Run, read_run
from walker.seams.chat import ChatReply, ChatRequest


def spans_of(run: Run) -> list[dict[str, Any]]:
    (resource,) = json.loads(otlp_of(run, version="1"))["resourceSpans"]
    (scope,) = resource["scopeSpans"]
    spans: list[dict[str, Any]] = scope["spans"]
    return spans


def attributes(span: dict[str, Any]) -> dict[str, Any]:
    return {one["key"]: next(iter(one["value"].values())) for one in span["attributes"]}


@pytest.mark.parametrize("kind", ["count", "single", "model"])
def test_a_walk_is_one_tree_of_spans_each_within_its_parent(kind: str) -> None:
    run = read_run(FOLDER / kind)
    spans = spans_of(run)
    by_id = {span["spanId"]: span for span in spans}
    assert len(by_id) == len(spans), "ids are unique"
    assert {span["traceId"] for span in spans} == {spans[0]["traceId"]}
    assert [span["name"] for span in spans if not span["parentSpanId"]] == ["invoke_agent walker"]
    for span in spans:
        assert len(span["traceId"]) == 32
        assert len(span["spanId"]) == 16
        assert int(span["startTimeUnixNano"]) <= int(span["endTimeUnixNano"])
        if span["parentSpanId"]:
            parent = by_id[span["parentSpanId"]]
            assert int(parent["endTimeUnixNano"]) >= int(span["endTimeUnixNano"])
    steps = [span for span in spans if span["name"].startswith("step ")]
    assert len(steps) == max(event.step for event in run.events)
    assert len(spans) == 1 + len(steps) + sum(isinstance(event, EdgeCall) for event in run.events)
    assert spans == spans_of(run), "the same run gives the same spans"


def test_names_are_those_of_the_genai_conventions() -> None:
    spans = spans_of(read_run(FOLDER / "model"))
    chats = [span for span in spans if span["name"] == "chat scripted"]
    assert len(chats) == 3, "one call for the question, one call a page"
    chat = attributes(chats[0])
    assert (chat["gen_ai.operation.name"], chat["gen_ai.request.model"]) == ("chat", "scripted")
    assert int(chat["gen_ai.usage.input_tokens"]) > 100
    assert int(chat["gen_ai.usage.output_tokens"]) > 1
    assert chat["gen_ai.response.finish_reasons"] == {"values": [{"stringValue": "stop"}]}
    assert chats[0]["kind"] == 3
    tools = {attributes(span).get("gen_ai.tool.name") for span in spans}
    assert {"browser.open", "reader.read", "explorer.propose", "critic.find", "critic.judge"} <= tools
    root = attributes(spans[0])
    assert (root["gen_ai.operation.name"], root["walker.answer"]) == ("invoke_agent", "18.4 metres")


def test_a_failed_call_has_its_status() -> None:
    run = read_run(FOLDER / "single")
    broken = tuple(
        msgspec.structs.replace(event, error="EndpointUnusable: nobody there", outcome=None)
        if isinstance(event, EdgeCall) and event.method == "judge"
        else event
        for event in run.events
    )
    failed = [span for span in spans_of(msgspec.structs.replace(run, events=broken)) if "status" in span]
    assert [span["status"]["code"] for span in failed] == [2, 2]
    assert attributes(failed[0])["error.type"] == "EndpointUnusable"


async def test_what_a_model_said_is_not_in_the_spans(tmp_path: Path) -> None:
    def script(request: ChatRequest) -> ChatReply | str:
        return ChatReply(text="a secret of the model", prompt_tokens=1, completion_tokens=1)

    await record(tmp_path / "run", script=script)
    assert b"a secret of the model" not in otlp_of(read_run(tmp_path / "run"), version="1")
