"""Lets only those in who show the token of the server (RFC 6750)."""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


def with_bearer(app: App, token: str) -> App:
    """The same ASGI application, behind a check of the header Authorization; 401 without the token."""
    wanted = f"bearer {token}".encode()

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not _is_shown(scope, wanted):
            headers = [(b"www-authenticate", b"Bearer"), (b"content-length", b"0")]
            await send({"type": "http.response.start", "status": 401, "headers": headers})
            await send({"type": "http.response.body", "body": b""})
            return
        await app(scope, receive, send)

    return guarded


def _is_shown(scope: Scope, wanted: bytes) -> bool:
    shown = next((value for name, value in scope["headers"] if name == b"authorization"), b"")
    kind, _, token = shown.partition(b" ")
    return hmac.compare_digest(kind.lower() + b" " + token.strip(), wanted)
