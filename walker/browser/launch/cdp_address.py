"""The address of a Chromium that a person runs."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

from walker.errors import UsageError


def check_cdp(address: str) -> str:
    """The address of a browser on this machine: who is connected to has all that its pages show. Raises `UsageError`."""
    parts = urlsplit(address)
    host = parts.hostname or ""
    try:
        is_here = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        is_here = False
    if parts.scheme not in ("http", "https", "ws", "wss") or not host:
        raise UsageError("is no address of a browser", where=address, advice="Write it as http://127.0.0.1:9222")
    if not is_here:
        raise UsageError(
            "is not on this machine",
            where=address,
            advice="Forward its port: ssh -L 9222:127.0.0.1:9222 HOST, then --cdp http://127.0.0.1:9222",
        )
    return address
