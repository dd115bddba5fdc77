"""How the requests of a crawl or a walk leave this machine: with header fields, and through a proxy, that a user names."""

from __future__ import annotations

import base64
import socket
from collections.abc import Iterable, Sequence
from typing import Literal
from urllib.parse import unquote, urlsplit

import msgspec

from memory.url_key import same_site
from walker.seams.web.borders import Borders
from walker.seams.web.own_headers import NO_HEADERS, OwnHeaders, is_credential, why_no_header

ProxyKind = Literal["http", "socks5"]
CAN_HAND_OVER_PIPES = hasattr(socket, "send_fds")
"""Whether this system hands an open pipe to another process, by which the Selenium driver adds header fields over https."""
_KINDS: dict[str, ProxyKind] = {"http": "http", "socks5": "socks5", "socks5h": "socks5"}


class UpstreamProxy(msgspec.Struct, frozen=True, kw_only=True):
    """Its address and credentials; names of sites are resolved by it, whatever its kind."""

    kind: ProxyKind
    host: str
    port: int
    user: str = ""
    password: str = ""

    def __repr__(self) -> str:
        return f"UpstreamProxy({self.address})"

    @property
    def address(self) -> str:
        """For messages, without credentials."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.kind}://{host}:{self.port}"

    @property
    def authorization(self) -> str:
        """The value of the header Proxy-Authorization, "" without credentials."""
        if not self.user and not self.password:
            return ""
        return "Basic " + base64.b64encode(f"{self.user}:{self.password}".encode()).decode()


def read_proxy(url: str) -> UpstreamProxy:
    """`http://user:password@host:port`, or `socks5://...`. Raises `ValueError` with the reason."""
    parts = urlsplit(url)
    kind = _KINDS.get(parts.scheme.lower())
    if kind is None:
        raise ValueError("is no proxy: expected http://host:port or socks5://host:port")
    try:
        port = parts.port
    except ValueError:
        port = None
    if not parts.hostname or not port or parts.path.strip("/") or parts.query or parts.fragment:
        raise ValueError("is no proxy: expected a host and a port, and nothing behind them")
    return UpstreamProxy(
        kind=kind,
        host=parts.hostname,
        port=port,
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
    )


class WayOut(msgspec.Struct, frozen=True, kw_only=True):
    """What a user adds to them."""

    headers: OwnHeaders = NO_HEADERS
    proxy: UpstreamProxy | None = None
    """Makes the connections; None to make them here."""
    borders: Borders | None = None
    """Where documents may come from; None for anywhere."""


PLAIN = WayOut()


def way_out_of_walk(roots: Sequence[str], headers: Iterable[tuple[str, str]], proxy: str) -> WayOut:
    """Of a walk: header fields for the sites of its roots. Raises `ValueError` with the reason for what cannot be."""
    fields = dict(headers)
    for name, value in fields.items():
        if why := why_no_header(name, value):
            raise ValueError(f"the header {name} {why}")

    def is_own(url: str) -> bool:
        at = [root for root in roots if same_site(url, root)]
        return bool(at) and (url.startswith("https:") or not all(root.startswith("https:") for root in at))

    try:
        upstream = read_proxy(proxy) if proxy else None
    except ValueError as error:
        raise ValueError(f"the proxy {error}") from None
    return WayOut(headers=OwnHeaders(fields, is_own) if fields else NO_HEADERS, proxy=upstream)


def secrets_of_way_out(headers: Iterable[tuple[str, str]], proxy: str) -> tuple[str, ...]:
    """What of these must never be recorded: values of credentials, and the password of the proxy."""
    values = tuple(value for name, value in headers if is_credential(name))
    try:
        password = read_proxy(proxy).password if proxy else ""
    except ValueError:
        password = ""
    return (*values, password) if password else values
