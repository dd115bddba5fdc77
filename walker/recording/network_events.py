"""The network traffic of a walk in its recording: exchanges, streams, and replay warnings."""

from __future__ import annotations

from typing import Any

import msgspec

from traces.events import NetworkExchanged, ReplayWarning, StreamKind, StreamMessage, StreamRecorded
from traces.redaction import Redactor
from traces.store.recorder import Recorder
from walker.seams.web.exchange import RECORDED_FIELDS, Exchange, Heard, NetworkWarning, Stream, by_name

MOST_WARNINGS = 200
"""Most warnings recorded for one walk."""
_ORDER: dict[StreamKind, str] = {
    "websocket": "its messages come in their order, not at their moments",
    "event stream": "its messages come all at once, and then it ends",
}


class NetworkEvents:
    """Writes the requests and responses of pages; credentials are left out, bodies go into blobs."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._exchanged = 0
        self.warnings: list[ReplayWarning] = []
        """In order."""
        self._warned: set[NetworkWarning] = set()

    def keep(self, heard: Heard, step: int) -> None:
        """Write the traffic of one page."""
        for exchange in heard.exchanges:
            self._keep_exchange(exchange, step)
        for stream in heard.streams:
            self._keep_stream(stream, step)
        for warning in heard.warnings:
            self._note(warning, step)

    def _keep_exchange(self, exchange: Exchange, step: int) -> None:
        redactor, headers = self._recorder.redactor, by_name(exchange.headers)
        media = headers.get("content-type", "application/octet-stream")
        sent_media = by_name(exchange.request_headers).get("content-type", "")
        plain: dict[str, Any] = {name: getattr(exchange, name) for name in RECORDED_FIELDS} | {
            "request_headers": redactor.clean_headers(by_name(exchange.request_headers)),
            "headers": redactor.clean_headers(headers),
        }
        redacted = ["its address"] if redactor.clean(exchange.url.encode()) != exchange.url.encode() else []
        for name, label in (("request_body", "what was sent"), ("body", "its content")):
            body: bytes = getattr(exchange, name)
            clean = redactor.clean_body(body, media if name == "body" else sent_media)
            redacted += [label] if clean != body else []
            plain[name] = msgspec.to_builtins(self._recorder.put(clean, media)) if body else None
        if any("httponly" not in line.lower() for line in headers.get("set-cookie", "").splitlines()):
            redacted.append("a cookie that scripts can read")
        self._recorder.emit(NetworkExchanged(step=step, order=self._exchanged, **plain))
        self._exchanged += 1
        if redacted:
            self._note(NetworkWarning(kind="redacted", url=exchange.url, detail=", ".join(redacted)), step)

    def _keep_stream(self, stream: Stream, step: int) -> None:
        messages = tuple(_clean_message(message, self._recorder.redactor) for message in stream.messages)
        kept = (
            msgspec.to_builtins(self._recorder.put(msgspec.json.encode(messages), "application/json"))
            if messages
            else None
        )
        self._recorder.emit(
            StreamRecorded(
                step=step,
                stream=stream.number,
                kind=stream.kind,
                url=stream.url,
                at=stream.at,
                messages=kept,
                dropped=stream.dropped,
                is_closed=stream.is_closed,
            )
        )
        self._note(NetworkWarning(kind=stream.kind, url=stream.url, detail=_ORDER[stream.kind]), step)
        if stream.dropped:
            self._note(
                NetworkWarning(kind="body cut", url=stream.url, detail="messages beyond the bounds were not kept"), step
            )
        if messages != stream.messages:
            self._note(NetworkWarning(kind="redacted", url=stream.url, detail="a message"), step)

    def _note(self, warning: NetworkWarning, step: int) -> None:
        """Record each warning once, and no more than a person would read."""
        if warning not in self._warned and len(self._warned) < MOST_WARNINGS:
            self._warned.add(warning)
            event = ReplayWarning(step=step, kind=warning.kind, url=warning.url, detail=warning.detail)
            self.warnings.append(event)
            self._recorder.emit(event)


def _clean_message(message: StreamMessage, redactor: Redactor) -> StreamMessage:
    """Messages are often JSON without saying so; anything else is redacted as text."""
    if message.data is not None:
        return msgspec.structs.replace(message, data=redactor.clean_json(message.data, with_keys=True))
    text = redactor.clean_json(message.text.encode("utf-8", "replace"), with_keys=True).decode()
    return msgspec.structs.replace(message, text=text)
