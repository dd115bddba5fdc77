"""Opens the connections of a walk: a name is resolved once, all its addresses are checked, and a checked one is connected to.

The only place that connects to a site: both the browsers' proxy and the HTTP client use it.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Coroutine
from typing import Any
from urllib.parse import urlsplit

from walker.browser.egress.names import HostNames
from walker.browser.egress.upstream import ProxyFailed, connect_through, open_proxy
from walker.rules.egress import EgressRule, is_inner_name
from walker.seams.protocols import FailureKind
from walker.seams.web.way_out import UpstreamProxy

CONNECT_SECONDS = 15.0
BLOCKED_KEPT = 50

EGRESS_MESSAGES: dict[str, str] = {
    "blocked_address": "a private, loopback or link-local address, which this walk may not open",
    "unknown_host": "the host name does not resolve",
    "refused": "the connection was refused",
    "proxy": "the proxy that was named does not answer, or makes no connection",
    "timeout": "the server did not answer in time",
    "empty": "the server closed without a response",
    "tls": "the secure connection failed",
}


def too_large(most: int) -> str:
    """The message for a response beyond its size limit, in bytes."""
    return f"it is larger than {most} bytes, the limit for one response"


class Refused(Exception):
    """No connection was made; `kind` says why."""

    def __init__(self, kind: FailureKind, detail: str = "") -> None:
        self.kind, self.detail = kind, detail
        super().__init__(detail or kind)


class Dialer:
    """Opens the connections of one walk or crawl, subject to the egress rule of its roots."""

    def __init__(self, *root_urls: str, upstream: UpstreamProxy | None = None) -> None:
        """`upstream` is the proxy that makes the connections, None to make them here."""
        self._root_urls, self.upstream = root_urls, upstream
        self._own_hosts = frozenset((urlsplit(url).hostname or "").lower() for url in root_urls)
        self._names = HostNames()
        self._rule: EgressRule | None = None
        self._why: dict[str, FailureKind] = {}
        self._blocked: list[str] = []
        self._lock = asyncio.Lock()

    async def prepare(self) -> None:
        """Resolve the roots, once; private addresses among them are allowed from then on."""
        async with self._lock:
            if self._rule is None:
                homes = [await _home_of(url, self._names) for url in self._root_urls]
                self._rule = EgressRule(home=frozenset().union(*homes))

    async def dial(self, host: str, port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect to a host name or IP address. Raises `Refused`."""
        addresses = await self.check(host, port)
        place = f"{host.lower()}:{port}"
        if self.upstream is not None:
            made = await self._through(place, connect_through(self.upstream, host, port))
            self._why.pop(place, None)
            return made
        kind: FailureKind = "refused"
        for address in addresses:
            try:
                async with asyncio.timeout(CONNECT_SECONDS):
                    made = await asyncio.open_connection(address, port)
            except TimeoutError:
                kind = "timeout"
            except OSError:
                kind = "refused"
            else:
                self._why.pop(place, None)
                return made
        raise self._refusal(place, kind)

    async def dial_upstream(self, host: str, port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect to the proxy itself, for a plain HTTP request to a host. Raises `Refused`."""
        await self.check(host, port)
        return await self.dial_checked_upstream()

    async def dial_checked_upstream(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect to the proxy itself, for hosts that `check` has passed. Raises `Refused`."""
        assert self.upstream is not None, "asked only where there is one"
        return await self._through(self.upstream.address, open_proxy(self.upstream))

    async def check(self, host: str, port: int) -> list[str]:
        """The addresses of a host, all of which may be connected to; none where only the proxy can resolve its name. Raises
        `Refused`."""
        if self._rule is None:
            await self.prepare()
        assert self._rule is not None
        place = f"{host.lower()}:{port}"
        try:
            addresses = await self._names.addresses(host.lower())
        except (OSError, UnicodeError):
            if self.upstream is None:
                raise self._refusal(place, "unknown_host") from None
            if host.lower() not in self._own_hosts and is_inner_name(host):
                raise self._blocked_refusal(place) from None
            return []
        if not addresses or not all(self._rule.allows(address, port) for address in addresses):
            raise self._blocked_refusal(place)
        return addresses

    async def _through(
        self, place: str, connecting: Coroutine[Any, Any, tuple[asyncio.StreamReader, asyncio.StreamWriter]]
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                return await connecting
        except TimeoutError:
            raise self._refusal(place, "timeout") from None
        except ProxyFailed as failed:
            raise self._refusal(place, "proxy", str(failed)) from None

    def _blocked_refusal(self, place: str) -> Refused:
        if len(self._blocked) < BLOCKED_KEPT:
            self._blocked.append(place)
        return self._refusal(place, "blocked_address")

    def why_refused(self, url: str) -> FailureKind | None:
        """The failure of the last connection to this URL's host, None for none."""
        parts = urlsplit(url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        return self._why.get(f"{(parts.hostname or '').lower()}:{port}")

    def take_blocked(self) -> tuple[str, ...]:
        """Addresses that were blocked since the last call, as host:port."""
        blocked, self._blocked = tuple(self._blocked), []
        return blocked

    def _refusal(self, place: str, kind: FailureKind, detail: str = "") -> Refused:
        self._why[place] = kind
        return Refused(kind, detail)


async def _home_of(root_url: str, names: HostNames) -> frozenset[tuple[str, int]]:
    host = urlsplit(root_url).hostname or ""
    with contextlib.suppress(OSError, UnicodeError):
        return EgressRule.for_root(root_url, await names.addresses(host)).home
    return frozenset()
