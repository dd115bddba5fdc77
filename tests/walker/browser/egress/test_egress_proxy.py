from __future__ import annotations

import asyncio
import contextlib

import psutil
import pytest

from perception.snapshot import Snapshot
from tests.fixtures.stopping import stop_after
from tests.sites.serving import Answer, LoopbackSite, serving
from walker.browser.egress.egress_proxy import EgressProxy
from walker.browser.launch.chromium import Chromium, ContextOptions
from walker.browser.playwright.playwright_browser import PlaywrightBrowser

STEPS = 12
"""A start is over in fewer turns of the loop, but for the thread that resolves."""


def listening() -> int:
    return sum(one.status == psutil.CONN_LISTEN for one in psutil.Process().net_connections("tcp"))


@pytest.mark.parametrize("turns", range(STEPS))
@pytest.mark.asyncio
async def test_a_proxy_that_was_stopped_while_it_started_leaves_no_port(turns: int) -> None:
    before = listening()
    proxy = EgressProxy()
    await stop_after(turns, proxy.start())
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
    await stop_after(1, proxy.start())
    host, _, port = (await proxy.start()).rpartition(":")
    _, writer = await asyncio.open_connection(host, int(port))
    writer.close()
    await proxy.close()


@pytest.mark.parametrize("turns", [1, 2, 4, 16])
@pytest.mark.asyncio(loop_scope="session")
async def test_a_browser_whose_closing_is_stopped_leaves_no_port(chromium: Chromium, home: str, turns: int) -> None:
    before = listening()
    browser = PlaywrightBrowser(chromium, ContextOptions(), egress=EgressProxy(home))
    assert isinstance(await browser.open(home + "plain"), Snapshot)
    await stop_after(turns, browser.close())
    assert listening() == before


async def asked_through(proxy: EgressProxy, url: str) -> bytes:
    host, _, port = (await proxy.start()).rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(f"GET {url} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    async with asyncio.timeout(20):
        answer = await reader.readuntil(b"the end")
    writer.close()
    await proxy.close()
    return answer


@pytest.mark.parametrize(
    ("sent", "received"),
    [
        (
            b"HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nKeep-Alive: timeout=5\r\nContent-Length: 7\r\n\r\nthe end",
            b"HTTP/1.1 200 OK\r\nContent-Length: 7\r\nConnection: close\r\n\r\nthe end",
        ),
        (
            b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nConnection: Keep-Alive\r\n\r\nthe end",
            b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nConnection: close\r\n\r\nthe end",
        ),
        (b"HTTP/1.0 200 OK\n\nthe end", b"HTTP/1.0 200 OK\r\nConnection: close\r\n\r\nthe end"),
        (b"no HTTP at all, the end", b"no HTTP at all, the end"),
    ],
)
@pytest.mark.asyncio
async def test_no_server_keeps_a_connection_for_the_next_request(sent: bytes, received: bytes) -> None:
    with serving(LoopbackSite(lambda _: Answer(raw=(sent[:9], sent[9:])))) as site:
        assert await asked_through(EgressProxy(site.home), site.home) == received
