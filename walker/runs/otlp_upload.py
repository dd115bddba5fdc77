"""Sends a recorded walk to an OpenTelemetry collector: OTLP over HTTP, in JSON (OTLP 1.x, section OTLP/HTTP)."""

from __future__ import annotations

import http.client
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

import msgspec

from traces.export.otel import otlp_batches
from walker.errors import UsageError, WalkerError
from walker.runs.replay import open_run

TRACES_PATH = "/v1/traces"
SECONDS = 30.0
MOST_ANSWER = 65_536
"""Bytes of a collector's answer that are read."""


class Sent(msgspec.Struct, frozen=True, kw_only=True):
    """What a collector took."""

    endpoint: str
    runs: int
    spans: int
    rejected: int = 0
    """Spans that it took and threw away."""
    reason: str = ""
    """Why it did, or what else it had to say."""
    left_out: tuple[str, ...] = ()
    """What is damaged, one line each."""


class _Partial(msgspec.Struct, frozen=True, rename="camel"):
    rejected_spans: int = 0
    error_message: str = ""


class _Answer(msgspec.Struct, frozen=True, rename="camel"):
    """ExportTraceServiceResponse, or the Status of one that failed."""

    partial_success: _Partial = _Partial()
    message: str = ""


def send_runs(paths: Sequence[Path], endpoint: str) -> Sent:
    """Send each run as a trace of its own to the collector at an address, such as http://localhost:4318.

    Raises `UsageError` where a run cannot be read or the address is none, `WalkerError` where the collector cannot be reached or
    does not take it; what was sent before stays there.
    """
    address = _address(endpoint)
    spans, rejected, reason, left_out = 0, 0, "", []
    for path in paths:
        run = open_run(path)
        left_out += [f"{run.folder}: {problem}" for problem in run.problems]
        for batch in otlp_batches(run, version=version("gemwalker")):
            partial = _post(address, batch.data).partial_success
            spans, rejected = spans + batch.spans, rejected + partial.rejected_spans
            reason = partial.error_message or reason
    return Sent(
        endpoint=address.geturl(),
        runs=len(paths),
        spans=spans,
        rejected=rejected,
        reason=reason,
        left_out=tuple(left_out),
    )


def _address(endpoint: str) -> SplitResult:
    advice = "Give the address of a collector, such as http://localhost:4318"
    try:
        parts = urlsplit(endpoint)
        _ = parts.port
    except ValueError as error:
        raise UsageError(str(error), where=endpoint, advice=advice) from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError("it is no http address", where=endpoint, advice=advice)
    path = parts.path.rstrip("/")
    return parts._replace(path=path if path.endswith(TRACES_PATH) else path + TRACES_PATH, fragment="")


def _post(address: SplitResult, data: bytes) -> _Answer:
    kind = http.client.HTTPSConnection if address.scheme == "https" else http.client.HTTPConnection
    connection = kind(address.hostname or "", address.port, timeout=SECONDS)
    target = address.path + (f"?{address.query}" if address.query else "")
    try:
        connection.request("POST", target, data, {"Content-Type": "application/json", "Accept": "application/json"})
        response = connection.getresponse()
        status, body = response.status, response.read(MOST_ANSWER)
    except (OSError, http.client.HTTPException) as error:
        advice = "Start the collector, or name its OTLP/HTTP port (4318, as a rule)"
        raise WalkerError(f"it cannot be reached ({error})", where=address.geturl(), advice=advice) from None
    finally:
        connection.close()
    answer = _read(body)
    if not 200 <= status < 300:
        said = answer.message or body[:200].decode("utf-8", "replace").strip()
        what = f"it answered {status}{': ' + said if said else ''}"
        raise WalkerError(what, where=address.geturl(), advice="See the collector's log; it has to take OTLP in JSON")
    return answer


def _read(body: bytes) -> _Answer:
    """What a collector says; nothing where it says it in another form."""
    try:
        return msgspec.json.decode(body, type=_Answer, strict=False)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return _Answer()
