"""Spans as a collector gets them: checked field by field against the schema, over a real connection."""

from __future__ import annotations

import json
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import json_format
from google.rpc.status_pb2 import Status
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTracePartialSuccess,
    ExportTraceServiceResponse,
)
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from tests.recordings.make import FOLDER
from tests.sites.collector import Collector, read_request
from tests.sites.serving import LoopbackSite, moved, serving
from tests.walker.cli.program import closed_address, walker, walker_here
from traces.events import EdgeCall
from traces.export.otel import otlp_of
from traces.reading.reader import read_run
from walker.errors import MissingExtra, UsageError, WalkerError
from walker.runs import otlp_upload
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


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_sent_is_what_the_file_holds(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In parts of seven spans, which together are the whole."""
    monkeypatch.setattr(otlp_upload, "MOST_SPANS", 7)
    with serving(Collector()) as collector:
        send_runs([FOLDER / kind], collector.home)
    (resource,) = read_request(otlp_of(read_run(FOLDER / kind), version=version("gemwalker"))).resource_spans
    parts = [one.resource_spans[0] for one in collector.requests]
    assert max(len(part.scope_spans[0].spans) for part in parts) == 7
    assert [part.resource.attributes for part in parts] == [resource.resource.attributes] * len(parts)
    assert [part.scope_spans[0].scope for part in parts] == [resource.scope_spans[0].scope] * len(parts)
    spans = [span for part in parts for span in part.scope_spans[0].spans]
    for span in spans:
        # The exporter says that the parent is no remote one, and writes a status that says nothing.
        span.ClearField("flags")
        if not span.status.code:
            span.ClearField("status")
    assert spans == list(resource.scope_spans[0].spans)


def test_what_the_collector_throws_away_or_refuses_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(otlp_upload, "SECONDS", 0.5)
    with serving(Collector()) as collector:
        partial = ExportTracePartialSuccess(rejected_spans=4, error_message="too old")
        collector.said = (200, ExportTraceServiceResponse(partial_success=partial))
        done = walker_here("export", str(FOLDER / "single"), "--otlp", collector.home, folder=tmp_path)
        assert (done.code, done.out) == (0, "")
        assert done.err.strip().endswith("4 of them rejected (too old)")
        collector.said = (503, Status(code=14, message="the queue is full"))
        with pytest.raises(WalkerError, match="it answered 503: the queue is full"):
            send_runs([FOLDER / "single"], collector.home)


def test_spans_go_nowhere_but_to_the_address_that_was_given(tmp_path: Path) -> None:
    """Not to a proxy or another collector that the environment names, and not where the answer leads."""
    with serving(Collector()) as elsewhere:
        named: dict[str, Any] = {"HTTP_PROXY": elsewhere.home, "OTEL_EXPORTER_OTLP_ENDPOINT": elsewhere.home}
        with serving(Collector()) as collector:
            done = walker("export", str(FOLDER / "single"), "--otlp", collector.home, folder=tmp_path, **named)
            assert (done.code, len(collector.requests)) == (0, 1)
        with (
            serving(LoopbackSite(lambda _: moved(elsewhere.home + "v1/traces", 307))) as leading,
            pytest.raises(WalkerError, match="it answered 307"),
        ):
            send_runs([FOLDER / "single"], leading.home)
        assert elsewhere.requests == []


def test_without_the_exporter_its_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    with pytest.raises(MissingExtra, match=r"pip install 'gemwalker\[otel\]'"):
        send_runs([FOLDER / "single"], "http://localhost:4318")


def test_wrong_usage_is_one_line(tmp_path: Path) -> None:
    run = str(FOLDER / "single")
    both = walker_here("export", run, "--otlp", "http://localhost:4318", "--to", "har", folder=tmp_path)
    assert (both.code, "--otlp goes without --to and -o" in both.err) == (2, True)
    neither = walker_here("export", run, folder=tmp_path)
    assert (neither.code, "give --to FORM and -o FILE, or --otlp URL" in neither.err) == (2, True)
    with pytest.raises(UsageError, match="it is not an http address"):
        send_runs([FOLDER / "single"], "localhost:4318")
    with pytest.raises(WalkerError, match="it cannot be reached"):
        send_runs([FOLDER / "single"], closed_address())
