"""A server on loopback none of whose sockets outlives it, whenever it is closed or its start is cancelled."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Coroutine[Any, Any, None]]
"""Serves one connection. One whose writer it leaves open is aborted when it returns."""

HOST = "127.0.0.1"
LINE_BYTES = 1 << 16
TURNS_TO_ACCEPT = 4
"""Of the loop, until a connection that it accepted is served, and can be ended: accepted, made, announced, served."""


class StreamServer:
    """Serves each connection in a task of its own, at a free port."""

    def __init__(self, serve: Serve, *, limit: int = LINE_BYTES, tls: ssl.SSLContext | None = None) -> None:
        """`limit`: bytes that a reader holds at most."""
        self._serve, self._limit, self._tls = serve, limit, tls
        self._server: asyncio.Server | None = None
        self._connections: set[asyncio.Task[None]] = set()

    async def start(self) -> tuple[str, int]:
        """Listen, if it does not yet; host and port."""
        if self._server is None:
            # Kept before it serves: whoever is cancelled while it starts would leave it to nobody.
            self._server = await asyncio.start_server(
                self._accept, HOST, 0, limit=self._limit, ssl=self._tls, start_serving=False
            )
            try:
                await self._server.start_serving()
            except asyncio.CancelledError:
                await self.close()
                raise
        host, port = self._server.sockets[0].getsockname()[:2]
        return host, port

    async def close(self) -> None:
        """Stop listening and end every connection: a server that waited for a client that never ends would wait for ever."""
        server, self._server = self._server, None
        try:
            if server is not None:
                await _close(server)
        finally:
            await self.cut_connections()

    async def cut_connections(self) -> None:
        """End every connection, and go on listening."""
        open_still = tuple(self._connections)
        for connection in open_still:
            connection.cancel()
        await asyncio.gather(*open_still, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = asyncio.ensure_future(self._serve(reader, writer))
        self._connections.add(connection)
        connection.add_done_callback(partial(self._end, writer))
        # Waited for, not awaited: the stream protocol reports a handler that ends by cancellation as an error.
        await asyncio.wait((connection,))

    def _end(self, writer: asyncio.StreamWriter, connection: asyncio.Task[None]) -> None:
        """Not at the end of the task's own work: one that is cancelled before its first turn does none."""
        self._connections.discard(connection)
        if not writer.is_closing():
            writer.transport.abort()


async def _close(server: asyncio.Server) -> None:
    """Not before what it accepted last is served: it would drop that without closing it."""
    loop = asyncio.get_running_loop()
    try:
        for listening in server.sockets:
            loop.remove_reader(listening.fileno())
        for _ in range(TURNS_TO_ACCEPT):
            await asyncio.sleep(0)
    finally:
        server.close()
