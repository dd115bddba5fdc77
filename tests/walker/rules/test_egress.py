from __future__ import annotations

import pytest

from walker.rules.egress import EgressRule, is_public


@pytest.mark.parametrize(
    "address", ["93.184.216.34", "8.8.8.8", "2606:2800:220:1:248:1893:25c8:1946", "::ffff:0:8.8.8.8", "168.63.129.17"]
)
def test_public_addresses(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "127.255.1.2", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
        "224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "ff02::1",
        "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2002:a9fe:a9fe::", "not an address",
        "64:ff9b:1::1", "64:ff9b:1:ffff::7f00:1", "::ffff:0:127.0.0.1", "::ffff:0:10.0.0.1", "fec0::1", "192.0.0.1", "192.0.0.192",
        "192.88.99.1", "3fff::1", "3fff:fff:ffff::1", "5f00::1", "100::1", "100:0:0:1::1", "2001:2::1", "168.63.129.16",
        "::ffff:168.63.129.16", "64:ff9b::a83f:8110", "2002:a83f:8110::",
    ],
)  # fmt: skip
def test_everything_else_is_not(address: str) -> None:
    assert not is_public(address)


def test_a_public_root_reaches_public_addresses_only() -> None:
    rule = EgressRule.for_root("https://example.org/", ["93.184.216.34"])
    assert rule.allows("8.8.8.8", 443)
    assert not rule.allows("127.0.0.1", 80)
    assert not rule.allows("10.0.0.1", 443)


def test_a_loopback_root_opens_its_own_port_and_nothing_else_private() -> None:
    rule = EgressRule.for_root("http://127.0.0.1:8101/", ["127.0.0.1"])
    assert rule.allows("127.0.0.1", 8101)
    assert rule.allows("::ffff:127.0.0.1", 8101)
    assert not rule.allows("127.0.0.1", 6379)
    assert not rule.allows("127.0.0.2", 8101)
    assert not rule.allows("169.254.169.254", 80)
    assert rule.allows("8.8.8.8", 443)


@pytest.mark.parametrize("address", ["169.254.169.254", "::ffff:169.254.169.254", "fe80::1%eth0"])
def test_a_link_local_root_is_never_home(address: str) -> None:
    rule = EgressRule.for_root("http://name.example/", [address])
    assert rule.home == frozenset()
    assert not rule.allows(address, 80)
