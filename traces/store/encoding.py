"""Encodes events as JSON lines; large values are moved into blobs."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import msgspec

from traces.events import Event
from traces.store.blobs import BlobRef

SPILL_BYTES = 2048
"""Bytes; a larger value becomes a blob, so that lines stay short enough to read."""

KEPT_AS_REFERENCES = frozenset(
    (("call", "outcome"), ("net", "body"), ("net", "request_body"), ("stream", "messages"), ("picture", "file"))
)
"""Fields that few readers need, or that contain raw bytes."""

Put = Callable[[bytes, str], BlobRef]

_SPILLED_CALL = re.compile(rb'"(?:seam|method|fingerprint|request|error)":\{"\$b"')
"""Marks a call line in which a field other than the outcome may be a blob."""
_REF_FIELDS = frozenset(field.encode_name for field in msgspec.structs.fields(BlobRef))
_REF_NEEDS = frozenset(field.encode_name for field in msgspec.structs.fields(BlobRef) if field.required)
_events: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


def encode_body(event: Event, put: Put) -> tuple[str, int, bytes]:
    """Kind, step and the JSON of the other fields; `put` stores large values."""
    kind, step = str(event.__struct_config__.tag), event.step
    # Both come first in every event.
    rest = msgspec.json.encode(event)[len(_head(kind, step)) :]
    if len(rest) <= SPILL_BYTES:
        return kind, step, b"{" + rest.removeprefix(b",")
    fields: dict[str, Any] = msgspec.to_builtins(event)
    del fields["type"], fields["step"]
    for name, value in fields.items():
        if isinstance(value, str | list | dict | tuple) and len(value) > 0 and not _is_ref(value):
            encoded = msgspec.json.encode(value)
            if len(encoded) > SPILL_BYTES:
                fields[name] = msgspec.to_builtins(put(encoded, "application/json"))
    return kind, step, msgspec.json.encode(fields)


def decode_body(kind: str, step: int, body: bytes, get: Callable[[BlobRef], bytes]) -> Event:
    """The event of a line, with blobs read back. The outcome of a call remains a reference, as few readers need it."""
    if b'"$b"' not in body or (_SPILLED_CALL.search(body) is None and kind == "call"):
        return _decode(kind, step, body)
    fields = msgspec.json.decode(body)
    for name, value in fields.items():
        if _is_ref(value) and (kind, name) not in KEPT_AS_REFERENCES:
            fields[name] = msgspec.json.decode(get(msgspec.convert(value, BlobRef)))
    spilled: Event = msgspec.convert({"type": kind, "step": step, **fields}, Event)
    return spilled


def _decode(kind: str, step: int, body: bytes) -> Event:
    """Decode without reading blobs, which suffices for most events."""
    fields = body.strip().removeprefix(b"{")
    return _events.decode(_head(kind, step) + (b"" if fields.startswith(b"}") else b",") + fields)


def _is_ref(value: object) -> bool:
    """Whether a plain value is a `BlobRef`. A mapping of an event may have the key `$b` too."""
    return isinstance(value, dict) and _REF_NEEDS <= value.keys() <= _REF_FIELDS and isinstance(value["$b"], str)


def _head(kind: str, step: int) -> bytes:
    """The beginning of an event's JSON."""
    return msgspec.json.encode({"type": kind, "step": step})[:-1]
