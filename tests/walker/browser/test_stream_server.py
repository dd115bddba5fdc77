from __future__ import annotations

import asyncio
import contextlib
import gc
import socket
import warnings
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from tests.fixtures.stopping import stop_after
from walker.browser.egress.stream_server import StreamServer

STEPS = 12
"""A start is over in fewer turns of the loop, and a connection served."""


async def idle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    del writer
    await reader.read()


async def close_early(turns: int) -> None:
    server = StreamServer(idle)
    place = await server.start()
    with contextlib.ExitStack() as clients:
        for _ in range(3):
            clients.enter_context(socket.create_connection(place))
        for _ in range(turns):
            await asyncio.sleep(0)
        await server.close()


async def stop_starting(turns: int) -> None:
    server = StreamServer(idle)
    if not await stop_after(turns, server.start()):
        await server.close()


@pytest.mark.parametrize("turns", range(STEPS))
@pytest.mark.parametrize("work", [close_early, stop_starting])
def test_no_socket_outlives_the_server(work: Callable[[int], Coroutine[Any, Any, None]], turns: int) -> None:
    gc.disable()  # what is made stays young, and is found without looking through all else: a second each time
    try:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            asyncio.run(work(turns))
            gc.collect(0)
    finally:
        gc.enable()
    assert not [str(one.message) for one in told]


@pytest.mark.asyncio
async def test_connections_are_cut_and_others_taken() -> None:
    server = StreamServer(idle)
    place = await server.start()
    reader, writer = await asyncio.open_connection(*place)
    await asyncio.sleep(0.05)
    await server.cut_connections()
    with contextlib.suppress(ConnectionError):
        assert await reader.read() == b""
    writer.close()
    assert await server.start() == place
    _, again = await asyncio.open_connection(*place)
    again.close()
    await server.close()
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection(*place)
