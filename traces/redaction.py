"""What must never reach a trace, replaced before anything is written. Best effort: a trace is sensitive all the same.

Text (a page, an address) is cleaned as text. JSON is cleaned string by string: what is no string stays as it is, so that JSON
stays JSON of the same shape, whatever the secret is.
"""

from __future__ import annotations

import hashlib
import hmac
import html
import json
import re
from collections.abc import Sequence
from functools import partial
from typing import Any
from urllib.parse import quote, quote_plus

POLICY_VERSION = 2
LEAST_SEARCHED = 8
"""Characters of a secret that is looked for. A shorter one is found within ordinary words and numbers, so that pages would come
out unreadable, and its length alone makes it easy to guess."""
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
        "x-walker-made-from",
        "x-walker-unreadable",
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
_MARK = rb"<secret:value:[0-9a-f]{8}>"
"""What stands for a secret is no part of another one."""
_MARK_IN_TEXT = re.compile(_MARK.decode() + r"|\(secret\)")
_STRING = re.compile(rb'"((?:[^"\\]++|\\.)*+)"(\s*+:)?+', re.DOTALL)
"""A string of JSON: in JSON there are no quotes outside of strings. With a colon behind it, it is a key."""
_REFERENCE = rb'"(?:\$b":\s*+"sha256:[0-9a-f]{64}|fingerprint":\s*+"[0-9a-f]{32})"'
"""By which a value and a call are found again: a run of digits within it is no secret."""
_OWN_STRING = re.compile(_REFERENCE + rb"|" + _STRING.pattern, re.DOTALL)


class Redactor:
    """Replaces known secrets, credentials in URLs and the values of password fields.

    A replaced value becomes `<secret:KIND:HASH>`; the hash is keyed, so that equal secrets look equal within a project
    and nobody can guess them from a trace. Secrets shorter than `LEAST_SEARCHED` are not looked for.
    """

    def __init__(self, secrets: Sequence[str] = (), key: bytes = b"", *, words: frozenset[str] = frozenset()) -> None:
        """`words` are those of the format (kinds of events, names of edges): a string of JSON that is one of them stays."""
        self._key, self._words = key, words
        self._last = self._last_json = b""
        searched = {secret for secret in secrets if is_searched(secret)}
        self._known = [
            _Known(secret, self._mark("value", secret.encode("utf-8", "surrogatepass")))
            for secret in sorted(searched, key=lambda secret: (-len(secret), secret))
        ]

    def clean(self, data: bytes) -> bytes:
        """The bytes of a text, such as a page or an address, without what must not be kept. Cleaning twice changes nothing."""
        if data == self._last:  # a page is cleaned when it comes in, and again when it is kept
            return data
        self._last = data = self._cleaned(data)
        return data

    def clean_text(self, text: str) -> str:
        """The same for text that is no bytes yet."""
        return self.clean(text.encode("utf-8", "surrogatepass")).decode("utf-8", "surrogatepass")

    def clean_json(self, data: bytes, *, with_keys: bool = False) -> bytes:
        """The bytes of a JSON value, each string in it cleaned as text; shape, numbers and keys stay, byte for byte.

        `with_keys` cleans the keys too, for JSON that is not of our own making. What turns out to be no JSON is cleaned as text.
        """
        if data == self._last_json and not with_keys:
            return data
        if self._may_change(data):
            if not _is_json(data):
                return self._cleaned(data)
            strings = _STRING if with_keys else _OWN_STRING
            data = strings.sub(partial(self._clean_string, with_keys=with_keys), data)
        self._last_json = data
        return data

    def clean_body(self, data: bytes, media: str) -> bytes:
        """The bytes of a body by its media type: JSON as JSON with its keys, everything else as text."""
        if is_json_type(media):
            return self.clean_json(data, with_keys=True)
        return self.clean(data)

    def clean_headers(self, headers: dict[str, str]) -> dict[str, str]:
        """Headers on the allow list keep their value; the values of all others are removed."""
        return {name: value if name.lower() in KEPT_HEADERS else "(secret)" for name, value in headers.items()}

    def _may_change(self, data: bytes) -> bool:
        if b"\\u00" in data and self._known:  # a letter may be written as an escape
            return True
        return any(known.core in data for known in self._known) or self._without_credentials(data) != data

    def _clean_string(self, match: re.Match[bytes], *, with_keys: bool) -> bytes:
        raw, is_key = match[1], match[2] is not None
        if raw is None or (is_key and not with_keys):
            return match[0]
        text: str = json.loads(b'"%b"' % raw, strict=False)
        if text in self._words:
            return match[0]
        plain = text.encode("utf-8", "surrogatepass")
        cleaned = (
            self._clean_nested(plain) if text.lstrip()[:1] in ("{", "[") and _is_json(plain) else self._cleaned(plain)
        )
        if cleaned == plain:
            return match[0]
        text = cleaned.decode("utf-8", "surrogatepass")
        # Half a surrogate pair stands in JSON as an escape only.
        return json.dumps(text, ensure_ascii=not _is_whole(text)).encode() + (match[2] or b"")

    def _clean_nested(self, data: bytes) -> bytes:
        """JSON within a string of JSON, such as a model's reply; its keys may be anybody's."""
        data = _STRING.sub(partial(self._clean_string, with_keys=True), data)
        for known in self._known:
            if '"' in known.secret:  # it may reach over the strings' ends
                data = known.hide(data)
        return data

    def _cleaned(self, data: bytes) -> bytes:
        data = self._without_password_fields(data)  # before the secrets: their marks hold what would end a tag
        for known in self._known:
            if known.core in data:
                data = known.hide(data)
        return self._without_parameters(data)

    def _without_credentials(self, data: bytes) -> bytes:
        return self._without_parameters(self._without_password_fields(data))

    @staticmethod
    def _without_password_fields(data: bytes) -> bytes:
        return _FIELD.sub(_without_value, data) if b"password" in data.lower() else data

    @staticmethod
    def _without_parameters(data: bytes) -> bytes:
        if _is_like_a_name(data.lower()):
            data = _PARAMETER.sub(rb"\1(secret)", data)
            if b"%3" in data or b"%26" in data or b"\\u0026" in data:
                data = _NESTED_PARAMETER.sub(rb"\1(secret)", data)
        if b"@" in data:
            data = _USERINFO.sub(rb"\1(secret)@", data)
        return data

    def _mark(self, kind: str, value: bytes) -> bytes:
        return f"<secret:{kind}:{hmac.new(self._key, value, hashlib.sha256).hexdigest()[:8]}>".encode()


def is_searched(secret: str) -> bool:
    """Whether a secret is looked for in what is recorded: it has `LEAST_SEARCHED` characters or more."""
    return len(secret) >= LEAST_SEARCHED


def same_but_for_marks(recorded: Any, derived: Any) -> bool:
    """Whether a plain value is what a record holds, where a mark in the record may stand for any text.

    A word that the code itself says may be a secret of the walk, and its replay does not know that.
    """
    match recorded, derived:
        case str(), str():
            return recorded == derived or _fits_marks(recorded, derived)
        case dict(), dict():
            return recorded.keys() == derived.keys() and all(
                same_but_for_marks(value, derived[name]) for name, value in recorded.items()
            )
        case ((list() | tuple()), (list() | tuple())):
            return len(recorded) == len(derived) and all(map(same_but_for_marks, recorded, derived))
        case _:
            return bool(recorded == derived)


def _fits_marks(recorded: str, derived: str) -> bool:
    *heads, tail = _MARK_IN_TEXT.split(recorded)
    place = 0
    for number, head in enumerate(heads):
        found = derived.find(head, place)
        if found < 0 or (number == 0 and found > 0):
            return False
        place = found + len(head)
    return bool(heads) and derived.endswith(tail) and place + len(tail) <= len(derived)


def is_json_type(media: str) -> bool:
    """Whether a media type is one of JSON.

    >>> is_json_type("application/ld+json; charset=utf-8"), is_json_type("text/html")
    (True, False)
    """
    return media.partition(";")[0].strip().lower().endswith(("/json", "+json"))


class _Known:
    """A secret known by its value, in all its encodings."""

    def __init__(self, secret: str, mark: bytes) -> None:
        self.secret = secret
        self.core = _core(secret)
        self._mark = mark
        # Half a surrogate pair has no form in HTML or in an address, and stands in no page.
        forms = _forms(secret) if _is_whole(secret) else (secret.encode("utf-8", "surrogatepass"),)
        # An escape is passed over as a whole: the digits of "\\u0010" and the n of "\\n" are no part of what follows.
        form = b"(" + b"|".join(map(re.escape, forms)) + b")"
        self._escaped = re.compile(_MARK + b"|" + form + b"|" + _JSON_ESCAPE)
        self._bare = re.compile(_MARK + b"|" + form)

    def hide(self, data: bytes) -> bytes:
        """Put the mark in place of every form of a text."""
        hidden = self._escaped.sub(self._hidden, data)
        if self.core not in hidden:
            return hidden
        # Where it is no JSON, a backslash before the secret is only a backslash.
        bare = self._bare.sub(self._hidden, hidden)
        return hidden if bare != hidden and _is_json(data) else bare

    def _hidden(self, match: re.Match[bytes]) -> bytes:
        return self._mark if match[1] else match[0]


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
    """In UTF-8, and not nested deeper than can be read."""
    try:
        json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return False
    return True


def _is_whole(text: str) -> bool:
    """No half of a surrogate pair, such as a variable of the environment that is not UTF-8 holds."""
    return not any("\ud800" <= letter <= "\udfff" for letter in text)


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
