"""Header fields that a user adds to the requests of a crawl or a walk, for its own hosts only."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from memory.words import lazy_re

Pairs = Iterable[tuple[str, str]]

_NAME = lazy_re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_OF_THE_CONNECTION = lazy_re.compile(
    r"host|connection|keep-alive|te|trailer|upgrade|transfer-encoding|content-.*|accept-encoding|expect|range|if-.*|proxy-.*|sec-.*"
    r"|user-agent|cookie",
    re.IGNORECASE,
)
_CREDENTIAL = lazy_re.compile(r"auth|token|key|secret|password|session", re.IGNORECASE)


def why_no_header(name: str, value: str) -> str:
    """Why a header field cannot be a user's own, "" if it can. Does not repeat the value, which may be a secret."""
    if not _NAME.fullmatch(name):
        return f"'{name}' is no name of a header field"
    if _OF_THE_CONNECTION.fullmatch(name):
        return "is set by Walker itself"
    return (
        "" if value.isascii() and value.isprintable() else "has a value that cannot be sent; expected printable ASCII"
    )


def is_credential(name: str) -> bool:
    """Whether the value of a header field is a secret, by its name."""
    return _CREDENTIAL.search(name) is not None


class OwnHeaders:
    """What is sent where. Values may be secrets: they are neither shown nor compared."""

    def __init__(self, headers: Mapping[str, str], is_own: Callable[[str], bool]) -> None:
        """`is_own` says whether an http or https URL is one that these are meant for."""
        self._headers, self._is_own = dict(headers), is_own
        self._names = frozenset(name.lower() for name in headers)

    def __bool__(self) -> bool:
        return bool(self._headers)

    def __repr__(self) -> str:
        return f"OwnHeaders({', '.join(self._headers)})"

    def for_url(self, url: str) -> dict[str, str]:
        """The fields to send to a URL; none where it is not one of theirs."""
        scheme, mark, rest = url.partition("://")
        address = {"ws": "http", "wss": "https"}.get(scheme.lower(), scheme) + mark + rest
        return dict(self._headers) if self._headers and self._is_own(address) else {}

    def applied(self, url: str, fields: Pairs) -> list[tuple[str, str]]:
        """The fields of a request as they are to be sent: a redirect to another host, which would pass these on, loses them."""
        others = [(name, value) for name, value in fields if name.lower() not in self._names]
        return [*others, *self.for_url(url).items()]

    def without(self, fields: Pairs) -> tuple[tuple[str, str], ...]:
        """Fields without these, for records."""
        return tuple((name, value) for name, value in fields if name.lower() not in self._names)


NO_HEADERS = OwnHeaders({}, lambda _: False)
