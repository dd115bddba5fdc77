from __future__ import annotations

import asyncio
import contextlib

import psutil
import pytest

from walker.browser.egress_proxy import EgressProxy

STEPS = 12
"""A start is over in fewer turns of the loop, but for the thread that resolves."""


def listening() -> int:
    return sum(one.status == psutil.CONN_LISTEN for one in psutil.Process().net_connections("tcp"))


@pytest.mark.parametrize("turns", range(STEPS))
@pytest.mark.asyncio
async def test_a_proxy_that_was_stopped_while_it_started_leaves_no_port(turns: int) -> None:
    before = listening()
    proxy = EgressProxy()
    starting = asyncio.ensure_future(proxy.start())
    for _ in range(turns):
        await asyncio.sleep(0)
    starting.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await starting
    await proxy.close()
    assert listening() == before


@pytest.mark.parametrize("turns", range(STEPS))
@pytest.mark.asyncio
async def test_a_proxy_that_is_closed_while_it_starts_leaves_no_port(turns: int) -> None:
    before = listening()
    proxy = EgressProxy()
    starting = asyncio.ensure_future(proxy.start())
    for _ in range(turns + 1):
        await asyncio.sleep(0)
    await proxy.close()
    with contextlib.suppress(asyncio.CancelledError):
        await starting
    assert listening() == before


@pytest.mark.asyncio
async def test_a_proxy_whose_start_was_stopped_can_be_started() -> None:
    proxy = EgressProxy()
    starting = asyncio.ensure_future(proxy.start())
    await asyncio.sleep(0)
    starting.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await starting
    host, _, port = (await proxy.start()).rpartition(":")
    _, writer = await asyncio.open_connection(host, int(port))
    writer.close()
    await proxy.close()
