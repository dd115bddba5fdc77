"""Which addresses a host has, and how often the system is asked."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from ipaddress import IPv4Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walker.browser.egress import names
from walker.browser.egress.names import HostNames, ask_system


class NameServer:
    """Stands in for the system's name service: counts questions, and answers when it is let."""

    def __init__(self, **known: str) -> None:
        self.known, self.asked = known, list[str]()
        self.may_answer = threading.Event()
        self.may_answer.set()

    def __call__(self, host: str) -> list[str]:
        self.asked.append(host)
        self.may_answer.wait(20)
        if host not in self.known:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return [self.known[host], self.known[host]]


@given(st.ip_addresses(v=4))
def test_an_address_is_its_own_without_a_question_and_as_the_system_has_it(address: IPv4Address) -> None:
    server = NameServer()
    assert asyncio.run(HostNames(server).addresses(str(address))) == [str(address)]
    assert list(dict.fromkeys(ask_system(str(address)))) == [str(address)]
    assert server.asked == []


@pytest.mark.parametrize("host", ["2130706433", "0x7f.0.0.1", "127.1", "0177.0.0.1"])
def test_other_notations_are_read_by_the_system(host: str) -> None:
    assert asyncio.run(HostNames().addresses(host)) == ["127.0.0.1"]


async def test_who_asks_for_a_name_at_the_same_time_shares_one_question() -> None:
    server = NameServer(one="192.0.2.1")
    server.may_answer.clear()
    known = HostNames(server)
    asking = [asyncio.create_task(known.addresses("one")) for _ in range(50)]
    await asyncio.sleep(0.01)
    asking.pop().cancel()
    server.may_answer.set()
    assert await asyncio.gather(*asking) == [["192.0.2.1"]] * 49
    assert await known.addresses("one") == ["192.0.2.1"]
    assert server.asked == ["one"]


async def test_a_missing_name_is_asked_for_once_in_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    server = NameServer()
    known = HostNames(server)
    for _ in range(3):
        with pytest.raises(socket.gaierror, match="not known"):
            await known.addresses("gone")
    assert server.asked == ["gone"]
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + names.UNKNOWN_SECONDS + 1)
    server.known["gone"] = "192.0.2.2"
    assert await known.addresses("gone") == ["192.0.2.2"]


async def test_a_silent_name_server_holds_up_nobody_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names, "LOOKUP_SECONDS", 0.05)
    server = NameServer(late="192.0.2.3")
    server.may_answer.clear()
    known = HostNames(server)
    for _ in range(2):
        with pytest.raises(socket.gaierror, match="in time"):
            await known.addresses("late")
    assert server.asked == ["late"], "the second is answered from what the first has seen"
    assert await asyncio.to_thread(sum, (1, 2)) == 3, "the threads of other work are free"
    server.may_answer.set()
