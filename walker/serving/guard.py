"""Lets in who may come in: on loopback by Host and Origin, elsewhere by the token, and to one job by the key of its link."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

import msgspec

from walker.jobs.bearer import App, Receive, Scope, Send

MOST_BYTES = 1 << 20
"""Of a request's body."""
COOKIE = "walker_session"
OPEN = re.compile(r"/|/healthz|/readyz|/live/[^/]*|/view/(?!api/)[\w./-]*")
"""Needs no token: pages without data, and whether the service is there."""
OF_A_JOB = re.compile(r"/v1/jobs/([a-z]+-[0-9a-f]{12})(?:/events|/picture)?|/v1/rights")
READING = frozenset(("GET", "HEAD"))
CONTROL = "walker.control"
"""Key of the scope: whether the caller may change anything."""


class Refusal(Exception):
    """The request is not let through."""

    def __init__(self, status: int, error: str) -> None:
        self.status, self.error = status, error
        super().__init__(error)


def job_key(token: str, job: str) -> str:
    """What lets its holder read one job."""
    return _digest(token, f"view {job}")


def session_of(token: str) -> str:
    """The value of the cookie of whoever has shown the token."""
    return _digest(token, "session")


class Guard:
    """An ASGI application around another."""

    def __init__(self, app: App, token: str) -> None:
        """Without a token, only loopback is served."""
        self._app, self._token = app, token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        try:
            scope[CONTROL] = self._may_control(scope, headers)
            if int(headers.get("content-length") or 0) > MOST_BYTES:
                raise Refusal(413, f"a request has at most {MOST_BYTES} bytes")
            body = await _whole_body(receive)
        except Refusal as refusal:
            await _refuse(send, refusal)
            return
        except ValueError:
            await _refuse(send, Refusal(400, "the length of the body is no number"))
            return
        await self._app(scope, _repeated(body, receive), send)

    def _may_control(self, scope: Scope, headers: Mapping[str, str]) -> bool:
        """Whether the caller may change anything; raises `Refusal` for one that may not even read."""
        if not self._token:
            _check_loopback(scope, headers)
            return True
        if _is_equal(headers.get("authorization", ""), f"Bearer {self._token}"):
            return True
        path, is_reading = scope["path"], scope["method"] in READING
        if _is_equal(_cookie(headers), session_of(self._token)):
            if not is_reading and urlsplit(headers.get("origin", "")).netloc != headers.get("host", ""):
                raise Refusal(403, "this request comes from another site")
            return True
        if is_reading and OPEN.fullmatch(path):
            return False
        if is_reading and self._has_key(path, scope):
            return False
        raise Refusal(401, "show the token of the service: Authorization: Bearer TOKEN")

    def _has_key(self, path: str, scope: Scope) -> bool:
        found = OF_A_JOB.fullmatch(path)
        shown = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("key", [""])[0]
        if found is None or not shown:
            return False
        job, _, key = shown.partition(".")
        return (found[1] or job) == job and _is_equal(key, job_key(self._token, job))


def _check_loopback(scope: Scope, headers: Mapping[str, str]) -> None:
    """A page of another site may have this machine's browser ask, by our address or by a name that it has pointed there."""
    host = headers.get("host", "")
    if urlsplit(f"//{host}").hostname not in ("127.0.0.1", "localhost", "::1"):
        raise Refusal(403, "this service answers only to 127.0.0.1 and localhost")
    origin = headers.get("origin")
    if origin is not None and origin != f"http://{host}":
        raise Refusal(403, "this request comes from another site")
    if scope["method"] not in READING and headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
        raise Refusal(403, "this request comes from another site")


def _cookie(headers: Mapping[str, str]) -> str:
    parts = (part.strip().partition("=") for part in headers.get("cookie", "").split(";"))
    return next((value for name, _, value in parts if name == COOKIE), "")


def _is_equal(shown: str, wanted: str) -> bool:
    return hmac.compare_digest(shown.encode("utf-8", "replace"), wanted.encode())


def _digest(token: str, what: str) -> str:
    return hmac.new(token.encode(), what.encode(), hashlib.sha256).hexdigest()[:32]


async def _whole_body(receive: Receive) -> bytes:
    parts, size = [], 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise Refusal(400, "the request broke off")
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > MOST_BYTES:
            raise Refusal(413, f"a request has at most {MOST_BYTES} bytes")
        if not message.get("more_body"):
            return b"".join(parts)


def _repeated(body: bytes, receive: Receive) -> Receive:
    """What was read, once; after that only whether the caller is gone."""
    left: list[dict[str, Any]] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Any:
        return left.pop() if left else await receive()

    return again


async def _refuse(send: Send, refusal: Refusal) -> None:
    body = msgspec.json.encode({"error": refusal.error})
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if refusal.status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
