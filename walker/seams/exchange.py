"""What goes over the wire for a page: requests and what came back, and why some of it cannot be had again."""

from __future__ import annotations

from typing import Protocol

import msgspec

from traces.events import StreamKind, StreamMessage, Truncated, WarningKind

Headers = tuple[tuple[str, str], ...]
"""Names and values as they came, in order; a name may come more than once."""


class Exchange(msgspec.Struct, frozen=True, kw_only=True):
    """One request with its response; `error` where none came, or where its body is not here. Redirects are exchanges of their
    own."""

    url: str
    method: str = "GET"
    resource: str = "other"
    """document, stylesheet, image, script, xhr, fetch ..., as the browser says."""
    request_headers: Headers = ()
    request_body: bytes = b""
    status: int = 0
    headers: Headers = ()
    body: bytes = b""
    redirect_to: str = ""
    """The address that it led to, "" where it led to none."""
    error: str = ""
    at: float = 0.0
    """When it was asked, seconds since the epoch, UTC."""
    seconds: float = 0.0
    protocol: str = "HTTP/1.1"
    ip: str = ""
    """Of the server, where it is known."""
    is_unpacked: bool = True
    """Whether `body` is what the packed content unpacks to, rather than what came over the wire."""
    truncated: Truncated = ""
    """Why the body of an answer is not here, "" where it is."""


RECORDED_FIELDS = ("method", "url", "resource", "status", "redirect_to", "error", "at", "seconds", "truncated")
"""Fields that a trace has as they are; besides them headers by name, and bodies as blobs."""


def by_name(headers: Headers) -> dict[str, str]:
    """Headers by lower-case name; those of one name as HTTP joins them."""
    joined: dict[str, str] = {}
    for name, value in headers:
        key = name.lower()
        # Cookies hold commas: only lines keep them apart.
        between = "\n" if key == "set-cookie" else ", "
        joined[key] = f"{joined[key]}{between}{value}" if key in joined else value
    return joined


class NetworkWarning(msgspec.Struct, frozen=True, kw_only=True):
    """Why a page may not come out exactly when it is served what was recorded."""

    kind: WarningKind
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
    warnings: tuple[NetworkWarning, ...] = ()


class NetworkSource(Protocol):
    """What the pages of a walk asked for and were given, where that is recorded."""

    async def take(self) -> Heard:
        """What came since the last call, exchanges in the order in which they were complete; bodies on their way are waited for,
        within bounds of time. Raises nothing."""
