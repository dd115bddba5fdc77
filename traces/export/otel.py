"""OpenTelemetry export: a walk as one trace in OTLP/JSON, with the attribute names of the GenAI semantic conventions.

The walk is an `invoke_agent` span with a span per step; below it calls of the browser and the reader are `execute_tool` spans, and
calls of the model `chat` spans. Contents are not exported: an attribute names the blob.
"""

from __future__ import annotations

import hashlib
from typing import Any
from urllib.parse import urlsplit

import msgspec

from traces.errors import TraceReadError
from traces.events import EdgeCall, Envelope, Event, WalkEnded, WalkFailed, WalkStarted
from traces.reading.reader import Run
from traces.store.blobs import BlobRef

INTERNAL, CLIENT = 1, 3
"""Span kinds, as numbered by OTLP."""
SCOPE = "walker"
ERROR = 2
"""OTLP status code of a failed span."""
TOOLS = {
    "browser.open": "open a page",
    "browser.act": "press, type or scroll",
    "browser.see": "draw the page",
    "reader.read": "read a page",
    "vision.look": "read pictures",
    "vision_model.look": "look at a picture",
    "code.run": "run code over values that were found",
    "analyst.analyse": "say what the question asks for",
    "explorer.propose": "propose the next step",
    "critic.find": "keep what bears on the question",
    "critic.judge": "judge what was found",
}
Attributes = dict[str, Any]


class SpanData(msgspec.Struct, frozen=True, kw_only=True):
    """One span as plain values; ids in hex follow from the run's own."""

    trace_id: str
    span_id: str
    parent_id: str
    """"" for the walk's."""
    name: str
    kind: int
    """INTERNAL or CLIENT."""
    start: int
    """Nanoseconds since 1970."""
    end: int
    attributes: Attributes
    error: str = ""


class Trace(msgspec.Struct, frozen=True, kw_only=True):
    """A walk's spans, its own first, and what is said of all of them."""

    resource: Attributes
    version: str
    """Of Walker, whose instrumentation scope the spans are of."""
    spans: tuple[SpanData, ...]


def trace_of(run: Run, *, version: str) -> Trace:
    """The trace of a run."""
    about = {"service.name": SCOPE, "service.version": version, "walker.run.id": run.manifest.run_id}
    return Trace(resource=about, version=version, spans=tuple(_Spans(run).all()))


def trace_below(trace: Trace, trace_id: str, parent_id: str) -> Trace:
    """The same spans as a part of another trace, below a span of it."""
    replace = msgspec.structs.replace
    spans = tuple(replace(one, trace_id=trace_id, parent_id=one.parent_id or parent_id) for one in trace.spans)
    return replace(trace, spans=spans)


def otlp_of(run: Run, *, version: str) -> bytes:
    """The trace of a run in OTLP/JSON, as a line that an OTLP/HTTP receiver takes at /v1/traces."""
    trace = trace_of(run, version=version)
    resource = {
        "resource": {"attributes": _attributes(trace.resource)},
        "scopeSpans": [
            {"scope": {"name": SCOPE, "version": version}, "spans": [_in_json(span) for span in trace.spans]}
        ],
    }
    return msgspec.json.encode({"resourceSpans": [resource]})


def _in_json(span: SpanData) -> dict[str, Any]:
    told = {
        "traceId": span.trace_id,
        "spanId": span.span_id,
        "parentSpanId": span.parent_id,
        "name": span.name,
        "kind": span.kind,
        "startTimeUnixNano": str(span.start),
        "endTimeUnixNano": str(span.end),
        "attributes": _attributes(span.attributes),
    }
    return told | ({"status": {"code": ERROR, "message": span.error}} if span.error else {})


class _Spans:
    def __init__(self, run: Run) -> None:
        self._run = run
        identity = f"{run.manifest.run_id} {run.manifest.created} {run.manifest.question}"
        self._trace = hashlib.sha256(identity.encode()).hexdigest()[:32]
        model = run.manifest.settings.get("model") or {}
        self._host = urlsplit(model.get("base_url") or "").hostname or ""

    def all(self) -> list[SpanData]:
        timed = list(zip(self._run.events, self._run.envelopes, strict=True))
        spans = [self._walk(timed)]
        by_step: dict[int, list[tuple[Event, Envelope]]] = {}
        for event, envelope in timed:
            by_step.setdefault(event.step, []).append((event, envelope))
        for number, events in by_step.items():
            if number:
                spans.append(self._step(number, events))
        for event, envelope in timed:
            if isinstance(event, EdgeCall):
                spans.append(self._call(event, envelope))
        return spans

    def _walk(self, timed: list[tuple[Event, Envelope]]) -> SpanData:
        start = next((event for event, _ in timed if isinstance(event, WalkStarted)), None)
        end = next((event for event, _ in timed if isinstance(event, WalkEnded)), None)
        failed = next((event for event, _ in timed if isinstance(event, WalkFailed)), None)
        about: Attributes = {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.name": "walker",
            "gen_ai.agent.id": self._run.manifest.run_id,
            "gen_ai.conversation.id": self._run.manifest.run_id,
            "walker.question": start.question if start else self._run.manifest.question,
            "url.full": self._run.manifest.root_url,
        }
        if end is not None:
            about |= {"walker.stop_reason": end.stop_reason, "walker.answer": end.answer, "walker.pages": end.pages}
        walls = [envelope.wall for _, envelope in timed] or [self._run.manifest.created]
        error = failed.error if failed is not None and end is None else ""
        return self._span("walk", "", "invoke_agent walker", (walls[0], walls[-1]), about, error=error)

    def _step(self, number: int, events: list[tuple[Event, Envelope]]) -> SpanData:
        times = [envelope.wall - (event.seconds if isinstance(event, EdgeCall) else 0) for event, envelope in events]
        about: Attributes = {"walker.step": number}
        for event, _ in events:
            fields = msgspec.to_builtins(event)
            match fields["type"]:
                case "page.open":
                    about |= {"url.full": fields["final_url"], "http.response.status_code": fields["status"]}
                case "us":
                    about["walker.understanding"] = fields["score"]
                case "gate":
                    about |= {"walker.gate.choice": fields["choice"], "walker.gate.trust": fields["score"]}
                case "counter":
                    about["walker.counter.found"] = fields["found"]
                case "move":
                    about |= {"walker.move": fields["move"], "walker.move.url": fields["url"]}
        spent = (min(times), max(envelope.wall for _, envelope in events))
        return self._span(f"step {number}", "walk", f"step {number}", spent, about)

    def _call(self, call: EdgeCall, envelope: Envelope) -> SpanData:
        name = f"{call.seam}.{call.method}"
        key = f"{name} {call.fingerprint} {call.occurrence} {envelope.seq}"
        parent = f"step {call.step}" if call.step else "walk"
        spent = (envelope.wall - call.seconds, envelope.wall)
        error = call.error.partition(":")[0]
        if call.seam == "chat":
            model = call.request.get("model", "")
            return self._span(key, parent, f"chat {model}", spent, self._chat(call), error=error, kind=CLIENT)
        about: Attributes = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": name,
            "gen_ai.tool.description": TOOLS.get(name, name),
            "gen_ai.tool.type": "function",
            "gen_ai.tool.call.id": f"{call.fingerprint}-{call.occurrence}",
        }
        if isinstance(call.request, dict) and isinstance(call.request.get("url"), str):
            about["url.full"] = call.request["url"]
        about |= _blob("walker.outcome.blob", call.outcome)
        return self._span(key, parent, f"execute_tool {name}", spent, about, error=error)

    def _chat(self, call: EdgeCall) -> Attributes:
        request, outcome = call.request, self._whole(call.outcome)
        about: Attributes = {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": "openai",  # the protocol
            "gen_ai.request.model": request.get("model", ""),
            "gen_ai.request.max_tokens": request.get("max_tokens", 0),
            "gen_ai.output.type": "json" if request.get("schema") else "text",
            "walker.prompt": request.get("prompt", ""),
        }
        if self._host:
            about["server.address"] = self._host
        if outcome.get("type") == "ChatReply":
            about |= {
                "gen_ai.response.finish_reasons": [outcome.get("finish", "stop")],
                "gen_ai.usage.input_tokens": outcome.get("prompt_tokens", 0),
                "gen_ai.usage.output_tokens": outcome.get("completion_tokens", 0),
                "gen_ai.usage.cache_read.input_tokens": outcome.get("cached_tokens", 0),
            }
        elif outcome:
            about["error.type"] = str(outcome.get("kind", "other"))
        return about | _blob("walker.outcome.blob", call.outcome)

    def _whole(self, outcome: Any) -> dict[str, Any]:
        if isinstance(outcome, dict) and "$b" in outcome:
            try:
                outcome = msgspec.json.decode(self._run.blobs.get(msgspec.convert(outcome, BlobRef)))
            except (TraceReadError, msgspec.MsgspecError):
                return {}
        return outcome if isinstance(outcome, dict) else {}

    def _span(
        self, key: str, parent: str, name: str, spent: tuple[float, float], about: Attributes, **more: Any
    ) -> SpanData:
        error = more.get("error", "") or about.get("error.type", "")
        return SpanData(
            trace_id=self._trace,
            span_id=self._id(key),
            parent_id=self._id(parent) if parent else "",
            name=name,
            kind=more.get("kind", INTERNAL),
            start=round(min(spent) * 1e6) * 1000,
            end=round(max(spent) * 1e6) * 1000,
            attributes=about | ({"error.type": error} if error else {}),
            error=error,
        )

    def _id(self, key: str) -> str:
        return hashlib.sha256(f"{self._trace} {key}".encode()).hexdigest()[:16]


def _blob(name: str, value: Any) -> Attributes:
    return {name: value["$b"]} if isinstance(value, dict) and "$b" in value else {}


def _attributes(plain: Attributes) -> list[dict[str, Any]]:
    return [{"key": name, "value": _value(value)} for name, value in plain.items()]


def _value(value: Any) -> dict[str, Any]:
    """A value in OTLP/JSON encoding, in which integers are strings."""
    match value:
        case bool():
            return {"boolValue": value}
        case int():
            return {"intValue": str(value)}
        case float():
            return {"doubleValue": value}
        case list() | tuple():
            return {"arrayValue": {"values": [_value(one) for one in value]}}
        case _:
            return {"stringValue": str(value)}
