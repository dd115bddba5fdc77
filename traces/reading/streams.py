"""WebSockets and event streams of a recorded walk: their messages, in order."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from traces.errors import TraceReadError
from traces.events import StreamKind, StreamMessage, StreamRecorded
from traces.reading.reader import Run
from traces.store.blobs import BlobRef


class RecordedStream(msgspec.Struct, frozen=True, kw_only=True):
    """One recorded stream. `parts` are its messages page by page: those of the first part had arrived when the page that
    opened the stream was read."""

    step: int
    kind: StreamKind
    url: str
    at: float
    parts: tuple[tuple[StreamMessage, ...], ...]
    dropped: int = 0
    is_closed: bool = False

    @property
    def messages(self) -> tuple[StreamMessage, ...]:
        """All of them in order."""
        return tuple(message for part in self.parts for message in part)


def read_streams(run: Run) -> tuple[tuple[RecordedStream, ...], tuple[str, ...]]:
    """The streams of a run in order of opening, and what is missing of them: one line each."""
    found: dict[tuple[int, str, float], RecordedStream] = {}
    lost: list[str] = []
    for event in run.events:
        if not isinstance(event, StreamRecorded):
            continue
        try:
            part = _messages(run, event)
        except (TraceReadError, msgspec.MsgspecError) as error:
            part = ()
            lost.append(f"step {event.step}, {event.url}: its messages are missing or damaged ({error})")
        # Numbers start again at 0 after a walk is resumed.
        name = (event.stream, event.url, event.at)
        known = found.get(name) or RecordedStream(
            step=event.step, kind=event.kind, url=event.url, at=event.at, parts=()
        )
        found[name] = msgspec.structs.replace(
            known,
            parts=(*known.parts, part),
            dropped=known.dropped + event.dropped,
            is_closed=known.is_closed or event.is_closed,
        )
    return tuple(found.values()), tuple(lost)


def event_stream_of(messages: Iterable[StreamMessage]) -> bytes:
    """Messages in the wire format of server-sent events (text/event-stream)."""
    lines: list[str] = []
    for message in messages:
        lines += [f"id: {message.id}"] if message.id else []
        lines += [f"event: {message.event}"] if message.event != "message" else []
        lines += [*(f"data: {line}" for line in message.text.split("\n")), ""]
    return "".join(f"{line}\n" for line in lines).encode()


def _messages(run: Run, event: StreamRecorded) -> tuple[StreamMessage, ...]:
    if event.messages is None:
        return ()
    data = run.blobs.get(msgspec.convert(event.messages, BlobRef))
    return msgspec.json.decode(data, type=tuple[StreamMessage, ...])
