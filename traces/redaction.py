"""Redaction: replaces secrets before anything is recorded. Best effort: treat a recording as sensitive all the same."""

from __future__ import annotations

import hashlib
import hmac
import html
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
        "content-security-policy",
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
_PARAMETERS = rb"(?:access_token|api_key|apikey|auth_token|client_secret|id_token|passwd|password|pwd|refresh_token|session_token)"
"""Query parameters, by exact name. `code`, `key` and `token` alone name courses, sort orders and page cursors as often as
credentials."""
_CREDENTIAL = rb"[^&#\"'\\\s<>]{6,}"
_PARAMETER = re.compile(rb"([?&;#]" + _PARAMETERS + rb"=)" + _CREDENTIAL, re.IGNORECASE)
_NESTED_PARAMETER = re.compile(rb"((?:%3F|%26|\\u0026)" + _PARAMETERS + rb"(?:=|%3D))" + _CREDENTIAL, re.IGNORECASE)
"""In a URL within a URL, and in a script's JSON. Separate from the plain form, which is found far faster alone."""
_USERINFO = re.compile(rb"(://)[^/\s:@\"'<>]+:[^/\s@\"'<>]+@")
_FIELD = re.compile(rb"<input\b(?:[^>\"']|\"[^\"]{0,4096}\"|'[^']{0,4096}')*>", re.IGNORECASE)
"""A quoted value may contain the end of the tag; an unclosed quote ends the search."""
_PASSWORD_TYPE = re.compile(rb"\btype=\\?[\"']?password\b", re.IGNORECASE)
_VALUE = re.compile(rb"(\bvalue=)(?:(\\?[\"'])(?:(?!\2).)*\2|(?:[^\s\"'>\\]|\\[^\"'>])+)", re.IGNORECASE | re.DOTALL)
_ESCAPE = re.compile(r"%[0-9A-F]{2}")
_JSON_ESCAPE = rb"\\(?:u[0-9a-fA-F]{4}|[\"\\/bfnrt])"
_LETTERS_AND_DIGITS = re.compile(r"[A-Za-z0-9]+")


class Redactor:
    """Replaces known secrets, credentials in URLs and the values of password fields.

    A replaced value becomes `<secret:KIND:HASH>`; the hash is keyed, so that equal secrets look equal within a project
    and nobody can guess them from a trace.
    """

    def __init__(self, secrets: Sequence[str] = (), key: bytes = b"") -> None:
        self._key = key
        self._last = b""
        self._known = [
            _Known(secret, self._mark("value", secret.encode()))
            for secret in sorted(filter(None, secrets), key=len, reverse=True)
        ]

    def clean(self, data: bytes) -> bytes:
        """Redact the bytes of an event, a request or a page. Idempotent."""
        if data == self._last:  # a page is redacted when it arrives, and again when it is recorded
            return data
        self._last = data = self._cleaned(data)
        return data

    def _cleaned(self, data: bytes) -> bytes:
        lower = data.lower()
        named = _is_like_a_name(lower)
        if named and b"password" in lower:  # before the secrets: their placeholders contain the end of a tag
            data = _FIELD.sub(_without_value, data)
        for known in self._known:
            if known.core in data:
                data = known.hide(data)
        if named:
            data = _PARAMETER.sub(rb"\1(secret)", data)
        if named and (b"%3" in data or b"%26" in data or b"\\u0026" in data):
            data = _NESTED_PARAMETER.sub(rb"\1(secret)", data)
        if b"@" in data:
            data = _USERINFO.sub(rb"\1(secret)@", data)
        return data

    def clean_headers(self, headers: dict[str, str]) -> dict[str, str]:
        """Headers on the allow list keep their value; the values of all others are removed."""
        return {name: value if name.lower() in KEPT_HEADERS else "(secret)" for name, value in headers.items()}

    def _mark(self, kind: str, value: bytes) -> bytes:
        return f"<secret:{kind}:{hmac.new(self._key, value, hashlib.sha256).hexdigest()[:8]}>".encode()


class _Known:
    """A secret known by its value, in all its encodings."""

    def __init__(self, secret: str, mark: bytes) -> None:
        self.core = _core(secret)
        self._mark = mark
        self._forms = _forms(secret)
        # An escape is skipped as a whole: the digits of "\\u0010" and the n of "\\n" are no part of what follows.
        self._escaped = re.compile(b"(" + b"|".join(map(re.escape, self._forms)) + b")|" + _JSON_ESCAPE)

    def hide(self, data: bytes) -> bytes:
        """Replace every encoding with the placeholder; valid JSON remains valid."""
        hidden = self._escaped.sub(lambda match: self._mark if match[1] else match[0], data)
        if self.core not in hidden:
            return hidden
        # Outside JSON, a backslash before the secret is only a backslash.
        bare = hidden
        for form in self._forms:
            bare = bare.replace(form, self._mark)
        return hidden if bare != hidden and _is_json(data) else bare


def _is_like_a_name(lower: bytes) -> bool:
    """Pre-filter: each parameter name contains one of these, and searching for them takes a tenth of the time that the pattern
    takes to find nothing."""
    return (
        b"pass" in lower
        or b"pwd" in lower
        or b"_token" in lower
        or b"_secret" in lower
        or b"api_key" in lower
        or b"apikey" in lower
    )


def _is_json(data: bytes) -> bool:
    try:
        json.loads(data)
    except ValueError:
        return False
    return True


def _core(secret: str) -> bytes:
    """Its longest run of letters and digits, which is the same in every encoding: text without it contains no encoding of the
    secret."""
    return max(_LETTERS_AND_DIGITS.findall(secret), key=len, default="").encode()


def _forms(secret: str) -> tuple[bytes, ...]:
    """A secret in plain text, in HTML and URL escapes, and each of these within JSON; the longest first."""
    addressed = {
        quote(secret, safe=""),
        quote(secret, safe="/"),
        quote(secret, safe="!'()*"),  # encodeURIComponent leaves these
        quote_plus(secret),
    }
    written = {secret, *addressed, *(_ESCAPE.sub(lambda match: match[0].lower(), form) for form in addressed)}
    plain = secret.replace("&", "&amp;").replace('"', "&quot;")
    for text in (plain, html.escape(secret, quote=False), html.escape(secret)):
        written |= {text, text.replace("&#x27;", "&#39;"), text.replace("&#x27;", "'"), text.replace("<", "&lt;")}
    for text in tuple(written):
        quoted = json.dumps(text)[1:-1]
        written |= {quoted, json.dumps(text, ensure_ascii=False)[1:-1], quoted.replace("/", "\\/")}
    return tuple(sorted((form.encode() for form in written), key=lambda form: (-len(form), form)))


def _without_value(field: re.Match[bytes]) -> bytes:
    if not _PASSWORD_TYPE.search(field.group(0)):
        return field.group(0)
    # The quotes are unchanged, as the field may be within JSON.
    return _VALUE.sub(rb"\1\2(secret)\2", field.group(0))
