"""The network backend of the HTTP client: asyncio streams over connections opened by a `Dialer`."""

from __future__ import annotations

import asyncio
import contextlib
import select
import socket
import ssl
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import httpcore2

from walker.browser.egress.dialing import Refused

TLS_SECONDS = 15.0
Dial = Callable[[str, int], Awaitable[tuple[asyncio.StreamReader, asyncio.StreamWriter]]]
"""Opens a connection to a host and port. Raises `Refused`."""


class StaleConnection(httpcore2.ReadError):
    """A keep-alive connection had been closed by the server before it was reused; the request is sent again over a new one."""


class DialledBackend(httpcore2.AsyncNetworkBackend):
    """A network backend on top of a dialer's way to connect. The caller imposes time limits; there are none here."""

    def __init__(self, dial: Dial) -> None:
        self._dial = dial

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - the backend's interface
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Connect. Raises `Refused` if the name does not resolve, is blocked, or the connection is refused."""
        del timeout, local_address, socket_options
        return _Stream(*await self._dial(host, port))

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class _Stream(httpcore2.AsyncNetworkStream):
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._answered = self._is_waiting = False

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109
        del timeout
        try:
            data = await self._reader.read(max_bytes)
        except OSError as error:
            if self._answered and self._is_waiting:
                raise StaleConnection from None
            raise httpcore2.ReadError(str(error)) from None
        if not data and self._answered and self._is_waiting:
            raise StaleConnection
        self._answered, self._is_waiting = True, False
        return data

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109
        del timeout
        if not buffer:
            return
        self._is_waiting = True
        self._writer.write(buffer)
        try:
            await self._writer.drain()
        except OSError as error:
            raise httpcore2.WriteError(str(error)) from None

    async def aclose(self) -> None:
        # Does not wait for the server to close its half.
        self._writer.transport.abort()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109
    ) -> httpcore2.AsyncNetworkStream:
        """Start TLS on the checked connection, verifying the certificate for the host name. Raises `Refused`."""
        del timeout
        try:
            await self._writer.start_tls(
                ssl_context, server_hostname=server_hostname, ssl_handshake_timeout=TLS_SECONDS
            )
        except ssl.SSLCertVerificationError as error:
            await self.aclose()
            raise Refused("tls", f"the certificate is not valid ({error.verify_message})") from None
        except (OSError, ValueError):
            await self.aclose()
            raise Refused("tls") from None
        return self

    def get_extra_info(self, info: str) -> Any:
        if info == "is_readable":
            return self._reader.at_eof() or _is_readable(self._writer.get_extra_info("socket"))
        return self._writer.get_extra_info(info)


def _is_readable(plug: socket.socket | None) -> bool:
    """Whether a read would not block, which for an idle connection means that the server has closed it."""
    if plug is None or plug.fileno() < 0:
        return True
    with contextlib.suppress(OSError, ValueError):
        return bool(select.select([plug.fileno()], [], [], 0)[0]) if not hasattr(select, "poll") else _polls(plug)
    return True


def _polls(plug: socket.socket) -> bool:
    poll = select.poll()
    poll.register(plug.fileno(), select.POLLIN)
    return bool(poll.poll(0))
