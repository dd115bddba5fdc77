"""Sends a recorded walk to an OpenTelemetry collector, with OpenTelemetry's own exporter (OTLP over HTTP; extra `otel`)."""

from __future__ import annotations

import logging
import socket
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from traces.export.otel import CLIENT, INTERNAL, SCOPE, SpanData, Trace, trace_of
from walker.errors import MissingExtra, UsageError, WalkerError
from walker.runs.recorded_run import open_run

TRACES_PATH = "/v1/traces"
SECONDS = 30.0
"""For one request including the exporter's retries (HTTP 429, 502, 503, 504)."""
MOST_SPANS = 2000
"""In one request: about a megabyte; collectors accept 20."""
KNOCK_SECONDS = 5.0
PORTS = {"http": 80, "https": 443}
PROTOBUF = "application/x-protobuf"


class Sent(msgspec.Struct, frozen=True, kw_only=True):
    """What a collector accepted."""

    endpoint: str
    runs: int
    spans: int
    rejected: int = 0
    """Spans that it rejected."""
    reason: str = ""
    """Its error message or warning."""
    left_out: tuple[str, ...] = ()
    """What is damaged, one line each."""


def send_runs(paths: Sequence[Path], endpoint: str) -> Sent:
    """Send each run as a trace of its own to the collector at an address, such as http://localhost:4318.

    Raises `UsageError` where a run cannot be read or the address is none, `MissingExtra` without the exporter, `WalkerError` where
    the collector cannot be reached or refuses it; spans sent before stay there.
    """
    collector = _Collector(_address(endpoint))
    spans, rejected, reason, left_out = 0, 0, "", []
    try:
        for path in paths:
            run = open_run(path)
            left_out += [f"{run.folder}: {problem}" for problem in run.problems]
            trace = trace_of(run, version=version("gemwalker"))
            for start in range(0, len(trace.spans), MOST_SPANS):
                part = trace.spans[start : start + MOST_SPANS]
                refused, said = collector.take(trace, part)
                spans, rejected, reason = spans + len(part), rejected + refused, said or reason
    finally:
        collector.close()
    return Sent(
        endpoint=collector.address,
        runs=len(paths),
        spans=spans,
        rejected=rejected,
        reason=reason,
        left_out=tuple(left_out),
    )


def _address(endpoint: str) -> str:
    advice = "Give the address of a collector, such as http://localhost:4318"
    try:
        parts = urlsplit(endpoint)
        _ = parts.port
    except ValueError as error:
        raise UsageError(str(error), where=endpoint, advice=advice) from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError("it is not an http address", where=endpoint, advice=advice)
    path = parts.path.rstrip("/")
    return parts._replace(path=path if path.endswith(TRACES_PATH) else path + TRACES_PATH, fragment="").geturl()


class _Collector:
    """OpenTelemetry's exporter for one address, and the collector's responses."""

    def __init__(self, address: str) -> None:
        """Raises `MissingExtra`, and `WalkerError` where nobody listens."""
        self.address = address
        try:
            import requests  # noqa: PLC0415 - comes with the extra
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415 - an extra
        except ImportError:
            raise MissingExtra(
                "sending spans needs opentelemetry-exporter-otlp-proto-http",
                advice="Install it with: pip install 'gemwalker[otel]'; --to otel -o FILE writes a file without it",
            ) from None
        self._knock()
        session = requests.Session()
        session.trust_env = False  # no proxy or password from the environment: spans go only to the given address
        session.hooks["response"].append(self._heard)
        self._answer: Any = None
        self._log = _Log()
        self._exporter: Any = OTLPSpanExporter(endpoint=address, timeout=SECONDS, session=session)

    def take(self, trace: Trace, spans: Sequence[SpanData]) -> tuple[int, str]:
        """How many spans the collector rejected, and its message. Raises `WalkerError` if it accepted none."""
        self._answer = None
        with self._log:
            self._exporter.export(readable_spans(trace, spans))
        if self._answer is None:
            raise self._unreachable(self._log.first or "no answer")
        status = self._answer.status_code
        if not 200 <= status < 300:
            said = _why(self._answer)
            what = f"it answered {status}{': ' + said if said else ''}"
            raise WalkerError(what, where=self.address, advice="See the collector's log; it has to take OTLP over HTTP")
        return _partial(self._answer)

    def close(self) -> None:
        """Close the connection."""
        self._exporter.shutdown()

    def _knock(self) -> None:
        """Fail at once if nothing listens on the port; the exporter would retry for half a minute."""
        parts = urlsplit(self.address)
        try:
            port = parts.port or PORTS[parts.scheme]
            socket.create_connection((parts.hostname or "", port), timeout=KNOCK_SECONDS).close()
        except OSError as error:
            raise self._unreachable(str(error)) from None

    def _unreachable(self, why: str) -> WalkerError:
        advice = "Start the collector, or name its OTLP/HTTP port (4318, as a rule)"
        return WalkerError(f"it cannot be reached ({why})", where=self.address, advice=advice)

    def _heard(self, response: Any, **_: Any) -> None:
        self._answer = response


class _Log(logging.Handler):
    """Collects the exporter's log messages, so that they become one line instead of being printed."""

    def __init__(self) -> None:
        super().__init__()
        self.first = ""
        self._logger = logging.getLogger("opentelemetry.exporter.otlp.proto.http.trace_exporter")

    def emit(self, record: logging.LogRecord) -> None:
        self.first = self.first or record.getMessage()

    def __enter__(self) -> None:
        self.first, self._logger.propagate = "", False
        self._logger.addHandler(self)

    def __exit__(self, *_: object) -> None:
        self._logger.removeHandler(self)
        self._logger.propagate = True


def readable_spans(trace: Trace, spans: Sequence[SpanData]) -> list[Any]:
    """The spans, some of those of a trace, as objects of the SDK."""
    from opentelemetry.sdk.resources import Resource  # noqa: PLC0415 - an extra
    from opentelemetry.sdk.trace import ReadableSpan  # noqa: PLC0415 - an extra
    from opentelemetry.sdk.util.instrumentation import InstrumentationScope  # noqa: PLC0415 - an extra
    from opentelemetry.trace import SpanContext, SpanKind, Status, StatusCode, TraceFlags  # noqa: PLC0415 - an extra

    resource, scope = Resource(trace.resource), InstrumentationScope(SCOPE, trace.version)
    kinds = {INTERNAL: SpanKind.INTERNAL, CLIENT: SpanKind.CLIENT}

    def context(span: SpanData, span_id: str) -> SpanContext:
        return SpanContext(int(span.trace_id, 16), int(span_id, 16), is_remote=False, trace_flags=TraceFlags(1))

    return [
        ReadableSpan(
            name=span.name,
            context=context(span, span.span_id),
            parent=context(span, span.parent_id) if span.parent_id else None,
            resource=resource,
            attributes=span.attributes,
            kind=kinds[span.kind],
            status=Status(StatusCode.ERROR, span.error) if span.error else Status(),
            start_time=span.start,
            end_time=span.end,
            instrumentation_scope=scope,
        )
        for span in spans
    ]


def _partial(response: Any) -> tuple[int, str]:
    from google.protobuf.message import DecodeError  # noqa: PLC0415 - comes with the extra
    from opentelemetry.proto.collector.trace.v1 import trace_service_pb2 as messages  # noqa: PLC0415 - an extra

    try:
        partial = messages.ExportTraceServiceResponse.FromString(response.content).partial_success
    except DecodeError:  # said in another form
        return 0, ""
    return partial.rejected_spans, partial.error_message


def _why(response: Any) -> str:
    """The message of an error response: that of a google.rpc.Status, else the beginning of the text."""
    from google.protobuf.message import DecodeError  # noqa: PLC0415 - comes with the extra
    from google.rpc.status_pb2 import Status  # noqa: PLC0415 - comes with the extra

    if response.headers.get("Content-Type") == PROTOBUF:
        try:
            return str(Status.FromString(response.content).message)
        except DecodeError:
            return ""
    return str(response.text)[:200].strip()
