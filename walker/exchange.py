"""What goes over the wire for a page: requests and what came back, and why some of it cannot be had again."""

from __future__ import annotations

import msgspec

from traces.events import DoubtKind, StreamKind
from traces.streams import StreamMessage


class Exchange(msgspec.Struct, frozen=True, kw_only=True):
    """One request with its response; `error` where none came. Headers by lower-case name."""

    method: str
    url: str
    resource: str = "other"
    """document, stylesheet, image, script, xhr, fetch ..., as the browser says."""
    request_headers: dict[str, str] = {}
    request_body: bytes = b""
    status: int = 0
    headers: dict[str, str] = {}
    body: bytes = b""
    redirect_to: str = ""
    """The address that it led to, "" where it led to none."""
    error: str = ""
    at: float = 0.0
    """When it was asked, seconds since the epoch, UTC."""
    seconds: float = 0.0


class Doubt(msgspec.Struct, frozen=True, kw_only=True):
    """Why a page may not come out exactly when it is served what was recorded."""

    kind: DoubtKind
    url: str
    detail: str = ""


class Stream(msgspec.Struct, frozen=True, kw_only=True):
    """What came and went over a WebSocket or an event stream since somebody listened last."""

    number: int
    kind: StreamKind
    url: str
    at: float
    """When it was opened, seconds since the epoch, UTC."""
    messages: tuple[StreamMessage, ...] = ()
    dropped: int = 0
    is_closed: bool = False


class Heard(msgspec.Struct, frozen=True, kw_only=True):
    """What pages asked for and were given since somebody listened last."""

    exchanges: tuple[Exchange, ...] = ()
    streams: tuple[Stream, ...] = ()
    doubts: tuple[Doubt, ...] = ()
