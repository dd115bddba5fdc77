"""Decides what a walk may fetch, by IP address, for every request of the browser, redirects and subresources included.

A walk from a public root reaches public addresses only. If the root itself is private or on loopback, its own addresses are
allowed on its own port as well, and no other private one. Link-local addresses never are: cloud machines serve their
credentials there (169.254.169.254).
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from urllib.parse import urlsplit

import msgspec

_EMBEDDING = tuple(map(ipaddress.IPv6Network, ("64:ff9b::/96", "::ffff:0:0:0/96")))
"""Networks whose addresses end in the IPv4 address that is meant: NAT64 (RFC 6052), IPv4-translated (RFC 2765)."""
_NOT_PUBLIC = tuple(
    map(
        ipaddress.ip_network,
        (
            "192.0.0.0/24",  # protocol assignments (RFC 6890)
            "192.88.99.0/24",  # 6to4 relays, deprecated (RFC 7526)
            "168.63.129.16/32",  # the platform's own services on Azure's virtual machines
            "64:ff9b:1::/48",  # local-use NAT64 (RFC 8215)
            "100:0:0:1::/64",  # dummy prefix (RFC 9780)
            "2001::/23",  # protocol assignments (RFC 2928); Teredo was taken apart before
            "3fff::/20",  # documentation (RFC 9637)
            "5f00::/16",  # segment routing (RFC 9602)
            "fec0::/10",  # site-local, deprecated (RFC 3879)
        ),
    )
)
"""Networks that some versions of Python take for globally reachable: the registries of special-purpose addresses, and one address
that a cloud uses for itself."""
_INNER_DOMAINS = frozenset(("localhost", "local", "internal", "localdomain", "lan", "home", "corp", "intranet"))
_WEB_PORTS = frozenset((80, 443))

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class EgressRule(msgspec.Struct, frozen=True, kw_only=True):
    """The addresses that a walk may connect to. `home` holds the (address, port) pairs of a root that is not public."""

    home: frozenset[tuple[str, int]] = frozenset()

    @classmethod
    def for_root(cls, root_url: str, addresses: Iterable[str]) -> EgressRule:
        """The rule for a walk from this root, whose host has these addresses."""
        port = port_of(root_url)
        ports = _WEB_PORTS if port in _WEB_PORTS else frozenset((port,))
        private = [address for address in addresses if not is_public(address) and not _plain(address).is_link_local]
        return cls(home=frozenset((str(_plain(address)), one) for address in private for one in ports))

    def allows(self, address: str, port: int) -> bool:
        """Whether a connection to this address may be made."""
        return is_public(address) or (str(_plain(address)), port) in self.home


def is_inner_name(host: str) -> bool:
    """Whether a host name can only be one of a private network, or of a machine itself: without a dot, or below a domain that is
    reserved for such (RFC 6761, 6762, 8375, ICANN's `internal`)."""
    name = host.rstrip(".").lower()
    return "." not in name or name.rpartition(".")[2] in _INNER_DOMAINS or f".{name}".endswith(".home.arpa")


def is_near(host: str) -> bool:
    """Whether a host is this machine, or one of its network: a proxy to the outside knows none of these."""
    is_address = ":" in host or host.replace(".", "").isdigit()
    return not is_public(host) if is_address else is_inner_name(host)


def is_public(address: str) -> bool:
    """Whether an IP address is globally routable, also if it is embedded in an IPv6 address (IPv4-mapped, IPv4-compatible,
    IPv4-translated, 6to4, Teredo, NAT64)."""
    try:
        plain = _plain(address)
    except ValueError:
        return False
    return plain.is_global and not plain.is_multicast and not any(plain in network for network in _NOT_PUBLIC)


def port_of(url: str) -> int:
    """Port of an http(s) URL, the scheme's default if it names none."""
    parts = urlsplit(url)
    return parts.port or (443 if parts.scheme == "https" else 80)


def _plain(address: str) -> Address:
    """The address that packets are really sent to."""
    parsed = ipaddress.ip_address(address.split("%", maxsplit=1)[0])
    if isinstance(parsed, ipaddress.IPv4Address):
        return parsed
    if parsed.ipv4_mapped is not None:
        return parsed.ipv4_mapped
    if parsed.sixtofour is not None:
        return parsed.sixtofour
    if parsed.teredo is not None:
        return parsed.teredo[1]
    if any(parsed in network for network in _EMBEDDING):
        return ipaddress.IPv4Address(int(parsed) & 0xFFFFFFFF)
    if int(parsed) >> 32 == 0 and int(parsed) > 1:
        return ipaddress.IPv4Address(int(parsed))
    return parsed
