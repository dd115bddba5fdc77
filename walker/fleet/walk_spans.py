"""Spans of a walk that goes through several processes: one trace, whose parts each process sends by itself.

What says where a span belongs travels as W3C's `traceparent`. Without the address of a collector nothing is made and nothing sent.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from traces.export.otel import trace_below, trace_of
from walker.errors import MissingExtra, WalkerError
from walker.runs.otlp_upload import readable_spans
from walker.runs.recorded_run import open_run

ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"
"""Variable of the environment with the address of a collector, as OpenTelemetry names it."""
SEND_SECONDS = 5.0
"""For one request to a collector, and for what is left at the end."""

EVERY_SECONDS = 1.0
"""After which spans are sent: a process that is killed takes with it what ended since."""


def endpoint_of(environment: Mapping[str, str]) -> str:
    """The collector's address, as it may travel to other machines: "" for none, and for one with a password in it."""
    address = environment.get(ENDPOINT, "").strip().rstrip("/")
    return "" if urlsplit(address).password else address


class Spans:
    """Those of one process. Thread-safe."""

    def __init__(self, endpoint: str, scope: str, *, is_needed: bool = False) -> None:
        """`endpoint` is "" for no spans. `is_needed`: without OpenTelemetry `MissingExtra` is raised, instead of none being sent."""
        self._tracer: Any = None
        if not endpoint:
            return
        try:
            self._open(endpoint, scope)
        except ImportError as error:
            if is_needed:
                raise MissingExtra(
                    f"spans for a collector need OpenTelemetry ({error.name})",
                    where=ENDPOINT,
                    advice="Install it with: pip install 'gemwalker[otel]'",
                ) from None

    @contextmanager
    def span(self, name: str, parent: str = "", about: Mapping[str, str | int] | None = None) -> Iterator[str]:
        """A span for the block, below another; what names it for those below, "" where there are no spans."""
        if self._tracer is None:
            yield ""
            return
        context = self._names.extract({"traceparent": parent})
        with self._tracer.start_as_current_span(name, context=context, attributes=about, record_exception=False):
            held: dict[str, str] = {}
            self._names.inject(held)
            yield held["traceparent"]

    def add_run(self, run: str, parent: str) -> None:
        """The steps of a recorded walk, below a span; nothing where it was not recorded."""
        if self._tracer is None or not parent or not run:
            return
        try:
            trace = trace_of(open_run(Path(run)), version=version("gemwalker"))
        except WalkerError:
            return
        _, trace_id, span_id, _ = parent.split("-")
        below = trace_below(trace, trace_id, span_id)
        below = msgspec.structs.replace(below, resource=self._about | below.resource)
        for span in readable_spans(below, below.spans):
            self._processor.on_end(span)

    def flush(self) -> None:
        """Send what is left."""
        if self._tracer is not None:
            self._processor.force_flush(round(SEND_SECONDS * 1000))

    def close(self) -> None:
        """Send what is left; nothing more is sent after that."""
        if self._tracer is not None:
            self._provider.shutdown()
            self._tracer = None

    def _open(self, endpoint: str, scope: str) -> None:
        import requests  # noqa: PLC0415 - comes with the extra
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415 - an extra
        from opentelemetry.sdk.resources import Resource  # noqa: PLC0415 - an extra
        from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415 - an extra
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415 - an extra
        from opentelemetry.trace.propagation.tracecontext import (  # noqa: PLC0415 - an extra
            TraceContextTextMapPropagator,
        )

        session = requests.Session()
        session.trust_env = False  # no proxy or password from the environment: this goes only to the given address
        exporter = OTLPSpanExporter(f"{endpoint}/v1/traces", timeout=SEND_SECONDS, session=session)
        self._processor = BatchSpanProcessor(
            exporter, schedule_delay_millis=EVERY_SECONDS * 1000, export_timeout_millis=SEND_SECONDS * 1000
        )
        self._about = {
            "service.name": "walker",
            "service.version": version("gemwalker"),
            "service.instance.id": f"{socket.gethostname()}:{os.getpid()}",
        }
        self._provider = TracerProvider(resource=Resource(self._about), shutdown_on_exit=False)
        self._provider.add_span_processor(self._processor)
        self._tracer = self._provider.get_tracer(scope, version("gemwalker"))
        self._names = TraceContextTextMapPropagator()
