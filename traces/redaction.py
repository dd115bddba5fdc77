"""What must never reach a trace, replaced before anything is written. Best effort: a trace is sensitive all the same."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Sequence
from urllib.parse import quote, quote_plus

POLICY_VERSION = 1
KEPT_HEADERS = frozenset(
    [
        "accept",
        "accept-language",
        "cache-control",
        "content-encoding",
        "content-language",
        "content-length",
        "content-type",
        "date",
        "etag",
        "expires",
        "last-modified",
        "link",
        "location",
        "retry-after",
        "server",
        "vary",
        "x-robots-tag",
    ]
)
_PARAMETERS = (
    b"access_token|api_key|apikey|auth_token|client_secret|id_token|passwd|password|pwd|refresh_token|session_token"
)
"""By whole name. `code`, `key` and `token` alone name courses, sort orders and page cursors as often as credentials."""
_PARAMETER = re.compile(rb"([?&;](?:" + _PARAMETERS + rb")=)[^&#\"'\\\s<>]{6,}", re.IGNORECASE)
_USERINFO = re.compile(rb"(https?://)[^/\s:@\"'<>]+:[^/\s@\"'<>]+@", re.IGNORECASE)
_PASSWORD_FIELD = re.compile(rb"<input\b[^>]*\btype=[\"']?password\b[^>]*>", re.IGNORECASE)
_VALUE = re.compile(rb"(\bvalue=)(\"[^\"]*\"|'[^']*'|[^\s>]+)", re.IGNORECASE)


class Redactor:
    """Replaces known secrets, credentials in addresses and the values of password fields.

    A replaced value becomes `<secret:KIND:HASH>`; the hash is keyed, so that equal secrets look equal within a project
    and nobody can guess them from a trace.
    """

    def __init__(self, secrets: Sequence[str] = (), key: bytes = b"") -> None:
        self._key = key
        self._known = [
            (form, self._mark("value", secret.encode()))
            for secret in sorted(filter(None, secrets), key=len, reverse=True)
            for form in _forms(secret)
        ]

    def clean(self, data: bytes) -> bytes:
        """Bytes of an event, a request or a page, without what must not be kept."""
        for form, mark in self._known:
            if form in data:
                data = data.replace(form, mark)
        if b"=" in data:
            data = _PARAMETER.sub(lambda match: match.group(1) + b"<secret>", data)
        if b"@" in data:
            data = _USERINFO.sub(rb"\1<secret>@", data)
        if b"password" in data:
            data = _PASSWORD_FIELD.sub(lambda match: _VALUE.sub(rb'\1"(secret)"', match.group(0)), data)
        return data

    def clean_headers(self, headers: dict[str, str]) -> dict[str, str]:
        """Headers on the list of harmless ones keep their value; of the others only the name is kept."""
        return {name: value if name.lower() in KEPT_HEADERS else "<secret>" for name, value in headers.items()}

    def _mark(self, kind: str, value: bytes) -> bytes:
        return f"<secret:{kind}:{hmac.new(self._key, value, hashlib.sha256).hexdigest()[:8]}>".encode()


def _forms(secret: str) -> tuple[bytes, ...]:
    """A secret as it stands in text, in JSON, in an address and in HTML."""
    escaped = json.dumps(secret)[1:-1]
    html = secret.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    written = (
        secret,
        escaped,
        json.dumps(secret, ensure_ascii=False)[1:-1],
        quote(secret, safe=""),
        quote_plus(secret),
        html,
    )
    return tuple(dict.fromkeys(form.encode() for form in written))
