"""What goes over the wire while pages are open, for whoever records it. Each driver reports it in its own way."""

from __future__ import annotations

from typing import Protocol

import msgspec

from traces.events import Truncated
from walker.seams.web.exchange import Exchange, Headers

_SECRET = frozenset(("cookie", "authorization", "proxy-authorization", "set-cookie"))
"""Who has these is logged in; they are stored in the state file, if anywhere."""


class Traffic(Protocol):
    """Takes exchanges in the order in which they ended."""

    def add(self, exchange: Exchange) -> None:
        """Take one exchange, its body whole (content-encoding removed) or left out with the reason in `truncated`. The value is not
        changed. Raises a `WalkerError` where it cannot be stored."""
        ...


def without_secrets(headers: Headers) -> Headers:
    """Headers without credentials: cookies and authorization."""
    return tuple((name, value) for name, value in headers if name.lower() not in _SECRET)


def without_body(exchange: Exchange, why: Truncated, error: str) -> Exchange:
    """The exchange without its body, and with the reason why it is missing."""
    return msgspec.structs.replace(exchange, body=b"", truncated=why, error=error)


def too_long(exchange: Exchange, size: int) -> Exchange:
    """The exchange without a body that is longer than the limit."""
    return without_body(exchange, "length", f"a body of {size} bytes was not kept")
