from __future__ import annotations

import asyncio

import pytest

from walker.browser.egress.dialing import Dialer
from walker.browser.egress.stream_server import StreamServer

STEPS = 40
"""Iterations of the event loop within which a connection on loopback is made."""


async def hang_up(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.close()


async def test_a_cancelled_connection_is_cancelled_however_far_it_has_come() -> None:
    server = StreamServer(hang_up)
    host, port = await server.start()
    try:
        for steps in range(1, STEPS):
            dialer = Dialer(f"http://{host}:{port}/")
            dialling = asyncio.ensure_future(dialer.dial(host, port))
            for _ in range(steps):
                await asyncio.sleep(0)
            if dialling.done():
                break
            dialling.cancel()
            with pytest.raises(asyncio.CancelledError):
                await dialling
        assert dialling.done()
        assert steps > 2
        _, writer = await dialling
        writer.close()
    finally:
        await server.close()
