"""Which addresses a client may name: those of allowed hosts, or without such a list those that are public."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

from walker.browser.egress.names import HostNames
from walker.errors import RootUnreachable, UsageError
from walker.rules.egress import is_public, port_of
from walker.rules.scope import check_root


async def check_address(url: str, allowed: Sequence[str]) -> str:
    """The address, if it may be opened. `allowed` has `host` or `host:port`; subdomains are not included.

    Raises `UsageError` for one that may not be opened, and `RootUnreachable` for a host that has no address.
    """
    checked = check_root(url)
    host = urlsplit(checked).hostname or ""
    if allowed:
        if host in allowed or f"{host}:{port_of(checked)}" in allowed:
            return checked
        raise UsageError("this host is not allowed", where=url, advice=f"Allowed are {', '.join(allowed)}")
    try:
        addresses = await HostNames().addresses(host)
    except (OSError, UnicodeError):
        raise RootUnreachable("the host name does not resolve", where=url, advice="Check the address") from None
    if not all(map(is_public, addresses)):
        raise UsageError(
            "this host is not public",
            where=url,
            advice=f"Whoever runs the server can allow it with --allow {host}:{port_of(checked)}",
        )
    return checked
