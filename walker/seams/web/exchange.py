"""Network traffic of a page: requests and responses, streams, and warnings about what may not replay."""

from __future__ import annotations

from typing import Protocol

import msgspec

from traces.events import StreamKind, StreamMessage, Truncated, WarningKind

Headers = tuple[tuple[str, str], ...]
"""Names and values in the order received; a name may occur more than once."""


class Exchange(msgspec.Struct, frozen=True, kw_only=True):
    """One request with its response; `error` if there was none, or if its body is missing. Redirects are exchanges of their own."""

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
    """Target of a redirect, "" for any other response."""
    error: str = ""
    at: float = 0.0
    """When the request was sent, seconds since the epoch."""
    seconds: float = 0.0
    protocol: str = "HTTP/1.1"
    ip: str = ""
    """Address of the server, "" if unknown."""
    is_unpacked: bool = True
    """Whether `body` is decompressed, rather than the bytes sent over the wire."""
    truncated: Truncated = ""
    """Why the body of a response is missing, "" if it is not."""


RECORDED_FIELDS = ("method", "url", "resource", "status", "redirect_to", "error", "at", "seconds", "truncated")
"""Fields that are recorded unchanged; besides them headers by name, and bodies as blobs."""


def by_name(headers: Headers) -> dict[str, str]:
    """Headers by lower-case name; values of one name joined with ", " (RFC 9110, section 5.3), Set-Cookie with line breaks."""
    joined: dict[str, str] = {}
    for name, value in headers:
        key = name.lower()
        # Cookies contain commas, so that ", " would not separate them.
        between = "\n" if key == "set-cookie" else ", "
        joined[key] = f"{joined[key]}{between}{value}" if key in joined else value
    return joined


class NetworkWarning(msgspec.Struct, frozen=True, kw_only=True):
    """Why a page may differ when it is replayed from the recorded responses."""

    kind: WarningKind
    url: str
    detail: str = ""


class Stream(msgspec.Struct, frozen=True, kw_only=True):
    """Messages of a WebSocket or an event stream since the last `take`."""

    number: int
    kind: StreamKind
    url: str
    at: float
    """When it was opened, seconds since the epoch."""
    messages: tuple[StreamMessage, ...] = ()
    dropped: int = 0
    is_closed: bool = False


class Heard(msgspec.Struct, frozen=True, kw_only=True):
    """Network traffic of the pages since the last `take`."""

    exchanges: tuple[Exchange, ...] = ()
    streams: tuple[Stream, ...] = ()
    warnings: tuple[NetworkWarning, ...] = ()


class NetworkSource(Protocol):
    """The network traffic of a walk's pages, if it is recorded."""

    async def take(self) -> Heard:
        """The traffic since the last call, exchanges in the order of their completion; waits for outstanding bodies up to a
        timeout. Raises nothing."""
