"""Which addresses a host has."""

from __future__ import annotations

import asyncio
import socket
from concurrent.futures import ThreadPoolExecutor
from ipaddress import IPv4Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walker.browser.egress.dialing import resolve


def resolved(host: str, *, may_ask: bool) -> list[str]:
    """The addresses of a host, where no thread can be had to ask the system unless it may be asked."""

    async def asked() -> list[str]:
        if not may_ask:
            ended = ThreadPoolExecutor(1)
            ended.shutdown()
            asyncio.get_running_loop().set_default_executor(ended)
        return await resolve(host, 80)

    return asyncio.run(asked())


@given(st.ip_addresses(v=4))
def test_an_address_is_its_own_without_a_thread_and_as_the_system_has_it(address: IPv4Address) -> None:
    found = socket.getaddrinfo(str(address), 80, type=socket.SOCK_STREAM)
    assert resolved(str(address), may_ask=False) == [str(address)] == list(dict.fromkeys(one[4][0] for one in found))


@pytest.mark.parametrize("host", ["2130706433", "0x7f.0.0.1", "127.1", "0177.0.0.1"])
def test_other_notations_are_read_by_the_system(host: str) -> None:
    assert resolved(host, may_ask=True) == ["127.0.0.1"]
    with pytest.raises(RuntimeError, match="shutdown"):
        resolved(host, may_ask=False)
