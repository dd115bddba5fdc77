"""A server on loopback that leaks no sockets, whenever it is closed or its start is cancelled."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Coroutine[Any, Any, None]]
"""Serves one connection. If the writer is still open when it returns, the connection is aborted."""

HOST = "127.0.0.1"
LINE_BYTES = 1 << 16
TURNS_TO_ACCEPT = 4
"""Event loop iterations until an accepted connection is being served and can be aborted: accepted, made, announced, served."""


class StreamServer:
    """Serves each connection in a separate task, on a free port."""

    def __init__(self, serve: Serve, *, limit: int = LINE_BYTES, tls: ssl.SSLContext | None = None) -> None:
        """`limit`: buffer limit of a reader, in bytes."""
        self._serve, self._limit, self._tls = serve, limit, tls
        self._server: asyncio.Server | None = None
        self._connections: set[asyncio.Task[None]] = set()

    async def start(self) -> tuple[str, int]:
        """Start listening, if it does not yet, and return host and port."""
        if self._server is None:
            # Assigned before it serves, so that a cancelled start does not leak it.
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
        """Stop listening and abort all connections, rather than wait for clients that may never close."""
        server, self._server = self._server, None
        try:
            if server is not None:
                await _close(server)
        finally:
            await self.cut_connections()

    async def cut_connections(self) -> None:
        """Abort all connections, and continue listening."""
        open_still = tuple(self._connections)
        for connection in open_still:
            connection.cancel()
        await asyncio.gather(*open_still, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = asyncio.ensure_future(self._serve(reader, writer))
        self._connections.add(connection)
        connection.add_done_callback(partial(self._end, writer))
        # `wait` instead of `await`: the stream protocol reports a cancelled handler as an error.
        await asyncio.wait((connection,))

    def _end(self, writer: asyncio.StreamWriter, connection: asyncio.Task[None]) -> None:
        """Clean up in a callback rather than in the task, as a task that is cancelled before its first iteration does not run."""
        self._connections.discard(connection)
        if not writer.is_closing():
            writer.transport.abort()


async def _close(server: asyncio.Server) -> None:
    """Close the server once the last accepted connection is served; earlier it would drop it without closing it."""
    loop = asyncio.get_running_loop()
    try:
        for listening in server.sockets:
            loop.remove_reader(listening.fileno())
        for _ in range(TURNS_TO_ACCEPT):
            await asyncio.sleep(0)
    finally:
        server.close()
