"""Spans as a collector gets them: checked field by field against the schema, over a real connection."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import json_format
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from tests.recordings.make import FOLDER
from tests.sites.collector import Collector, read_request
from tests.sites.serving import serving
from tests.walker.cli.program import closed_address, walker_here
from traces.events import EdgeCall
from traces.export.otel import otlp_batches, otlp_of
from traces.reading.reader import read_run
from walker.errors import UsageError, WalkerError
from walker.runs.otlp_upload import send_runs

KINDS = ("count", "single", "model")


@pytest.mark.parametrize("kind", KINDS)
def test_every_field_is_of_the_schema_and_comes_back_as_it_was(kind: str) -> None:
    data = otlp_of(read_run(FOLDER / kind), version="1")
    request = read_request(data)
    spans = request.resource_spans[0].scope_spans[0].spans
    written: list[dict[str, Any]] = json.loads(data)["resourceSpans"][0]["scopeSpans"][0]["spans"]
    assert len(spans) == len(written) > 10
    for span, plain in zip(spans, written, strict=True):
        assert (span.trace_id.hex(), span.span_id.hex()) == (plain["traceId"], plain["spanId"])
        assert span.parent_span_id.hex() == plain["parentSpanId"]
        assert str(span.start_time_unix_nano) == plain["startTimeUnixNano"]
        assert span.kind in (Span.SPAN_KIND_INTERNAL, Span.SPAN_KIND_CLIENT)
        assert json_format.MessageToDict(span)["attributes"] == plain["attributes"]


def test_the_check_itself_refuses_what_the_encoding_does_not_allow() -> None:
    def wrapped(**span: Any) -> bytes:
        return json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]}).encode()

    assert read_request(wrapped(traceId="ab" * 16, kind=3)).resource_spans[0].scope_spans[0].spans[0].kind == 3
    for wrong, why in (
        ({"traceId": "AB" * 16}, "no id in hex"),
        ({"spanId": "q83vASNFZ4k="}, "no id in hex"),
        ({"kind": "SPAN_KIND_CLIENT"}, "no number"),
        ({"startTimeUnixNano": 1}, "no text"),
        ({"trace_id": "ab" * 16}, "no name of OTLP/JSON"),
        ({"colour": "red"}, "no field named"),
    ):
        with pytest.raises(ValueError, match=why):
            read_request(wrapped(**wrong))


def test_runs_are_sent_each_as_a_trace_of_its_own() -> None:
    with serving(Collector()) as collector:
        sent = send_runs([FOLDER / kind for kind in KINDS], collector.home.rstrip("/"))
    assert (collector.refused, set(collector.asked)) == ([], {"POST /v1/traces"})
    spans = [span for one in collector.requests for span in one.resource_spans[0].scope_spans[0].spans]
    assert (sent.runs, sent.spans, sent.rejected) == (3, len(spans), 0)
    assert len({span.trace_id for span in spans}) == 3
    calls = sum(isinstance(event, EdgeCall) for kind in KINDS for event in read_run(FOLDER / kind).events)
    assert len(spans) > calls
    services = {one.resource_spans[0].resource.attributes[0].value.string_value for one in collector.requests}
    assert services == {"walker"}


def test_a_large_trace_is_sent_in_parts_that_together_are_the_whole() -> None:
    run = read_run(FOLDER / "model")
    (whole,) = otlp_batches(run, version="1")
    parts = list(otlp_batches(run, version="1", most=7))
    assert whole.data == otlp_of(run, version="1")
    assert max(part.spans for part in parts) == 7
    spans = [span for part in parts for span in read_request(part.data).resource_spans[0].scope_spans[0].spans]
    assert spans == list(read_request(whole.data).resource_spans[0].scope_spans[0].spans)


def test_what_the_collector_throws_away_or_refuses_is_told(tmp_path: Path) -> None:
    with serving(Collector()) as collector:
        partial = {"partialSuccess": {"rejectedSpans": "4", "errorMessage": "too old"}}
        collector.said = (200, partial)
        done = walker_here("export", str(FOLDER / "single"), "--otlp", collector.home, folder=tmp_path)
        assert (done.code, done.out) == (0, "")
        assert done.err.strip().endswith("4 of them rejected (too old)")
        collector.said = (503, {"code": 14, "message": "the queue is full"})
        with pytest.raises(WalkerError, match="it answered 503: the queue is full"):
            send_runs([FOLDER / "single"], collector.home)


def test_wrong_usage_is_one_line(tmp_path: Path) -> None:
    run = str(FOLDER / "single")
    both = walker_here("export", run, "--otlp", "http://localhost:4318", "--to", "har", folder=tmp_path)
    assert (both.code, "--otlp goes without --to and -o" in both.err) == (2, True)
    neither = walker_here("export", run, folder=tmp_path)
    assert (neither.code, "give --to FORM and -o FILE, or --otlp URL" in neither.err) == (2, True)
    with pytest.raises(UsageError, match="it is no http address"):
        send_runs([FOLDER / "single"], "localhost:4318")
    with pytest.raises(WalkerError, match="it cannot be reached"):
        send_runs([FOLDER / "single"], closed_address())
