"""What a crawl tells of itself to Prometheus and to an OpenTelemetry collector.

The instruments are defined once, with the SDK of OpenTelemetry (extra `otel`); one reader serves them to Prometheus, another sends
them to a collector. A page is a trace, whose number follows from job and address: what several workers tried of it stands in one.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from importlib.metadata import version
from typing import Any

import msgspec

from memory.url_key import key_or
from traces.redaction import Redactor
from walker.crawl.crawl_events import CrawlSink, PageDone
from walker.crawl.fleet.fleet_meter import STORED, kind_of
from walker.crawl.job.shared.process_use import use_of
from walker.crawl.job.stored_job import StoredJob
from walker.errors import MissingExtra, UsageError

ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"
"""Variable of the environment with the address of a collector, as OpenTelemetry names it."""
HOST = "127.0.0.1"
SCOPE = "walker.crawl"
SEND_SECONDS = 5.0
"""For one request to a collector, and for the last ones of a crawl."""
EVERY_MILLISECONDS = 10_000.0


class TelemetrySettings(msgspec.Struct, frozen=True, kw_only=True):
    """Where the numbers of a crawl go."""

    port: int | None = None
    """Of the page for Prometheus, on loopback; 0 for any that is free, None for no page."""
    endpoint: str = ""
    """Address of a collector that takes OTLP over HTTP, "" for none."""
    hidden: tuple[str, ...] = ()
    """Secrets that do not leave this process."""


def telemetry_of(port: int | None, environment: Mapping[str, str], hidden: tuple[str, ...]) -> TelemetrySettings:
    """The settings that options and environment give."""
    return TelemetrySettings(port=port, endpoint=environment.get(ENDPOINT, "").strip(), hidden=hidden)


@contextmanager
def telling(settings: TelemetrySettings, crawl: str, store: StoredJob, beyond: CrawlSink) -> Iterator[CrawlSink]:
    """A sink before another, which adds up and sends what a crawl of this name does. `beyond` itself where nobody wants to know.

    Raises `MissingExtra` without the SDK, `UsageError` where the port is taken.
    """
    if settings.port is None and not settings.endpoint:
        yield beyond
        return
    with ExitStack() as opened:
        provider, spans = _providers(settings, crawl, opened)
        yield CrawlTelemetry(provider.get_meter(SCOPE, version("gemwalker")), spans, (crawl, store), beyond)


class CrawlTelemetry:
    """Implements `CrawlSink`: counts events, makes spans of them, and forwards them."""

    def __init__(
        self, meter: Any, end_span: Callable[[PageDone, str], None], told: tuple[str, StoredJob], beyond: CrawlSink
    ) -> None:
        """`meter` is OpenTelemetry's; `end_span` takes a page and its trace's name; `told` are the crawl's name and job."""
        (crawl, self._store), self._end_span, self._beyond = told, end_span, beyond
        self._own = {"crawl": crawl}
        self._repetition = self._store.repetition
        self._pages = meter.create_counter(
            "walker.pages", description="Pages that this worker has dealt with, by outcome."
        )
        self._errors = meter.create_counter("walker.errors", description="Fetches that came to nothing, by kind.")
        self._items = meter.create_counter("walker.items", description="New items that this worker has found.")
        self._bytes = meter.create_counter(
            "walker.fetched", unit="By", description="Bytes of the pages that it has stored."
        )
        self._seconds = meter.create_histogram(
            "walker.page.duration",
            unit="s",
            description="Time to fetch a page, without waiting for the host's turn.",
            explicit_bucket_boundaries_advisory=(0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0),
        )
        gauges: dict[str, tuple[str, str, Callable[[], Iterator[Any]]]] = {
            "walker.job.pages": ("", "Addresses of the job, by state.", self._states),
            "walker.job.items": ("", "Items of the job.", lambda: self._one(self._store.items)),
            "walker.job.size": ("By", "Bytes of all stored pages of the job.", lambda: self._one(self._store.size)),
            "walker.worker.memory": (
                "By",
                "Memory of this worker and its browsers.",
                lambda: self._one(use_of().memory),
            ),
            "walker.worker.cpu": ("s", "Processor time of the same.", lambda: self._one(use_of().cpu_seconds)),
        }
        for name, (unit, told_of, values) in gauges.items():
            meter.create_observable_gauge(
                name, [lambda _, values=values: list(values())], unit=unit, description=told_of
            )

    def emit(self, event: PageDone) -> None:
        """Count it."""
        self._pages.add(1, self._own | {"outcome": event.outcome, "driver": event.driver or "none"})
        if kind := kind_of(event):
            self._errors.add(1, self._own | {"kind": kind})
        if event.outcome in STORED:
            self._items.add(max(0, event.items), self._own)
            self._bytes.add(event.size, self._own)
            self._seconds.record(event.seconds, self._own | {"driver": event.driver or "none"})
        self._end_span(event, f"{self._own['crawl']}\n{self._repetition}\n{key_or(event.url, event.url)}")
        self._beyond.emit(event)

    def _states(self) -> Iterator[Any]:
        for state, number in self._store.counts.items():
            yield from self._one(number, state=state)

    def _one(self, value: float, **labels: str) -> Iterator[Any]:
        from opentelemetry.metrics import Observation  # noqa: PLC0415 - an extra

        yield Observation(value, self._own | labels)


def _providers(
    settings: TelemetrySettings, crawl: str, opened: ExitStack
) -> tuple[Any, Callable[[PageDone, str], None]]:
    """A provider of meters, and what ends the span of a page; both end with the stack."""
    try:
        from opentelemetry.sdk.metrics import MeterProvider  # noqa: PLC0415 - an extra
        from opentelemetry.sdk.resources import Resource  # noqa: PLC0415 - an extra

        readers = [_page_for_prometheus(settings.port, opened)] if settings.port is not None else []
        readers += [_metrics_sender(settings.endpoint)] if settings.endpoint else []
    except ImportError as error:
        raise MissingExtra(
            f"telling Prometheus or a collector needs OpenTelemetry ({error.name})",
            where="--metrics" if settings.port is not None else ENDPOINT,
            advice="Install it with: pip install 'gemwalker[otel]'",
        ) from None
    who = f"{socket.gethostname()}:{os.getpid()}"
    about = {
        "service.name": "walker",
        "service.version": version("gemwalker"),
        "service.instance.id": who,
        "crawl": crawl,
    }
    resource = Resource(about)
    provider = MeterProvider(readers, resource, shutdown_on_exit=False)
    opened.callback(provider.shutdown, SEND_SECONDS * 1000)
    if not settings.endpoint:
        return provider, lambda _event, _trace: None
    return provider, _span_sender(settings, resource, opened)


def _page_for_prometheus(port: int | None, opened: ExitStack) -> Any:
    """A reader that Prometheus asks at http://127.0.0.1:PORT/metrics."""
    from opentelemetry.exporter.prometheus import PrometheusMetricReader  # noqa: PLC0415 - an extra
    from prometheus_client import CollectorRegistry, start_http_server  # noqa: PLC0415 - an extra

    registry = CollectorRegistry()
    reader = PrometheusMetricReader(scope_info_enabled=False, registry=registry)
    try:
        server, thread = start_http_server(port or 0, HOST, registry)
    except OSError as error:
        raise UsageError(
            f"the port cannot be had ({error.strerror})", where=f"--metrics {port}", advice="Name another, or 0 for any"
        ) from None
    opened.callback(thread.join)
    opened.callback(server.server_close)
    opened.callback(server.shutdown)
    return reader


def _session() -> Any:
    import requests  # noqa: PLC0415 - comes with the extra

    session = requests.Session()
    session.trust_env = False  # no proxy or password from the environment: this goes only to the given address
    return session


def _metrics_sender(endpoint: str) -> Any:
    from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter  # noqa: PLC0415 - an extra
    from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader  # noqa: PLC0415 - an extra

    exporter = OTLPMetricExporter(f"{endpoint.rstrip('/')}/v1/metrics", timeout=SEND_SECONDS, session=_session())
    return PeriodicExportingMetricReader(exporter, EVERY_MILLISECONDS, SEND_SECONDS * 1000)


def _span_sender(settings: TelemetrySettings, resource: Any, opened: ExitStack) -> Callable[[PageDone, str], None]:
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415 - an extra
    from opentelemetry.sdk.trace import ReadableSpan  # noqa: PLC0415 - an extra
    from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415 - an extra
    from opentelemetry.sdk.util.instrumentation import InstrumentationScope  # noqa: PLC0415 - an extra
    from opentelemetry.trace import SpanContext, SpanKind, Status, StatusCode, TraceFlags  # noqa: PLC0415 - an extra

    exporter = OTLPSpanExporter(f"{settings.endpoint.rstrip('/')}/v1/traces", timeout=SEND_SECONDS, session=_session())
    processor = BatchSpanProcessor(exporter, export_timeout_millis=SEND_SECONDS * 1000)
    opened.callback(processor.shutdown)
    scope = InstrumentationScope(SCOPE, version("gemwalker"))
    redactor = Redactor(settings.hidden, secrets.token_bytes(32))

    def end_span(event: PageDone, trace: str) -> None:
        number = int.from_bytes(hashlib.blake2b(trace.encode("utf-8", "surrogatepass"), digest_size=16).digest(), "big")
        context = SpanContext(number, secrets.randbits(64) or 1, is_remote=False, trace_flags=TraceFlags(1))
        kind, now = kind_of(event), time.time_ns()
        span = ReadableSpan(
            name="page",
            context=context,
            resource=resource,
            attributes={
                "url.full": redactor.clean_text(event.url),
                "http.response.status_code": event.status,
                "walker.outcome": event.outcome,
                "walker.driver": event.driver,
                "walker.depth": event.depth,
                "walker.items": event.items,
                "walker.links": event.links,
                "walker.bytes": event.size,
                **({"error.type": redactor.clean_text(kind)} if kind else {}),
            },
            kind=SpanKind.CLIENT,
            status=Status(StatusCode.ERROR, redactor.clean_text(event.why)) if kind else Status(),
            start_time=now - round(event.seconds * 1e9),
            end_time=now,
            instrumentation_scope=scope,
        )
        processor.on_end(span)

    return end_span
