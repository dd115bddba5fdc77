"""An OpenTelemetry collector as far as its door: OTLP/HTTP in protobuf on loopback; and OTLP/JSON, read into
the messages of the schema."""

from __future__ import annotations

import base64
import gzip
import json
import re
from typing import Any

from google.protobuf import json_format
from google.protobuf.message import DecodeError, Message
from google.rpc.status_pb2 import Status
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceRequest,
    ExportMetricsServiceResponse,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)

from tests.sites.serving import Answer, Asked, LoopbackSite

PROTOBUF = "application/x-protobuf"
IDS = {"traceId": 32, "spanId": 16, "parentSpanId": 16}
"""Hex digits of each."""
ENUMS = ("kind", "code")
LONGS = ("startTimeUnixNano", "endTimeUnixNano", "intValue")


def read_request(data: bytes) -> ExportTraceServiceRequest:
    """The message that OTLP/JSON stands for. Raises `ValueError` for what the encoding does not allow: it is protobuf's JSON, but
    ids are hex, enums numbers, names in camelCase only; a field that the schema lacks is none of it."""
    plain = json.loads(data)
    _check(plain)
    request = ExportTraceServiceRequest()
    try:
        json_format.ParseDict(_with_base64(plain), request)
    except json_format.ParseError as error:
        raise ValueError(str(error)) from None
    return request


def _check(value: Any, name: str = "") -> None:
    if isinstance(value, dict):
        for key, inner in value.items():
            if not re.fullmatch(r"[a-z][a-zA-Z0-9]*", key):
                raise ValueError(f"{key} is no name of OTLP/JSON")
            _check(inner, key)
    elif isinstance(value, list):
        for inner in value:
            _check(inner, name)
    elif name in IDS and not re.fullmatch(rf"[0-9a-f]{{{IDS[name]}}}|", value):
        raise ValueError(f"{name} {value!r} is no id in hex")
    elif name in ENUMS and (isinstance(value, bool) or not isinstance(value, int)):
        raise ValueError(f"{name} {value!r} is an enum that is no number")
    elif name in LONGS and not (isinstance(value, str) and re.fullmatch(r"-?\d+", value)):
        raise ValueError(f"{name} {value!r} is a 64-bit number that is no text")


def _with_base64(value: Any, name: str = "") -> Any:
    """Ids as protobuf's own JSON has them."""
    if isinstance(value, dict):
        return {key: _with_base64(inner, key) for key, inner in value.items()}
    if isinstance(value, list):
        return [_with_base64(inner, name) for inner in value]
    return base64.b64encode(bytes.fromhex(value)).decode() if name in IDS else value


class Collector(LoopbackSite):
    """What was received, and what is answered."""

    def __init__(self) -> None:
        super().__init__()
        self.requests: list[ExportTraceServiceRequest] = []
        self.metrics: list[ExportMetricsServiceRequest] = []
        self.refused: list[str] = []
        self.said: tuple[int, Message] = (200, ExportTraceServiceResponse())

    def answer(self, asked: Asked) -> Answer:
        """As `said`, or why it was refused."""
        status, said = self.said
        try:
            if asked.headers["Content-Type"] != PROTOBUF:
                raise ValueError("the content is no protobuf")
            body = gzip.decompress(asked.body) if asked.headers["Content-Encoding"] == "gzip" else asked.body
            if asked.path == "/v1/metrics":
                self.metrics.append(ExportMetricsServiceRequest.FromString(body))
                return Answer(ExportMetricsServiceResponse().SerializeToString(), 200, PROTOBUF)
            self.requests.append(ExportTraceServiceRequest.FromString(body))
        except (ValueError, DecodeError) as error:
            self.refused.append(str(error))
            status, said = 400, Status(code=3, message=str(error))
        return Answer(said.SerializeToString(), status, PROTOBUF)
